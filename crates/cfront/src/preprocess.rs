//! Reading sources: `.i` as it is, everything else through the system's preprocessor.
//!
//! The file is read by us first in any case, so that what is wrong with it gets our own message. What the
//! preprocessor complains about is turned into diagnostics at the places it names.
//!
//! For `ilp32` we want the view of a 32-bit compiler. `cc -m32` gives that, but many systems have no 32-bit
//! headers; then the 64-bit ones serve (they choose by predefined macros), and where even `-m32` is refused,
//! the macros are set by hand.

use crate::bytes;
use base::{Diagnostic, SourceId, SourceMap, Span};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Larger files are refused: positions are 32 bits wide, and the tokens of such a file would not fit in
/// memory.
pub const MAX_FILE: u64 = 1 << 30;

#[derive(Debug, Clone)]
pub struct PreprocessOptions {
    /// The C compiler, possibly with arguments of its own: `gcc -std=c99`.
    pub cc: String,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<Macro>,
    /// Any other flags, as the compiler reads them. They come before the fields above, which so have the last
    /// word.
    pub flags: Vec<String>,
    /// 32-bit `int`, `long` and pointers.
    pub ilp32: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Macro {
    /// `NAME` or `NAME=VALUE`.
    Define(String),
    Undefine(String),
}

/// A file, with the compiler's flags for it alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
    pub flags: Vec<String>,
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Input { path, flags: Vec::new() }
    }
}

impl Default for PreprocessOptions {
    fn default() -> Self {
        PreprocessOptions {
            cc: "cc".into(),
            include_dirs: Vec::new(),
            macros: Vec::new(),
            flags: Vec::new(),
            ilp32: false,
        }
    }
}

/// Reads (and preprocesses) one file into `sources`.
pub fn load(
    path: &Path,
    options: &PreprocessOptions,
    sources: &mut SourceMap,
) -> Result<SourceId, Vec<Diagnostic>> {
    let bytes = read(path).map_err(|message| vec![Diagnostic::error(Span::NONE, message)])?;
    let text = if path.extension().is_some_and(|e| e == "i") {
        bytes::decode(bytes)
    } else {
        bytes::decode(preprocess(path, options, sources)?)
    };
    sources.add(path, text).map_err(|_| {
        vec![Diagnostic::error(Span::NONE, format!("{}: too much source text in one run", path.display()))]
    })
}

/// The content of a file that can be C source.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.display();
    let cannot = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{name}: no such file"),
        std::io::ErrorKind::PermissionDenied => format!("{name}: permission denied"),
        _ => format!("{name}: cannot read: {error}"),
    };
    let info = std::fs::metadata(path).map_err(cannot)?;
    if info.is_dir() {
        return Err(format!("{name}: is a directory, not a C source file"));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(cannot)?;
    // The limit also holds for pipes and growing files, whose size nobody knows.
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("{name}: larger than {} MiB", MAX_FILE >> 20));
    }
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(format!("{name}: not a text file (zero byte at offset {at})"));
    }
    Ok(bytes)
}

fn preprocess(
    path: &Path,
    options: &PreprocessOptions,
    sources: &mut SourceMap,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let plain = |message: String| vec![Diagnostic::error(Span::NONE, message)];
    let view = if options.ilp32 { View::find(&options.cc).map_err(plain)? } else { View::Native };
    let mut command = compiler(&options.cc).map_err(plain)?;
    let stubs = view.apply(&mut command).map_err(plain)?;
    command.args(["-E", "-x", "c"]).args(&options.flags);
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    for change in &options.macros {
        match change {
            Macro::Define(text) => command.arg(format!("-D{text}")),
            Macro::Undefine(name) => command.arg(format!("-U{name}")),
        };
    }
    // A relative name that begins with a dash must not look like an option.
    let file = if path.is_absolute() { path.to_path_buf() } else { Path::new(".").join(path) };
    command.arg(if path.as_os_str().as_encoded_bytes().starts_with(b"-") { &file } else { path });
    let output = run(&mut command, b"", &options.cc).map_err(plain)?;
    drop(stubs);
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let mut found: Vec<Diagnostic> =
        text.lines().filter_map(|line| parse_complaint(line)?.into_diagnostic(sources)).collect();
    if found.is_empty() {
        let reason = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("no message");
        found = plain(format!("{}: preprocessing failed: {reason}", path.display()));
    }
    Err(found)
}

/// The command for `cc`, which may hold arguments.
fn compiler(cc: &str) -> Result<Command, String> {
    let mut words = cc.split_whitespace();
    let program = words.next().ok_or("the name of the C compiler is empty")?;
    let mut command = Command::new(program);
    // Messages are parsed, so they must not be translated or coloured.
    command.args(words).env("LC_ALL", "C").env("GCC_COLORS", "");
    Ok(command)
}

fn run(command: &mut Command, input: &[u8], cc: &str) -> Result<Output, String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("C compiler '{cc}' not found; name one with --cc, or pass '.i' files")
        }
        _ => format!("cannot run the C compiler '{cc}': {error}"),
    };
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let child = Arc::new(Mutex::new(child));
    running().push(child.clone());
    let output = listen(pipes, input);
    // It has closed its pipes: it ends now, if it has not ended yet.
    let status = child.lock().unwrap_or_else(PoisonError::into_inner).wait().map_err(failed);
    running().retain(|other| !Arc::ptr_eq(other, &child));
    let (stdout, stderr) = output.map_err(failed)?;
    Ok(Output { status: status?, stdout, stderr })
}

type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

/// All that a compiler says about this input.
fn listen((stdin, stdout, stderr): Pipes, input: &[u8]) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    if let Some(mut stdin) = stdin {
        // A compiler that does not read its input has closed the pipe; its own message says why.
        let _ = stdin.write_all(input);
    }
    let (mut text, mut complaints) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let other = scope.spawn(|| stderr.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut complaints)));
        let read = stdout.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut text));
        let other = other.join().unwrap_or(Ok(0));
        read.and(other)
    })?;
    Ok((text, complaints))
}

/// The compilers that run now.
fn running() -> MutexGuard<'static, Vec<Arc<Mutex<Child>>>> {
    static RUNNING: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all compilers that run: who started them is about to end, and nobody wants their output.
pub fn stop_preprocessing() {
    for child in running().iter() {
        // Whoever holds it waits for one that has ended.
        if let Ok(mut child) = child.try_lock() {
            let _ = child.kill();
        }
    }
}

/// How to make the compiler show its 32-bit face.
#[derive(Debug, Clone, PartialEq, Eq)]
enum View {
    Native,
    /// `-m32` with headers of its own.
    M32,
    /// `-m32` with the headers of the 64-bit system, in this directory.
    M32With64BitHeaders(PathBuf),
    /// The macros of i386 set by hand.
    Macros,
}

impl View {
    /// What works with this compiler. Tried once for all files of a run.
    fn find(cc: &str) -> Result<View, String> {
        static KNOWN: Mutex<Vec<(String, View)>> = Mutex::new(Vec::new());
        let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, view)) = lock().iter().find(|(known, _)| known == cc) {
            return Ok(view.clone());
        }
        let view = View::try_all(cc)?;
        lock().push((cc.to_string(), view.clone()));
        Ok(view)
    }

    fn try_all(cc: &str) -> Result<View, String> {
        let works = |view: &View| -> Result<bool, String> {
            let mut command = compiler(cc)?;
            let stubs = view.apply(&mut command)?;
            command.args(["-E", "-x", "c", "-"]);
            let probe = b"#include <stdlib.h>\n#include <stdio.h>\n#include <limits.h>\n";
            let output = run(&mut command, probe, cc)?;
            drop(stubs);
            Ok(output.status.success())
        };
        if works(&View::M32)? {
            return Ok(View::M32);
        }
        let mut command = compiler(cc)?;
        let output = run(command.arg("-print-multiarch"), b"", cc)?;
        let arch = String::from_utf8_lossy(&output.stdout).trim().to_string();
        if !arch.is_empty() {
            let view = View::M32With64BitHeaders(Path::new("/usr/include").join(arch));
            if works(&view)? {
                return Ok(view);
            }
        }
        Ok(View::Macros)
    }

    /// Adds the options. The directory must live until the compiler has run.
    fn apply(&self, command: &mut Command) -> Result<Option<Stubs>, String> {
        match self {
            View::Native => Ok(None),
            View::M32 => {
                command.arg("-m32");
                Ok(None)
            }
            View::M32With64BitHeaders(dir) => {
                let stubs = Stubs::new().map_err(|e| format!("cannot create a temporary directory: {e}"))?;
                command.arg("-m32").arg("-idirafter").arg(dir).arg("-idirafter").arg(stubs.dir.path());
                Ok(Some(stubs))
            }
            View::Macros => {
                let stubs = Stubs::new().map_err(|e| format!("cannot create a temporary directory: {e}"))?;
                command.arg("-idirafter").arg(stubs.dir.path());
                for name in UNDEFINED_32 {
                    command.arg(format!("-U{name}"));
                }
                for (name, value) in DEFINED_32 {
                    command.arg(format!("-U{name}")).arg(format!("-D{name}={value}"));
                }
                Ok(Some(stubs))
            }
        }
    }
}

/// glibc's headers include a list of missing functions per word size, and only the native one is installed.
struct Stubs {
    dir: tempfile::TempDir,
}

impl Stubs {
    fn new() -> std::io::Result<Stubs> {
        let dir = tempfile::tempdir()?;
        std::fs::create_dir(dir.path().join("gnu"))?;
        std::fs::write(dir.path().join("gnu/stubs-32.h"), "")?;
        Ok(Stubs { dir })
    }
}

const UNDEFINED_32: &[&str] = &[
    "__x86_64__",
    "__x86_64",
    "__amd64__",
    "__amd64",
    "__aarch64__",
    "__LP64__",
    "_LP64",
    "__SIZEOF_INT128__",
];

const DEFINED_32: &[(&str, &str)] = &[
    ("__i386__", "1"),
    ("__i386", "1"),
    ("i386", "1"),
    ("__ILP32__", "1"),
    ("_ILP32", "1"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_POINTER__", "4"),
    ("__SIZEOF_SIZE_T__", "4"),
    ("__SIZEOF_PTRDIFF_T__", "4"),
    ("__SIZEOF_LONG_DOUBLE__", "12"),
    ("__LONG_MAX__", "0x7fffffffL"),
    ("__LONG_WIDTH__", "32"),
    ("__SIZE_TYPE__", "unsigned int"),
    ("__SIZE_MAX__", "0xffffffffU"),
    ("__SIZE_WIDTH__", "32"),
    ("__PTRDIFF_TYPE__", "int"),
    ("__PTRDIFF_MAX__", "0x7fffffff"),
    ("__PTRDIFF_WIDTH__", "32"),
    ("__INTPTR_TYPE__", "int"),
    ("__INTPTR_MAX__", "0x7fffffff"),
    ("__INTPTR_WIDTH__", "32"),
    ("__UINTPTR_TYPE__", "unsigned int"),
    ("__UINTPTR_MAX__", "0xffffffffU"),
    ("__WCHAR_TYPE__", "long int"),
    ("__WCHAR_MAX__", "0x7fffffffL"),
    ("__WCHAR_MIN__", "(-__WCHAR_MAX__ - 1)"),
    ("__INT64_TYPE__", "long long int"),
    ("__INT64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT64_C(c)", "c ## LL"),
    ("__UINT64_TYPE__", "long long unsigned int"),
    ("__UINT64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT64_C(c)", "c ## ULL"),
    ("__INTMAX_TYPE__", "long long int"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffLL"),
    ("__INTMAX_C(c)", "c ## LL"),
    ("__UINTMAX_TYPE__", "long long unsigned int"),
    ("__UINTMAX_MAX__", "0xffffffffffffffffULL"),
    ("__UINTMAX_C(c)", "c ## ULL"),
    ("__INT_LEAST64_TYPE__", "long long int"),
    ("__UINT_LEAST64_TYPE__", "long long unsigned int"),
    ("__INT_FAST16_TYPE__", "int"),
    ("__INT_FAST32_TYPE__", "int"),
    ("__INT_FAST64_TYPE__", "long long int"),
    ("__UINT_FAST16_TYPE__", "unsigned int"),
    ("__UINT_FAST32_TYPE__", "unsigned int"),
    ("__UINT_FAST64_TYPE__", "long long unsigned int"),
    ("__INT_FAST16_MAX__", "0x7fffffff"),
    ("__INT_FAST32_MAX__", "0x7fffffff"),
    ("__UINT_FAST16_MAX__", "0xffffffffU"),
    ("__UINT_FAST32_MAX__", "0xffffffffU"),
    ("__INT_FAST16_WIDTH__", "32"),
    ("__INT_FAST32_WIDTH__", "32"),
];

/// One line of the compiler's messages: `file:line:column: error: text`.
#[derive(Debug, PartialEq, Eq)]
struct Complaint<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    message: &'a str,
}

fn parse_complaint(line: &str) -> Option<Complaint<'_>> {
    let (at, mark) = ["fatal error: ", "error: "].iter().find_map(|&m| Some((line.find(m)?, m)))?;
    let message = &line[at + mark.len()..];
    let place = line[..at].trim_end().strip_suffix(':')?;
    let (rest, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    Some(match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Complaint { file, line, column: last, message },
        None => Complaint { file: rest, line: last, column: 1, message },
    })
}

impl Complaint<'_> {
    /// An error at that place. The file is added to `sources` for it, so that its line can be shown.
    fn into_diagnostic(self, sources: &mut SourceMap) -> Option<Diagnostic> {
        let path = Path::new(self.file);
        let known = sources.ids().find(|&id| sources.file(id).path == path);
        let id = match known {
            Some(id) => Some(id),
            None => read(path).ok().and_then(|bytes| sources.add(path, bytes::decode(bytes)).ok()),
        };
        let Some(id) = id else {
            let message = format!("{}:{}:{}: {}", self.file, self.line, self.column, self.message);
            return Some(Diagnostic::error(Span::NONE, message));
        };
        let file = sources.file(id);
        let lines = file.text.split_inclusive('\n');
        let before: usize = lines.clone().take(self.line.saturating_sub(1) as usize).map(str::len).sum();
        let line =
            lines.skip(self.line.saturating_sub(1) as usize).map(|l| l.trim_end()).next().unwrap_or("");
        let mut column = (self.column.saturating_sub(1) as usize).min(line.len());
        while !line.is_char_boundary(column) {
            column -= 1;
        }
        let lo = file.start + (before + column) as u32;
        Some(Diagnostic::error(Span::new(lo, lo), self.message))
    }
}

#[cfg(test)]
mod tests;
