//! Tables for a person: aligned columns, two spaces apart, wrapped to the terminal.
//!
//! Only the last column wraps; the others are names, which are worth more whole than neat.

use unicode_width::UnicodeWidthStr;

pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

const GAP: usize = 2;
/// A last column narrower than this is not wrapped: the terminal wraps it as well as we could.
const NARROWEST: usize = 20;

impl Table {
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Table { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; cells beyond the header are dropped, missing ones are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text, at most `width` columns wide where that is possible.
    pub fn render(&self, width: Option<usize>) -> String {
        let Some(last) = self.header.len().checked_sub(1) else { return String::new() };
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let widths: Vec<usize> =
            (0..last).map(|i| lines().map(|cells| cells[i].width()).max().unwrap_or(0)).collect();
        let indent: usize = widths.iter().map(|w| w + GAP).sum();
        let room = width.and_then(|w| w.checked_sub(indent)).filter(|&room| room >= NARROWEST);
        let mut out = String::new();
        for cells in lines() {
            let mut line = String::new();
            for (cell, width) in cells.iter().zip(&widths) {
                line += cell;
                line.extend(std::iter::repeat_n(' ', width - cell.width() + GAP));
            }
            for (i, part) in wrap(&cells[last], room).into_iter().enumerate() {
                if i > 0 {
                    line.extend(std::iter::repeat_n(' ', indent));
                }
                line += &part;
                out += line.trim_end();
                out.push('\n');
                line.clear();
            }
        }
        out
    }
}

/// Breaks at spaces; a word longer than the room stays whole.
fn wrap(text: &str, room: Option<usize>) -> Vec<String> {
    let Some(room) = room else { return vec![text.to_string()] };
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().filter(|l| l.is_empty() || l.width() + 1 + word.width() <= room);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: Option<usize>, expected: &str) {
        let mut table = Table::new(["fragment", "state", "why"]);
        table.row(["main", "affected", "calls größer, which changed its body"]);
        table.row(["größer", "changed", "body"]);
        table.row(["x"]);
        assert_eq!(table.render(width), expected);
    }

    #[test]
    fn columns_line_up() {
        check(
            None,
            "\
fragment  state     why
main      affected  calls größer, which changed its body
größer    changed   body
x
",
        );
        check(
            Some(42),
            "\
fragment  state     why
main      affected  calls größer, which
                    changed its body
größer    changed   body
x
",
        );
        assert_eq!(Table::new([""; 0]).render(None), "");
    }
}
