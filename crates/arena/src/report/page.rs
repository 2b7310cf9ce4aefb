//! A page of paragraphs, tables and plots for other measurements than results of experiments.

use super::document::{Block, Cell, Chapter, Document, Table};
use super::plots::{Line, Lines};
use super::{html, markdown};

/// A page that is written block by block.
pub struct ReportPage(Chapter);

impl ReportPage {
    /// A page with a title.
    pub fn new(title: &str) -> ReportPage {
        ReportPage(Chapter { title: title.to_owned(), blocks: Vec::new() })
    }

    /// Adds the heading of a section.
    pub fn section(&mut self, title: &str) {
        self.0.blocks.push(Block::Section(title.to_owned()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.0.blocks.push(Block::Paragraph(text.to_owned()));
    }

    /// Adds a table of numbers, right-aligned.
    pub fn table(&mut self, name: &str, columns: &[&str], rows: Vec<Vec<String>>) {
        let mut table = columns.iter().fold(Table::new(name), |table, column| table.right(*column));
        table.rows = rows.into_iter().map(|row| row.into_iter().map(Cell::text).collect()).collect();
        self.0.blocks.push(Block::Table(table));
    }

    /// Adds a plot of lines over a logarithmic axis: labels and points. Markdown does not show it.
    pub fn logarithmic_plot(
        &mut self,
        caption: &str,
        axis: &'static str,
        unit: &str,
        lines: Vec<(String, Vec<(f64, f64)>)>,
    ) {
        let line = |(label, points): (String, Vec<(f64, f64)>)| Line {
            label,
            points: points.into_iter().map(|(place, value)| (place.max(f64::MIN_POSITIVE).log10(), value)).collect(),
        };
        let plot = Lines::logarithmic(caption, axis, unit, lines.into_iter().map(line).collect());
        self.0.blocks.extend(plot.map(|plot| Block::Plot(Box::new(plot))));
    }

    /// The page as HTML, with plots.
    pub fn html(self) -> String {
        html::render(&self.document())
    }

    /// The page as Markdown.
    pub fn markdown(self) -> String {
        markdown::render(&self.document(), None)
    }

    fn document(self) -> Document {
        Document { title: self.0.title.clone(), chapters: vec![self.0] }
    }
}
