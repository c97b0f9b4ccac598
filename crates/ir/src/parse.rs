//! Reads the text form ([`crate::print`] describes it).
//!
//! Two passes over the tokens, because names may be used before their declaration: the first reads all
//! headers and skips what stands in braces, the second reads initialisers and bodies. The result has ids in
//! range and types that follow from the operands; everything else is for [`crate::verify`] to say.

mod expr;

use crate::cfa::{AllocKind, Callee, Cfa, CheckKind, Edge, HavocKind, NodeId, Op};
use crate::expr::{Expr, ExprKind};
use crate::lex::{Tok, Token, lex, type_named};
use crate::program::{
    Body, FuncId, Function, Global, GlobalId, Init, InitItem, InitValue, Local, LocalId, LocalOrigin, Pos,
    Program, Storage, Var,
};
use crate::types::{Target, Type};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Both from 1; columns count characters.
    pub line: usize,
    pub column: usize,
    pub message: String,
}

pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser {
        text,
        tokens: lex(text)?,
        next: 0,
        program: Program {
            target: Target::LP64,
            files: Vec::new(),
            globals: Arc::default(),
            functions: Vec::new(),
        },
        globals: FxHashMap::default(),
        functions: FxHashMap::default(),
        locals: FxHashMap::default(),
        scope: None,
        spare_nodes: text.len() as u64 + (1 << 20),
    };
    parser.program()?;
    Ok(parser.program)
}

impl ParseError {
    pub(crate) fn at(text: &str, offset: usize, message: impl Into<String>) -> ParseError {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    program: Program,
    globals: FxHashMap<Arc<str>, GlobalId>,
    functions: FxHashMap<Arc<str>, FuncId>,
    /// Those of the function being read, `scope`.
    locals: FxHashMap<Arc<str>, LocalId>,
    scope: Option<FuncId>,
    /// How many more nodes may be declared; keeps a short text from asking for all memory.
    spare_nodes: u64,
}

impl Parser<'_> {
    fn program(&mut self) -> Parsed<()> {
        self.word("target")?;
        let at = self.next;
        let name = self.name("the target's name")?;
        self.program.target = match Target::by_name(&name) {
            Some(target) => target,
            None => return self.fail_at(at, format!("unknown target {name:?}")),
        };
        while self.eat_word("file") {
            let file = self.string("a file name")?;
            self.program.files.push(file);
        }
        let mut inits = Vec::new();
        let mut bodies = Vec::new();
        loop {
            if self.peek() == &Tok::End {
                break;
            }
            let external = !self.eat_word("static");
            if self.eat_word("global") {
                inits.extend(self.global(false, external)?);
            } else if self.eat_word("const") {
                inits.extend(self.global(true, external)?);
            } else if external && self.eat_word("func") {
                bodies.extend(self.function()?);
            } else {
                return self.fail("expected global, const or func");
            }
        }
        for (id, start) in inits {
            self.next = start;
            let init = self.init()?;
            self.program.globals_mut()[id].init = Some(init);
        }
        for (id, start) in bodies {
            self.next = start;
            self.body(id)?;
        }
        Ok(())
    }

    /// A global's header; if it has an initialiser, the token where that starts.
    fn global(&mut self, constant: bool, external: bool) -> Parsed<Option<(usize, usize)>> {
        let at = self.next;
        let name = self.name("the global's name")?;
        self.punct(":")?;
        let (storage, c_type, pos) = self.declaration()?;
        let id = self.program.globals.len();
        if self.globals.insert(name.clone(), GlobalId(id as u32)).is_some() {
            return self.fail_at(at, format!("there is already a global {name:?}"));
        }
        self.program.globals_mut().push(Global {
            name,
            storage,
            init: None,
            constant,
            external,
            c_type,
            pos,
        });
        if !self.eat("=") {
            return Ok(None);
        }
        let start = self.skip_braces()?;
        Ok(Some((id, start)))
    }

    /// A function's header; if it has braces, the token after the opening one.
    fn function(&mut self) -> Parsed<Option<(usize, usize)>> {
        let at = self.next;
        let name = self.name("the function's name")?;
        self.punct("(")?;
        let mut locals = Vec::new();
        let mut variadic = false;
        while !self.eat(")") {
            if !locals.is_empty() {
                self.punct(",")?;
            }
            if self.eat("...") {
                variadic = true;
                self.punct(")")?;
                break;
            }
            let origin = self.origin().unwrap_or(LocalOrigin::Param);
            locals.push(self.local(origin)?);
        }
        let ret = if self.eat("->") { Some(self.ty()?) } else { None };
        let (c_type, pos) = self.c_type_and_pos()?;
        // Replaced by the second pass, if there is a body.
        let mut body = Body::Extern;
        let (mut start, mut havocs) = (None, false);
        if self.eat_word("poisoned") {
            let reason = self.string("the reason")?;
            body = Body::Poisoned { reason, pos: self.pos() };
        } else if self.eat_word("extern") {
            havocs = self.eat_word("havocs");
        } else {
            body = Body::Defined(Cfa::new(0, NodeId(0), NodeId(0), Vec::new()));
        }
        if matches!(body, Body::Defined(_)) || self.peek() == &Tok::Punct("{") {
            start = Some(self.skip_braces()?);
        }
        let id = self.program.functions.len();
        if self.functions.insert(name.clone(), FuncId(id as u32)).is_some() {
            return self.fail_at(at, format!("there is already a function {name:?}"));
        }
        let params = locals.len() as u32;
        let function = Function { name, ret, params, variadic, locals, body, havocs, c_type, pos };
        self.program.add_function(function);
        Ok(start.map(|start| (id, start)))
    }

    fn skip_braces(&mut self) -> Parsed<usize> {
        let open = self.next;
        self.punct("{")?;
        let start = self.next;
        loop {
            match self.peek() {
                Tok::End => return self.fail_at(open, "this brace is never closed"),
                Tok::Punct("}") => {
                    self.next += 1;
                    return Ok(start);
                }
                _ => self.next += 1,
            }
        }
    }

    fn origin(&mut self) -> Option<LocalOrigin> {
        [LocalOrigin::Param, LocalOrigin::User, LocalOrigin::Temp]
            .into_iter()
            .find(|&origin| self.eat_word(crate::print::origin_name(origin)))
    }

    fn local(&mut self, origin: LocalOrigin) -> Parsed<Local> {
        let name = self.name("the variable's name")?;
        self.punct(":")?;
        let (storage, c_type, pos) = self.declaration()?;
        Ok(Local { name, storage, origin, c_type, pos })
    }

    fn declaration(&mut self) -> Parsed<(Storage, Arc<str>, Pos)> {
        let storage = if self.eat_word("memory") {
            let size = self.number("the size")?;
            self.word("align")?;
            Storage::Memory { size, align: self.number("the alignment")? }
        } else {
            Storage::Register(self.ty()?)
        };
        let (c_type, pos) = self.c_type_and_pos()?;
        Ok((storage, c_type, pos))
    }

    fn c_type_and_pos(&mut self) -> Parsed<(Arc<str>, Pos)> {
        let c_type = match self.peek() {
            Tok::Str(_) => self.string("the C type")?,
            _ => "".into(),
        };
        Ok((c_type, self.pos()))
    }

    fn init(&mut self) -> Parsed<Init> {
        self.scope = None;
        self.locals.clear();
        let mut items = Vec::new();
        while !self.eat("}") {
            if !items.is_empty() {
                self.punct(",")?;
            }
            let offset = self.number("an offset")?;
            self.punct(":")?;
            let value = if let Tok::Bytes(bytes) = self.peek() {
                let bytes = bytes.clone();
                self.next += 1;
                InitValue::Bytes(bytes)
            } else {
                InitValue::Scalar(self.expr()?)
            };
            items.push(InitItem { offset, value });
        }
        Ok(Init { items })
    }

    fn body(&mut self, id: usize) -> Parsed<()> {
        self.scope = Some(FuncId(id as u32));
        self.locals.clear();
        for i in 0..self.program.functions[id].locals.len() {
            let name = self.program.functions[id].locals[i].name.clone();
            self.declare(i, name, self.next)?;
        }
        while let Some(origin) = self.origin() {
            let at = self.next;
            let local = self.local(origin)?;
            self.declare(self.program.functions[id].locals.len(), local.name.clone(), at)?;
            self.program.function_mut(FuncId(id as u32)).locals.push(local);
        }
        if matches!(self.program.functions[id].body, Body::Defined(_)) {
            let cfa = self.cfa()?;
            self.program.function_mut(FuncId(id as u32)).body = Body::Defined(cfa);
        }
        self.punct("}")
    }

    fn declare(&mut self, index: usize, name: Arc<str>, at: usize) -> Parsed<()> {
        match self.locals.insert(name.clone(), LocalId(index as u32)) {
            Some(_) => self.fail_at(at, format!("there is already a variable {name:?} in this function")),
            None => Ok(()),
        }
    }

    fn cfa(&mut self) -> Parsed<Cfa> {
        self.word("nodes")?;
        let at = self.next;
        let count = self.number("the number of nodes")?;
        self.spare_nodes = match self.spare_nodes.checked_sub(count) {
            Some(spare) => spare,
            None => return self.fail_at(at, "too many nodes for a text of this length"),
        };
        // Not above the text's length and a million; texts over 4 GB would fail on their nodes below.
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.word("entry")?;
        let entry = self.node(count)?;
        self.word("exit")?;
        let exit = self.node(count)?;
        let mut edges = Vec::new();
        while self.peek() != &Tok::Punct("}") {
            let from = self.node(count)?;
            self.punct("->")?;
            let to = self.node(count)?;
            self.punct(":")?;
            let op = self.op()?;
            edges.push(Edge { from, to, op, pos: self.pos() });
        }
        Ok(Cfa::new(count, entry, exit, edges))
    }

    fn node(&mut self, count: u32) -> Parsed<NodeId> {
        let at = self.next;
        match u32::try_from(self.number("a node")?) {
            Ok(node) if node < count => Ok(NodeId(node)),
            _ => self.fail_at(at, format!("nodes here are below {count}")),
        }
    }

    fn op(&mut self) -> Parsed<Op> {
        let word = match self.peek() {
            Tok::Word(word) => word.clone(),
            _ => String::new(),
        };
        let start = self.next;
        self.next += 1;
        Ok(match word.as_str() {
            "skip" => Op::Skip,
            "assume" => {
                let holds = !self.eat_word("not");
                Op::Assume { cond: self.expr()?, holds }
            }
            "copy" => {
                let [dst, src, len] = self.three()?;
                Op::Copy { dst, src, len }
            }
            "fill" => {
                let [dst, byte, len] = self.three()?;
                Op::Fill { dst, byte, len }
            }
            "free" => Op::Free { ptr: self.expr()? },
            "begin_life" => Op::Lifetime { ptr: self.expr()?, begins: true },
            "end_life" => Op::Lifetime { ptr: self.expr()?, begins: false },
            "call" => self.call(None)?,
            "return" => Op::Return(self.optional()?),
            "halt" => Op::Halt(self.optional()?),
            "check" => {
                let at = self.next;
                let name = self.name("the kind of check")?;
                let Some(kind) = CheckKind::ALL.into_iter().find(|kind| kind.name() == &*name) else {
                    return self.fail_at(at, format!("no kind of check is called {name:?}"));
                };
                let cond = self.expr()?;
                let message = match self.peek() {
                    Tok::Str(_) => Some(self.string("a message")?),
                    _ => None,
                };
                Op::Check { kind, cond, message }
            }
            _ => {
                self.next = start;
                self.assignment()?
            }
        })
    }

    fn assignment(&mut self) -> Parsed<Op> {
        let at = self.next;
        let place = self.operand()?;
        self.punct("=")?;
        let var = match place.kind {
            ExprKind::Local(id) => Var::Local(id),
            ExprKind::Global(id) => Var::Global(id),
            ExprKind::Load(addr) => {
                let value = self.expr()?;
                if value.ty != place.ty {
                    return self.fail_at(at, format!("this stores a {}, not a {}", value.ty, place.ty));
                }
                return Ok(Op::Store { addr: *addr, value });
            }
            _ => return self.fail_at(at, "only variables and memory can be assigned"),
        };
        if self.eat_word("call") {
            self.call(Some(var))
        } else if self.eat_word("input") {
            Ok(Op::Havoc { var, kind: HavocKind::Input(self.string("the name of the input")?) })
        } else if self.eat_word("uninit") {
            Ok(Op::Havoc { var, kind: HavocKind::Uninit })
        } else if self.eat_word("asm") {
            Ok(Op::Havoc { var, kind: HavocKind::Asm })
        } else if self.eat_word("alloc") {
            let kind = if self.eat_word("heap") {
                AllocKind::Heap
            } else {
                self.word("stack")?;
                AllocKind::Stack
            };
            Ok(Op::Alloc { var, size: self.expr()?, kind })
        } else {
            Ok(Op::Assign { var, value: self.expr()? })
        }
    }

    fn call(&mut self, dst: Option<Var>) -> Parsed<Op> {
        let callee = if self.eat("*") {
            self.punct("(")?;
            let target = self.expr()?;
            self.punct(")")?;
            Callee::Indirect(target)
        } else {
            Callee::Direct(self.function_name()?)
        };
        self.punct("(")?;
        let mut args = Vec::new();
        while !self.eat(")") {
            if !args.is_empty() {
                self.punct(",")?;
            }
            args.push(self.expr()?);
        }
        Ok(Op::Call { dst, callee, args })
    }

    fn three(&mut self) -> Parsed<[Expr; 3]> {
        let a = self.expr()?;
        self.punct(",")?;
        let b = self.expr()?;
        self.punct(",")?;
        Ok([a, b, self.expr()?])
    }

    /// The value after `return` or `halt`: what follows one without it is a position, the next edge or a
    /// brace.
    fn optional(&mut self) -> Parsed<Option<Expr>> {
        match self.peek() {
            Tok::Pos(_) | Tok::End | Tok::Punct("}") => Ok(None),
            Tok::Number(_, suffix) if suffix.is_empty() => Ok(None),
            _ => self.expr().map(Some),
        }
    }

    fn function_name(&mut self) -> Parsed<FuncId> {
        let at = self.next;
        let name = self.name("a function's name")?;
        match self.functions.get(&name) {
            Some(&id) => Ok(id),
            None => self.fail_at(at, format!("there is no function {name:?}")),
        }
    }

    // Tokens.

    fn peek(&self) -> &Tok {
        self.tokens.get(self.next).map_or(&Tok::End, |t| &t.tok)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = matches!(self.peek(), Tok::Punct(p) if *p == punct);
        self.next += usize::from(found);
        found
    }

    fn punct(&mut self, punct: &str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { self.fail(format!("expected {punct:?}")) }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Tok::Word(w) if w == word);
        self.next += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.fail(format!("expected {word:?}")) }
    }

    fn name(&mut self, what: &str) -> Parsed<Arc<str>> {
        if let Tok::Word(word) = self.peek() {
            let name = word.as_str().into();
            self.next += 1;
            return Ok(name);
        }
        self.string(what)
    }

    fn string(&mut self, what: &str) -> Parsed<Arc<str>> {
        let Tok::Str(bytes) = self.peek() else { return self.fail(format!("expected {what}")) };
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let text = text.into();
                self.next += 1;
                Ok(text)
            }
            Err(_) => self.fail(format!("{what} is not UTF-8")),
        }
    }

    fn number(&mut self, what: &str) -> Parsed<u64> {
        if let Tok::Number(digits, suffix) = self.peek()
            && suffix.is_empty()
            && let Ok(number) = digits.parse()
        {
            self.next += 1;
            return Ok(number);
        }
        self.fail(format!("expected {what}, a number"))
    }

    fn pos(&mut self) -> Pos {
        let Tok::Pos(pos) = self.peek() else { return Pos::default() };
        let pos = *pos;
        self.next += 1;
        pos
    }

    fn ty(&mut self) -> Parsed<Type> {
        if let Tok::Word(word) = self.peek()
            && let Some(ty) = type_named(word)
        {
            self.next += 1;
            return Ok(ty);
        }
        self.fail("expected a type")
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.next, message)
    }

    fn fail_at<T>(&self, token: usize, message: impl Into<String>) -> Parsed<T> {
        let offset = self.tokens.get(token).map_or(self.text.len(), |t| t.at);
        Err(ParseError::at(self.text, offset, message))
    }
}
