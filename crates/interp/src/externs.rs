//! Functions without a body: the C library's output functions do what they do, others return an input.

use crate::code::CallSite;
use crate::eval;
use crate::format::{Arguments, Printer, Sink};
use crate::inputs::InputKind;
use crate::io::{At, Io, Stream};
use crate::memory::Memory;
use crate::outcome::{ExternCall, Outcome};
use crate::rare::arguments;
use ir::{Body, CallGraph, FuncId, Function, Program, Type};
use std::collections::BTreeSet;

/// Calls `id`; its result's bits, if it has one that is wanted.
pub fn call(
    io: &mut Io,
    memory: &mut Memory,
    at: At,
    id: FuncId,
    site: &CallSite,
    regs: &[u64],
) -> Result<Option<u128>, Outcome> {
    let function = io.program.function(id);
    let args = arguments(site, regs);
    if let Some(bits) = io.inputs.calling(id, &args) {
        return Ok(function.ret.map(|ty| bits & eval::type_mask(&io.program.target, ty)));
    }
    let modelled =
        if io.options.model_output && is_library(function) { model(&function.name, &args) } else { None };
    let result = match modelled {
        Some(model) => {
            let value = perform(io, memory, at, model, &args)?;
            function.ret.map(|ty| eval::cast(&io.program.target, Type::I64, ty, u128::from(value as u64)))
        }
        None => {
            if io.assumed_set.insert(id) {
                io.assumed.push(id);
            }
            match (site.dst, function.ret) {
                (Some(_), Some(ty)) => Some(io.ask(memory, Some(at), ty, InputKind::ExternReturn(id))?),
                _ => None,
            }
        }
    };
    if io.options.record_calls {
        let size = size_of::<ExternCall>() + args.len() * size_of::<u128>();
        if !memory.charge(size as u64) {
            return Err(Outcome::OutOfMemory);
        }
        let args = args.iter().map(|(_, bits)| *bits).collect();
        if let Some(edge) = at.step(io.program) {
            io.calls.push(ExternCall { function: id, edge, args, result });
        }
    }
    Ok(result)
}

/// Does the interpreter know what this function without a body does?
pub fn is_modelled(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    let args: Vec<(Type, u128)> = function.param_types().map(|ty| (ty, 0)).collect();
    function.cfa().is_none() && is_library(function) && model(&function.name, &args).is_some()
}

/// Functions that write whatever they can reach only share a name with the library's.
fn is_library(function: &Function) -> bool {
    !function.havocs
}

/// The functions without a body that runs from `entry` may call and nothing is known of, in order.
pub fn unmodelled(program: &Program, entry: FuncId) -> Vec<FuncId> {
    let graph = CallGraph::of(program);
    let called: BTreeSet<FuncId> =
        graph.reachable(&[entry]).into_iter().flat_map(|f| graph.callees(f).to_vec()).collect();
    let unknown = |f: &FuncId| matches!(program.function(*f).body, Body::Extern) && !is_modelled(program, *f);
    called.into_iter().filter(unknown).collect()
}

/// Which arguments of an output function are what.
#[derive(Clone, Copy)]
enum Model {
    /// Of the `printf` family: the rest of the arguments, or (`va`) a list of them, follows the format.
    Format { to: Destination, format: usize, va: bool },
    /// `puts`, `fputs`: a string, and whether a newline follows.
    String { stream: Option<usize>, newline: bool },
    /// `putchar`, `fputc`.
    Char { stream: Option<usize> },
    /// `fwrite`.
    Block,
}

#[derive(Clone, Copy)]
enum Destination {
    Stdout,
    Stream(usize),
    /// A buffer, and the argument that limits what is written, if there is one.
    Buffer(usize, Option<usize>),
}

/// The model for a function of this name, if the arguments are of the types it expects.
fn model(name: &str, args: &[(Type, u128)]) -> Option<Model> {
    use Destination::{Buffer, Stdout, Stream};
    let plain = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk"));
    let checked = plain.is_some();
    let base = plain.unwrap_or(name);
    let (va, base) = match base.strip_prefix('v') {
        Some(rest) => (true, rest),
        None => (false, base),
    };
    let model = match (base, checked) {
        ("printf", false) => Model::Format { to: Stdout, format: 0, va },
        ("printf", true) => Model::Format { to: Stdout, format: 1, va },
        ("fprintf", false) => Model::Format { to: Stream(0), format: 1, va },
        ("fprintf", true) => Model::Format { to: Stream(0), format: 2, va },
        ("sprintf", false) => Model::Format { to: Buffer(0, None), format: 1, va },
        ("sprintf", true) => Model::Format { to: Buffer(0, None), format: 3, va },
        ("snprintf", false) => Model::Format { to: Buffer(0, Some(1)), format: 2, va },
        ("snprintf", true) => Model::Format { to: Buffer(0, Some(1)), format: 4, va },
        _ if va || checked => return None,
        ("puts", _) => Model::String { stream: None, newline: true },
        ("fputs" | "fputs_unlocked", _) => Model::String { stream: Some(1), newline: false },
        ("putchar" | "putchar_unlocked", _) => Model::Char { stream: None },
        ("putc" | "fputc" | "putc_unlocked" | "fputc_unlocked", _) => Model::Char { stream: Some(1) },
        ("fwrite" | "fwrite_unlocked", _) => Model::Block,
        _ => return None,
    };
    let pointer = |i: usize| args.get(i).is_some_and(|(ty, _)| *ty == Type::Ptr);
    let int = |i: usize| args.get(i).is_some_and(|(ty, _)| ty.is_int());
    let fits = match model {
        Model::Format { to, format, va } => {
            let (first, limit) = match to {
                Stdout => (None, None),
                Stream(i) => (Some(i), None),
                Buffer(i, limit) => (Some(i), limit),
            };
            pointer(format)
                && first.is_none_or(pointer)
                && limit.is_none_or(int)
                && (!va || args.get(format + 1).is_some_and(|(ty, _)| matches!(ty, Type::Ptr | Type::Int(_))))
        }
        Model::String { stream, .. } => pointer(0) && stream.is_none_or(pointer),
        Model::Char { stream } => int(0) && stream.is_none_or(pointer),
        Model::Block => pointer(0) && int(1) && int(2) && pointer(3),
    };
    fits.then_some(model)
}

fn perform(
    io: &mut Io,
    memory: &mut Memory,
    at: At,
    model: Model,
    args: &[(Type, u128)],
) -> Result<i64, Outcome> {
    let arg = |i: usize| args.get(i).map_or(0, |(_, bits)| *bits as u64);
    let stream = |io: &Io, i: Option<usize>| i.map_or(Stream::Out, |i| io.stream(arg(i)));
    match model {
        Model::Format { to, format, va } => print(io, memory, at, to, format, va, args),
        Model::String { stream: s, newline } => {
            let to = stream(io, s);
            let limit = io.room(to);
            let mut printer =
                Printer { io, memory, at, arguments: Arguments::Slots(0), sink: Sink::new(limit) };
            let text = printer.string(arg(0), u64::MAX)?;
            printer.sink.push(&text);
            if newline {
                printer.sink.push(b"\n");
            }
            let Sink { kept, total, .. } = printer.sink;
            io.write(memory, to, &kept)?;
            // What glibc returns: the length from puts, 1 from fputs.
            Ok(if newline { i64::try_from(total).unwrap_or(i64::MAX).min(i32::MAX.into()) } else { 1 })
        }
        Model::Char { stream: s } => {
            let byte = arg(0) as u8;
            let to = stream(io, s);
            io.write(memory, to, &[byte])?;
            Ok(i64::from(byte))
        }
        Model::Block => {
            let to = stream(io, Some(3));
            let len = arg(1).saturating_mul(arg(2));
            let mut printer = Printer { io, memory, at, arguments: Arguments::Slots(0), sink: Sink::new(0) };
            let bytes = printer.block(arg(0), len)?;
            io.write(memory, to, &bytes)?;
            Ok(if len == 0 { 0 } else { arg(2) as i64 })
        }
    }
}

fn print(
    io: &mut Io,
    memory: &mut Memory,
    at: At,
    to: Destination,
    format: usize,
    va: bool,
    args: &[(Type, u128)],
) -> Result<i64, Outcome> {
    let program = io.program;
    let arg = |i: usize| args.get(i).map_or(0, |(_, bits)| *bits as u64);
    let arguments = if va {
        // On LP64 a va_list argument is the address of where the address of the next slot is; on ILP32 it is
        // that address itself.
        let list = arg(format + 1);
        Arguments::Slots(if program.target.pointer_bits == 64 {
            io.load(memory, at, list, Type::Ptr)? as u64
        } else {
            list
        })
    } else {
        Arguments::List(args.get(format + 1..).unwrap_or(&[]).to_vec().into_iter())
    };
    let (stream, limit) = match to {
        Destination::Stdout => (Some(Stream::Out), io.room(Stream::Out)),
        Destination::Stream(i) => {
            let stream = io.stream(arg(i));
            (Some(stream), io.room(stream))
        }
        // One byte less than the limit, for the zero at the end.
        Destination::Buffer(i, Some(limit)) => {
            let useful = memory.object_size(arg(i)).saturating_add(1);
            (None, arg(limit).saturating_sub(1).min(useful) as usize)
        }
        // As much as fits and one byte more, so that an overflow is noticed.
        Destination::Buffer(i, None) => (None, memory.object_size(arg(i)).saturating_add(1) as usize),
    };
    let mut printer = Printer { io, memory, at, arguments, sink: Sink::new(limit) };
    printer.format(arg(format))?;
    let Sink { mut kept, total, .. } = printer.sink;
    match (stream, to) {
        (Some(stream), _) => io.write(memory, stream, &kept)?,
        (None, Destination::Buffer(i, limit)) if limit.is_none_or(|l| arg(l) > 0) => {
            kept.push(0);
            memory.write(arg(i), &kept).map_err(|f| at.fault(program, f))?;
        }
        _ => {}
    }
    // Too much for an int is an error, as POSIX says.
    Ok(if total > i32::MAX as u64 { -1 } else { total as i64 })
}
