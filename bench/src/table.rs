//! Tables: aligned Markdown, so that what a person reads on the terminal is what the document shows.

use std::fmt::Write;

pub struct Table {
    pub title: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

impl Table {
    pub fn new(title: impl Into<String>, header: &[&str]) -> Table {
        let header = header.iter().map(|s| s.to_string()).collect();
        Table { title: title.into(), header, rows: Vec::new(), notes: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The first column is text, all others are numbers or short words and go to the right.
    pub fn markdown(&self) -> String {
        let columns = self.header.len();
        let cell = |row: &[String], c: usize| row.get(c).map_or(String::new(), |s| s.replace('|', "\\|"));
        let width = |c: usize| {
            let rows = self.rows.iter().map(|r| cell(r, c).chars().count());
            rows.chain([self.header[c].chars().count(), 3]).max().unwrap_or(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = format!("### {}\n\n", self.title);
        let line = |row: &[String]| {
            let mut text = String::from("|");
            for (c, &w) in widths.iter().enumerate() {
                let value = cell(row, c);
                let _ = if c == 0 { write!(text, " {value:<w$} |") } else { write!(text, " {value:>w$} |") };
            }
            text + "\n"
        };
        out += &line(&self.header);
        out.push('|');
        for (c, &w) in widths.iter().enumerate() {
            out += &if c == 0 { format!("-{}-|", "-".repeat(w)) } else { format!("-{}:|", "-".repeat(w)) };
        }
        out.push('\n');
        for row in &self.rows {
            out += &line(row);
        }
        for note in &self.notes {
            let _ = write!(out, "\n{note}\n");
        }
        out
    }
}

/// `a` of `b` in percent, rounded down so that 100 % means all; `-` of nothing.
pub fn percent(a: usize, b: usize) -> String {
    if b == 0 {
        return "-".into();
    }
    let tenths = (a * 1000 / b) as f64;
    format!("{:.1} %", tenths / 10.0)
}

/// Of an even number of values, the mean of the middle two.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[n / 2]),
        n => Some((sorted[n / 2 - 1] + sorted[n / 2]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let check = |list: &[f64], expected: Option<f64>| assert_eq!(median(list), expected);
        check(&[], None);
        check(&[3.0], Some(3.0));
        check(&[4.0, 1.0, 2.0], Some(2.0));
        check(&[1.0, 5.0, 4.0, 2.0], Some(3.0));
    }

    #[test]
    fn aligned_markdown() {
        let mut table = Table::new("T", &["set", "n"]);
        table.row(vec!["a|b".into(), "12345".into()]);
        table.note("Done.");
        let expected = "### T\n\n| set  |     n |\n|------|------:|\n| a\\|b | 12345 |\n\nDone.\n";
        assert_eq!(table.markdown(), expected);
    }

    #[test]
    fn only_all_is_a_hundred_percent() {
        assert_eq!(percent(1999, 2000), "99.9 %");
        assert_eq!(percent(2000, 2000), "100.0 %");
        assert_eq!(percent(0, 0), "-");
    }
}
