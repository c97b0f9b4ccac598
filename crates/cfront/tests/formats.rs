//! Text that models put together against the text that the interpreter prints, which was compared with
//! glibc's; and numbers that models read against Rust's.

use base::Budget;
use cfront::{Environment, Options, compile_text, with_stack};
use interp::{Interp, Outcome, ZeroInputs};

/// What the program prints, if all of what it does is known.
fn printed(text: &str, environment: Environment) -> String {
    let options = Options { environment, ..Options::default() };
    let output = with_stack(|| compile_text("t.i", text, &options)).expect("no panic");
    let program = output.program.unwrap_or_else(|| panic!("{:?}\n{text}", output.diagnostics));
    ir::verify(&program).expect("verifies");
    let again = ir::parse(&ir::print(&program)).expect("parses");
    assert_eq!(again, program);
    let mut interp = Interp::new(&program, interp::Options::main(&program).expect("main")).expect("small");
    let run = interp.run(&mut ZeroInputs, &Budget::steps(1_000_000));
    assert_eq!(run.outcome, Outcome::Returned(Some(0)), "{text}");
    assert!(run.inputs.is_empty() || environment == Environment::Inputs, "{text}\n{:?}", run.inputs);
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// In buffers of all sizes, and in a new block.
fn check(format: &str, arguments: &str) {
    let mut body = String::new();
    for room in [0, 1, 2, 3, 5, 8, 40] {
        body += &format!(
            "for (i = 0; i < 64; i++) b[i] = '#';\n r = snprintf(b, {room}, \"{format}\"{arguments});\n \
             b[63] = 0; printf(\"%d <%s> %s\\n\", r, {room} ? b : \"\", b + {room});\n"
        );
    }
    body += &format!("r = sprintf(b, \"{format}\"{arguments}); printf(\"%d <%s>\\n\", r, b);\n");
    let text = format!(
        "int printf(const char *, ...); int sprintf(char *, const char *, ...);\n\
         int snprintf(char *, unsigned long, const char *, ...);\n\
         int main(void) {{ char b[64]; int i, r;\n{body} return 0; }}\n"
    );
    assert_eq!(printed(&text, Environment::All), printed(&text, Environment::Inputs), "{format} {arguments}");
}

#[test]
fn text_is_exact() {
    let numbers = ["0", "7", "-1", "10", "99", "100", "-12345", "2147483647", "-2147483647-1"];
    for format in
        ["%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-8.3d|", "%.0d", "%hhd", "%hd"]
    {
        numbers.iter().for_each(|n| check(format, &format!(", {n}")));
    }
    for format in ["%u", "%x", "%X", "%#x", "%#o", "%o", "%08x", "%#10x", "%-#10x|", "%.5x", "%#.0o"] {
        numbers.iter().for_each(|n| check(format, &format!(", {n}")));
    }
    for format in ["%ld", "%lu", "%lx", "%lld", "%zu", "%20ld", "%jd"] {
        for n in ["0L", "-1L", "9223372036854775807L", "1000000000000L", "-9223372036854775807L-1"] {
            check(format, &format!(", {n}"));
        }
    }
    for format in ["%s", "%5s", "%-5s|", "%.2s", "%5.1s", "%.0s", "a%%b%s"] {
        check(format, ", \"\"");
        check(format, ", \"xyz\"");
    }
    check("%c%c", ", 'a', 65");
    check("%3c%-3c|", ", 'a', 'b'");
    check("%*d|%-*d|%.*d", ", 5, 1, -4, 2, 3, 3");
    check("%*d", ", -5, 1");
    check("%.*s", ", -1, \"ab\"");
    check("%p", ", (void *)0");
    check("no conversion", "");
    check("", "");
}

#[test]
fn counts_are_exact() {
    let check = |call: &str, expected: &str| {
        let text = format!(
            "int printf(const char *, ...); int sprintf(char *, const char *, ...); int asprintf(char **, const char *, ...);\n\
             int main(void) {{ int n = -1; long m = -1; char b[40]; char *p; {call};\n\
             printf(\"%d %ld\\n\", n, m); return 0; }}\n"
        );
        assert_eq!(printed(&text, Environment::All), expected, "{call}");
    };
    check("printf(\"abc%n\", &n)", "abc3 -1\n");
    check("printf(\"%d%n%s%ln\", 42, &n, \"xy\", &m)", "42xy2 4\n");
    check("sprintf(b, \"%5d%n\", 42, &n); printf(\"%s|\", b)", "   42|5 -1\n");
    check("n = asprintf(&p, \"<%d>%ln\", 1, &m); printf(\"%s|\", p)", "<1>|3 3\n");
}

#[test]
fn numbers_are_read_to_their_end() {
    let texts = [
        "0",
        "1",
        "-1",
        "+2.5",
        ".5",
        "5.",
        "1e3",
        "1e",
        "1e+",
        "1.25e-2x",
        "0x",
        "12345678901234",
        "3.14159",
        "-0",
        " \\t 7",
        "1..2",
        "1e5e5",
        "00012",
        "-.",
        "",
        "abc",
        "e5",
        "+-1",
    ];
    for text in texts {
        let program = format!(
            "int printf(const char *, ...); double strtod(const char *, char **); float strtof(const char *, char **);\n\
             int main(void) {{ const char *s = \"{text}\"; char *e, *f; double d = strtod(s, &e); float g = strtof(s, &f);\n\
             printf(\"%lx %x %d %d\", *(unsigned long *)&d, *(unsigned *)&g, (int)(e - s), (int)(f - s)); return 0; }}\n"
        );
        let real = text.replace("\\t", "\t");
        let (value, length) = longest_number(&real);
        let single = real[..length].trim_start().trim_start_matches('+').parse::<f32>().unwrap_or(0.0);
        // The digits that `strtof` is exact for are fewer.
        let single = if text.len() > 8 { None } else { Some(single.to_bits()) };
        let found = printed(&program, Environment::Inputs);
        let parts: Vec<&str> = found.split(' ').collect();
        assert_eq!(parts[0], format!("{:x}", value.to_bits()), "{text}");
        if let Some(single) = single {
            assert_eq!(parts[1], format!("{single:x}"), "{text}");
        }
        assert_eq!((parts[2], parts[3]), (&*length.to_string(), &*length.to_string()), "{text}");
    }
}

/// The longest prefix that Rust reads as a number, after spaces and without words.
fn longest_number(text: &str) -> (f64, usize) {
    let start = text.len() - text.trim_start().len();
    let fits = |end: &usize| {
        let part = &text[start..*end];
        part.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) && part.parse::<f64>().is_ok()
    };
    match (start + 1..=text.len()).rev().find(fits) {
        Some(end) => (text[start..end].parse().unwrap_or(0.0), end),
        None => (0.0, 0),
    }
}
