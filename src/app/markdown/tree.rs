//! Markdown text to a small tree of our own: what can be shown, and nothing else. Pure. The tree is never deeper than
//! [`DEEPEST`], whatever the text: drawing and dropping it recurse.

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};

/// Nesting beyond this is flattened into the level that holds it; no text is lost.
pub const DEEPEST: usize = 24;

#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    Paragraph(Vec<Inline>),
    Heading {
        level: u8,
        text: Vec<Inline>,
    },
    Code {
        language: String,
        text: String,
    },
    Quote(Vec<Block>),
    List {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Table {
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Rule,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    Text(String),
    Code(String),
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Struck(Vec<Inline>),
    Link { url: String, text: Vec<Inline> },
    Break,
}

pub fn parse(text: &str) -> Vec<Block> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut builder = Builder::default();
    // no HTML can hold it: a text of it alone would be missing in the page that the server draws. Markdown says what stands for it
    let text = text.replace('\0', "\u{fffd}");
    for event in Parser::new_ext(&text, options) {
        builder.take(event);
    }
    builder.finish()
}

/// Only these lead somewhere a browser may go; anything else could run code or open a program.
pub fn may_be_followed(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

/// The words of a link are its address.
pub fn says_where_it_leads(words: &str, url: &str) -> bool {
    let words = words.strip_prefix("image: ").unwrap_or(words);
    words == url || url.strip_prefix("mailto:") == Some(words)
}

pub fn plain_text(list: &[Inline]) -> String {
    let mut text = String::new();
    for inline in list {
        match inline {
            Inline::Text(part) | Inline::Code(part) => text.push_str(part),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Struck(inner) => {
                text.push_str(&plain_text(inner));
            }
            Inline::Link { text: inner, .. } => text.push_str(&plain_text(inner)),
            Inline::Break => text.push('\n'),
        }
    }
    text
}

/// What is open and still being filled.
enum Frame {
    Blocks(Holder, Vec<Block>, Vec<Inline>),
    Inlines(Span, Vec<Inline>),
    List(Option<u64>, Vec<Vec<Block>>),
    Table(Vec<Vec<Inline>>, Vec<Vec<Vec<Inline>>>),
    Row(bool, Vec<Vec<Inline>>),
    Code(String, String),
}

enum Holder {
    Quote,
    Item,
}

enum Span {
    Paragraph,
    Heading(u8),
    Cell,
    Emphasis,
    Strong,
    Struck,
    Link(String),
    Image(String),
    /// Something we do not tell apart: its content stays.
    Plain,
}

#[derive(Default)]
struct Builder {
    done: Vec<Block>,
    /// Text outside any paragraph, before it becomes one.
    loose: Vec<Inline>,
    open: Vec<Frame>,
    /// How many tags are open beyond the deepest level.
    too_deep: usize,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(_) if self.too_deep > 0 => {
                self.too_deep += 1;
                self.put(Inline::Text(" ".to_owned()));
            }
            Event::Start(tag) => self.start(tag),
            Event::End(_) if self.too_deep > 0 => self.too_deep -= 1,
            Event::End(_) => self.end(),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.put(Inline::Text(text.into_string())),
            Event::Code(text) => self.put(Inline::Code(text.into_string())),
            // agents write for a terminal, where a new line is one
            Event::SoftBreak | Event::HardBreak => self.put(Inline::Break),
            Event::Rule if self.too_deep == 0 => self.put_block(Block::Rule),
            Event::Rule => {}
            Event::TaskListMarker(ticked) => {
                let mark = if ticked { "☑ " } else { "☐ " };
                self.put(Inline::Text(mark.to_owned()));
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        // only these can hold themselves; all others are bounded by what holds them
        let nests = matches!(
            tag,
            Tag::List(_)
                | Tag::BlockQuote(_)
                | Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. }
        );
        if nests && self.open.len() >= DEEPEST {
            self.too_deep = 1;
            return;
        }
        self.open.push(match tag {
            Tag::Paragraph | Tag::HtmlBlock => Frame::Inlines(Span::Paragraph, Vec::new()),
            Tag::Heading { level, .. } => Frame::Inlines(Span::Heading(level as u8), Vec::new()),
            Tag::BlockQuote(_) => Frame::Blocks(Holder::Quote, Vec::new(), Vec::new()),
            Tag::Item => Frame::Blocks(Holder::Item, Vec::new(), Vec::new()),
            Tag::CodeBlock(CodeBlockKind::Fenced(language)) => {
                Frame::Code(language.into_string(), String::new())
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => Frame::Code(String::new(), String::new()),
            Tag::List(start) => Frame::List(start, Vec::new()),
            Tag::Table(_) => Frame::Table(Vec::new(), Vec::new()),
            Tag::TableHead => Frame::Row(true, Vec::new()),
            Tag::TableRow => Frame::Row(false, Vec::new()),
            Tag::TableCell => Frame::Inlines(Span::Cell, Vec::new()),
            Tag::Emphasis => Frame::Inlines(Span::Emphasis, Vec::new()),
            Tag::Strong => Frame::Inlines(Span::Strong, Vec::new()),
            Tag::Strikethrough => Frame::Inlines(Span::Struck, Vec::new()),
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => {
                let url = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}"),
                    _ => dest_url.into_string(),
                };
                Frame::Inlines(Span::Link(url), Vec::new())
            }
            Tag::Image { dest_url, .. } => {
                Frame::Inlines(Span::Image(dest_url.into_string()), Vec::new())
            }
            _ => Frame::Inlines(Span::Plain, Vec::new()),
        });
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(Frame::Blocks(holder, mut blocks, loose)) => {
                gather(&mut blocks, loose);
                match (holder, self.open.last_mut()) {
                    (Holder::Item, Some(Frame::List(_, items))) => items.push(blocks),
                    _ => self.put_block(Block::Quote(blocks)),
                }
            }
            Some(Frame::Inlines(span, text)) => self.close_span(span, text),
            Some(Frame::List(start, items)) => self.put_block(Block::List { start, items }),
            Some(Frame::Table(head, rows)) => self.put_block(Block::Table { head, rows }),
            Some(Frame::Row(is_head, cells)) => {
                if let Some(Frame::Table(head, rows)) = self.open.last_mut() {
                    if is_head {
                        *head = cells;
                    } else {
                        rows.push(cells);
                    }
                }
            }
            Some(Frame::Code(language, text)) => self.put_block(Block::Code { language, text }),
            None => {}
        }
    }

    fn close_span(&mut self, span: Span, text: Vec<Inline>) {
        match span {
            Span::Paragraph => self.put_block(Block::Paragraph(text)),
            Span::Heading(level) => self.put_block(Block::Heading { level, text }),
            Span::Cell => match self.open.last_mut() {
                Some(Frame::Row(_, cells)) => cells.push(text),
                _ => text.into_iter().for_each(|inline| self.put(inline)),
            },
            Span::Emphasis => self.put(Inline::Emphasis(text)),
            Span::Strong => self.put(Inline::Strong(text)),
            Span::Struck => self.put(Inline::Struck(text)),
            Span::Link(url) => self.put(Inline::Link { url, text }),
            Span::Image(url) => {
                let words = match plain_text(&text) {
                    alternative if alternative.is_empty() => format!("image: {url}"),
                    alternative => format!("image: {alternative}"),
                };
                let text = vec![Inline::Text(words)];
                self.put(Inline::Link { url, text });
            }
            Span::Plain => text.into_iter().for_each(|inline| self.put(inline)),
        }
    }

    fn put(&mut self, inline: Inline) {
        match self.open.last_mut() {
            Some(Frame::Inlines(_, list) | Frame::Blocks(_, _, list)) => append(list, inline),
            Some(Frame::Code(_, text)) => text.push_str(&plain_text(&[inline])),
            Some(Frame::List(..) | Frame::Table(..) | Frame::Row(..)) | None => {
                append(&mut self.loose, inline);
            }
        }
    }

    fn put_block(&mut self, block: Block) {
        match self.open.last_mut() {
            Some(Frame::Blocks(_, blocks, loose)) => {
                gather(blocks, std::mem::take(loose));
                blocks.push(block);
            }
            _ => {
                gather(&mut self.done, std::mem::take(&mut self.loose));
                self.done.push(block);
            }
        }
    }

    fn finish(mut self) -> Vec<Block> {
        while !self.open.is_empty() {
            self.end();
        }
        gather(&mut self.done, self.loose);
        self.done
    }
}

/// Text that stood by itself becomes a paragraph.
fn gather(blocks: &mut Vec<Block>, loose: Vec<Inline>) {
    if !loose.is_empty() {
        blocks.push(Block::Paragraph(loose));
    }
}

/// The parser cuts text into pieces; neighbours are joined again.
fn append(list: &mut Vec<Inline>, inline: Inline) {
    match (list.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
        (_, inline) => list.push(inline),
    }
}

#[cfg(test)]
mod tests;
