//! The tree as an S-expression, for tests.

use crate::ast::*;
use base::{Interner, Symbol};

pub(super) fn dump(unit: &TranslationUnit, names: &Interner) -> String {
    let dump = Dump { names };
    unit.items.iter().map(|item| dump.item(item)).collect::<Vec<_>>().join("\n")
}

struct Dump<'a> {
    names: &'a Interner,
}

impl Dump<'_> {
    fn name(&self, symbol: Symbol) -> &str {
        self.names.name(symbol)
    }

    fn item(&self, item: &Item) -> String {
        match item {
            Item::Function(function) => self.function(function),
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::StaticAssert(assert) => self.static_assert(assert),
            Item::Asm(_) => "(asm)".to_string(),
        }
    }

    fn function(&self, function: &FunctionDef) -> String {
        let kr: Vec<String> = function.kr_declarations.iter().map(|d| self.declaration(d)).collect();
        let head = format!("{} {}", self.specs(&function.specs), self.declarator(&function.declarator));
        format!(
            "(function {head} {}{})",
            kr.iter().map(|d| format!("{d} ")).collect::<String>(),
            self.block(&function.body)
        )
    }

    fn static_assert(&self, assert: &StaticAssert) -> String {
        let message = assert.message.as_ref().map(|m| format!(" {:?}", String::from_utf8_lossy(m)));
        format!("(static_assert {}{})", self.expr(&assert.condition), message.unwrap_or_default())
    }

    fn declaration(&self, declaration: &Declaration) -> String {
        let mut out = format!("(declare {}", self.specs(&declaration.specs));
        for one in &declaration.declarators {
            out += &format!(" {}", self.declarator(&one.declarator));
            if one.asm_label.is_some() {
                out += " asm";
            }
            if let Some(init) = &one.init {
                out += &format!(" = {}", self.init(init));
            }
        }
        out + ")"
    }

    fn specs(&self, specs: &DeclSpecs) -> String {
        let mut words = Vec::new();
        if let Some((class, _)) = specs.storage {
            words.push(format!("{class:?}").to_lowercase());
        }
        let flags = [(specs.thread_local, "thread"), (specs.inline, "inline"), (specs.noreturn, "noreturn")];
        words.extend(flags.iter().filter(|f| f.0).map(|f| f.1.to_string()));
        words.extend(quals(specs.quals).map(str::to_string));
        for align in &specs.align_as {
            words.push(match align {
                AlignAs::Type(ty) => format!("(alignas {})", self.type_name(ty)),
                AlignAs::Expr(expr) => format!("(alignas {})", self.expr(expr)),
            });
        }
        words.extend(self.attributes(&specs.attributes));
        words.push(match &specs.ty {
            TypeSpec::Builtin(builtin) => format!("{builtin:?}"),
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(spec) => self.enumeration(spec),
            TypeSpec::Typedef(ident) => self.name(ident.name).to_string(),
            TypeSpec::TypeofExpr(expr) => format!("(typeof {})", self.expr(expr)),
            TypeSpec::TypeofType(ty) => format!("(typeof {})", self.type_name(ty)),
            TypeSpec::Atomic(ty) => format!("(atomic {})", self.type_name(ty)),
            TypeSpec::Auto => "auto-type".to_string(),
            TypeSpec::Implicit => "implicit".to_string(),
            TypeSpec::Error => "error".to_string(),
        });
        words.join(" ")
    }

    fn attributes(&self, attributes: &[Attribute]) -> Vec<String> {
        attributes
            .iter()
            .map(|attribute| {
                let mut out = format!("@{}", self.name(attribute.name.name));
                for arg in &attribute.args {
                    out += &match arg {
                        AttributeArg::Expr(expr) => format!("<{}>", self.expr(expr)),
                        AttributeArg::Type(ty) => format!("<type {}>", self.type_name(ty)),
                        AttributeArg::Other(_) => "<?>".to_string(),
                    };
                }
                out
            })
            .collect()
    }

    fn record(&self, record: &RecordSpec) -> String {
        let mut out = format!("({}", if record.is_union { "union" } else { "struct" });
        out += &record.tag.map(|t| format!(" {}", self.name(t.name))).unwrap_or_default();
        for attribute in self.attributes(&record.attributes) {
            out += &format!(" {attribute}");
        }
        let Some(fields) = &record.fields else { return out + ")" };
        out += " {";
        for field in fields {
            out += " ";
            match field {
                FieldDecl::StaticAssert(assert) => out += &self.static_assert(assert),
                FieldDecl::Fields { specs, declarators, .. } => {
                    out += &self.specs(specs);
                    for one in declarators {
                        out += &format!(" {}", self.declarator(&one.declarator));
                        out += &one.bits.as_ref().map(|b| format!(":{}", self.expr(b))).unwrap_or_default();
                    }
                    out += ";";
                }
            }
        }
        out + " })"
    }

    fn enumeration(&self, spec: &EnumSpec) -> String {
        let tag = spec.tag.map(|t| format!(" {}", self.name(t.name))).unwrap_or_default();
        let Some(enumerators) = &spec.enumerators else { return format!("(enum{tag})") };
        let list: Vec<String> = enumerators
            .iter()
            .map(|e| match &e.value {
                Some(value) => format!("{}={}", self.name(e.name.name), self.expr(value)),
                None => self.name(e.name.name).to_string(),
            })
            .collect();
        format!("(enum{tag} {{ {} }})", list.join(" "))
    }

    /// `a[3]*` is an array of three pointers.
    fn declarator(&self, declarator: &Declarator) -> String {
        let mut out = declarator.name.map_or("_", |n| self.name(n.name)).to_string();
        for part in &declarator.chain {
            match part {
                DeclPart::Pointer { quals: q } => {
                    out += "*";
                    out += &quals(*q).collect::<Vec<_>>().join(" ");
                }
                DeclPart::Array { quals: q, size, .. } => {
                    let q: String = quals(*q).map(|q| format!("{q} ")).collect();
                    out += &match size {
                        ArraySize::Unknown => format!("[{q}]"),
                        ArraySize::Star => format!("[{q}*]"),
                        ArraySize::Expr(expr) => format!("[{q}{}]", self.expr(expr)),
                    };
                }
                DeclPart::Function(part) => out += &format!("({})", self.params(&part.params)),
            }
        }
        for attribute in self.attributes(&declarator.attributes) {
            out += &format!(" {attribute}");
        }
        out
    }

    fn params(&self, params: &Params) -> String {
        match params {
            Params::Names(names) => {
                names.iter().map(|n| format!("?{}", self.name(n.name))).collect::<Vec<_>>().join(", ")
            }
            Params::Prototype { params, variadic } => {
                let mut list: Vec<String> = params
                    .iter()
                    .map(|p| format!("{} {}", self.specs(&p.specs), self.declarator(&p.declarator)))
                    .collect();
                if params.is_empty() {
                    list.push("void".to_string());
                }
                if *variadic {
                    list.push("...".to_string());
                }
                list.join(", ")
            }
        }
    }

    fn type_name(&self, ty: &TypeName) -> String {
        let declarator = self.declarator(&ty.declarator);
        format!("{}{}", self.specs(&ty.specs), declarator.strip_prefix('_').unwrap_or(&declarator))
    }

    fn init(&self, init: &Initializer) -> String {
        match init {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(list) => self.init_list(list),
        }
    }

    fn init_list(&self, list: &InitList) -> String {
        let items: Vec<String> = list
            .items
            .iter()
            .map(|item| {
                let path = self.designators(&item.designators);
                if path.is_empty() {
                    self.init(&item.value)
                } else {
                    format!("{path}={}", self.init(&item.value))
                }
            })
            .collect();
        format!("{{{}}}", items.join(" "))
    }

    fn designators(&self, path: &[Designator]) -> String {
        path.iter()
            .map(|d| match d {
                Designator::Field(name) => format!(".{}", self.name(name.name)),
                Designator::Index(index) => format!("[{}]", self.expr(index)),
                Designator::Range(lo, hi) => format!("[{}...{}]", self.expr(lo), self.expr(hi)),
            })
            .collect()
    }

    fn block(&self, block: &Block) -> String {
        let items: Vec<String> = block
            .items
            .iter()
            .map(|item| match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration),
                BlockItem::StaticAssert(assert) => self.static_assert(assert),
                BlockItem::Statement(stmt) => self.stmt(stmt),
                BlockItem::NestedFunction(function) => self.function(function),
                BlockItem::LocalLabels(labels) => {
                    let labels: Vec<&str> = labels.iter().map(|l| self.name(l.name)).collect();
                    format!("(labels {})", labels.join(" "))
                }
            })
            .collect();
        format!("{{{}}}", items.join(" "))
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        let maybe = |e: &Option<Expr>| e.as_ref().map_or("_".to_string(), |e| self.expr(e));
        match &stmt.kind {
            StmtKind::Empty => "()".to_string(),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                let rest = otherwise.as_ref().map(|o| format!(" {}", self.stmt(o))).unwrap_or_default();
                format!("(if {} {}{rest})", self.expr(cond), self.stmt(then))
            }
            StmtKind::While { cond, body } => format!("(while {} {})", self.expr(cond), self.stmt(body)),
            StmtKind::DoWhile { body, cond } => format!("(do {} {})", self.stmt(body), self.expr(cond)),
            StmtKind::For { init, cond, step, body } => {
                let init = match init {
                    ForInit::None => "_".to_string(),
                    ForInit::Expr(expr) => self.expr(expr),
                    ForInit::Declaration(declaration) => self.declaration(declaration),
                };
                format!("(for {init} {} {} {})", maybe(cond), maybe(step), self.stmt(body))
            }
            StmtKind::Switch { value, body } => format!("(switch {} {})", self.expr(value), self.stmt(body)),
            StmtKind::Case { lo, hi, body } => {
                let hi = hi.as_ref().map(|hi| format!("...{}", self.expr(hi))).unwrap_or_default();
                format!("(case {}{hi} {})", self.expr(lo), self.stmt(body))
            }
            StmtKind::Default(body) => format!("(default {})", self.stmt(body)),
            StmtKind::Label { name, body } => format!("({}: {})", self.name(name.name), self.stmt(body)),
            StmtKind::Goto(label) => format!("(goto {})", self.name(label.name)),
            StmtKind::GotoComputed(target) => format!("(goto* {})", self.expr(target)),
            StmtKind::Break => "(break)".to_string(),
            StmtKind::Continue => "(continue)".to_string(),
            StmtKind::Return(value) => format!("(return {})", maybe(value)),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::Error => "(error)".to_string(),
        }
    }

    fn asm(&self, asm: &AsmStmt) -> String {
        let text = |bytes: &Vec<u8>| format!("{:?}", String::from_utf8_lossy(bytes));
        let operands = |list: &[AsmOperand]| -> String {
            list.iter().map(|o| format!(" {}({})", text(&o.constraint), self.expr(&o.expr))).collect()
        };
        let mut out = format!(
            "(asm{}{}",
            if asm.volatile { " volatile" } else { "" },
            if asm.goto { " goto" } else { "" }
        );
        out += &format!(" {} out{} in{}", text(&asm.template), operands(&asm.outputs), operands(&asm.inputs));
        out +=
            &format!(" clobber{}", asm.clobbers.iter().map(|c| format!(" {}", text(c))).collect::<String>());
        let labels: String = asm.labels.iter().map(|l| format!(" {}", self.name(l.name))).collect();
        out + &labels + ")"
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Ident(name) => self.name(*name).to_string(),
            ExprKind::Int { value, decimal, suffix } => {
                let unsigned = if suffix.unsigned { "u" } else { "" };
                let imaginary = if suffix.imaginary { "i" } else { "" };
                let base = if *decimal { "" } else { "#" };
                format!("{base}{value}{unsigned}{}{imaginary}", "l".repeat(suffix.longs.into()))
            }
            ExprKind::Float { text, suffix, imaginary } => {
                let suffix = if *suffix == FloatSuffix::None { String::new() } else { format!("{suffix:?}") };
                format!("{text}{suffix}{}", if *imaginary { "i" } else { "" })
            }
            ExprKind::Char { value, kind } => format!("'{value}'{}", kind_mark(*kind)),
            ExprKind::String { units, kind } => {
                let text: String = units.iter().map(|&u| char::from_u32(u).unwrap_or('?')).collect();
                format!("{text:?}{}", kind_mark(*kind))
            }
            ExprKind::Unary(op, operand) => format!("({op:?} {})", self.expr(operand)),
            ExprKind::Binary(op, left, right) => format!("({op:?} {} {})", self.expr(left), self.expr(right)),
            ExprKind::Assign(op, left, right) => {
                let op = op.map(|op| format!("{op:?}")).unwrap_or_default();
                format!("({op}= {} {})", self.expr(left), self.expr(right))
            }
            ExprKind::Cond { cond, then, otherwise } => {
                let then = then.as_ref().map_or("_".to_string(), |t| self.expr(t));
                format!("(? {} {then} {})", self.expr(cond), self.expr(otherwise))
            }
            ExprKind::Comma(left, right) => format!("(, {} {})", self.expr(left), self.expr(right)),
            ExprKind::Cast(ty, operand) => format!("(cast {} {})", self.type_name(ty), self.expr(operand)),
            ExprKind::CompoundLiteral(ty, list) => {
                format!("(literal {} {})", self.type_name(ty), self.init_list(list))
            }
            ExprKind::Call { callee, args } => {
                let args: String = args.iter().map(|a| format!(" {}", self.expr(a))).collect();
                format!("(call {}{args})", self.expr(callee))
            }
            ExprKind::Index(base, index) => format!("(index {} {})", self.expr(base), self.expr(index)),
            ExprKind::Member { base, field, arrow } => {
                let op = if *arrow { "->" } else { "." };
                format!("({op} {} {})", self.expr(base), self.name(field.name))
            }
            ExprKind::SizeofExpr(operand) => format!("(sizeof {})", self.expr(operand)),
            ExprKind::SizeofType(ty) => format!("(sizeof type {})", self.type_name(ty)),
            ExprKind::AlignofExpr(operand) => format!("(alignof {})", self.expr(operand)),
            ExprKind::AlignofType(ty) => format!("(alignof type {})", self.type_name(ty)),
            ExprKind::StmtExpr(block) => format!("(stmt {})", self.block(block)),
            ExprKind::Generic { control, arms } => {
                let arms: String = arms
                    .iter()
                    .map(|arm| {
                        let ty = arm.ty.as_ref().map_or("default".to_string(), |t| self.type_name(t));
                        format!(" {ty}:{}", self.expr(&arm.value))
                    })
                    .collect();
                format!("(generic {}{arms})", self.expr(control))
            }
            ExprKind::VaArg(list, ty) => format!("(va_arg {} {})", self.expr(list), self.type_name(ty)),
            ExprKind::Offsetof(ty, path) => {
                format!("(offsetof {} {})", self.type_name(ty), self.designators(path))
            }
            ExprKind::TypesCompatible(left, right) => {
                format!("(compatible {} {})", self.type_name(left), self.type_name(right))
            }
            ExprKind::ChooseExpr(cond, then, otherwise) => {
                format!("(choose {} {} {})", self.expr(cond), self.expr(then), self.expr(otherwise))
            }
            ExprKind::LabelAddr(label) => format!("(&& {})", self.name(label.name)),
            ExprKind::Error => "error".to_string(),
        }
    }
}

fn kind_mark(kind: CharKind) -> &'static str {
    match kind {
        CharKind::Plain => "",
        CharKind::Wide => "L",
        CharKind::Utf8 => "u8",
        CharKind::Utf16 => "u",
        CharKind::Utf32 => "U",
    }
}

fn quals(quals: Quals) -> impl Iterator<Item = &'static str> {
    let flags = [
        (quals.is_const, "const"),
        (quals.is_volatile, "volatile"),
        (quals.is_restrict, "restrict"),
        (quals.is_atomic, "atomic"),
    ];
    flags.into_iter().filter(|f| f.0).map(|f| f.1)
}
