//! Simple commands: assignments, the program, its arguments and its redirections.

use super::braces;
use super::paint;
use super::printed::printed;
use super::read::Reader;
use super::remember;
use super::script::{Command, Redirection, RedirectionKind, Word};
use super::source::Source;
use super::state::Touched;
use super::word::{self, Mode};
use crate::model::insight::command::{PieceKind, Span, Within};
use brush_parser::ast;

/// What a word of an alternative takes beside its text.
const EXPANDED: usize = 64;

impl Reader {
    pub fn simple(&mut self, source: &Source<'_>, simple: &ast::SimpleCommand) {
        let mut command = Command::default();
        let mut extent = Extent::default();
        // The segment is listed before those inside its substitutions.
        let segment = self.script.segments.len();
        self.segment(Span::default(), None);
        let start = self.state.moment();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(source, item, &mut command, &mut extent, true);
        }
        let mut assigned = Touched::default();
        if let Some(word) = &simple.word_or_name {
            // What is assigned in front of a program is for that program alone, and its words do not know of it.
            assigned = self.state.take_back(start);
            let program = self.word(source, word);
            extent.cover(program.span);
            if !program.quoted && !program.dynamic {
                self.cover(source, program.span, PieceKind::Program);
            }
            command.words.extend(self.split(program));
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(source, item, &mut command, &mut extent, false);
        }
        command.span = extent.span(source);
        self.script.segments[segment].span = command.span;
        self.script.segments[segment].program = command
            .words
            .first()
            .filter(|word| !word.dynamic)
            .map(|word| word.value.clone());
        command.name = command
            .words
            .first()
            .map(|word| word.name().to_owned())
            .unwrap_or_default();
        let is_function = self.functions.contains_key(&command.name);
        if is_function || remember::may_keep_assignments(&command) {
            self.state.doubt(&assigned);
        }
        let index = self.push(command);
        let command = self.script.commands[index].clone();
        self.write(&command, &printed(&command));
        self.remember(&command);
    }

    fn item(
        &mut self,
        source: &Source<'_>,
        item: &ast::CommandPrefixOrSuffixItem,
        command: &mut Command,
        extent: &mut Extent,
        prefix: bool,
    ) {
        match item {
            ast::CommandPrefixOrSuffixItem::IoRedirect(redirection) => {
                self.redirection(source, redirection, command);
                if let Some(redirection) = command.redirections.last() {
                    extent.cover(redirection.span);
                }
            }
            ast::CommandPrefixOrSuffixItem::Word(word) => {
                let text = word.value.as_str();
                let word = self.word(source, word);
                extent.cover(word.span);
                if word.is_option() && !word.quoted && !word.dynamic {
                    self.cover(source, word.span, PieceKind::Option);
                } else {
                    // `echo if` has a keyword only by its looks.
                    self.recolour(source, word.span, PieceKind::Keyword, PieceKind::Argument);
                }
                let words = self.expand(text, word);
                command.words.extend(words);
            }
            ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                let text = word.value.as_str();
                let word = self.word(source, word);
                extent.cover(word.span);
                if prefix {
                    self.assign(&word, assignment.append);
                    self.recolour(
                        source,
                        word.span,
                        PieceKind::Argument,
                        PieceKind::Assignment,
                    );
                    command.assignments.push(word);
                } else if remember::declares(command) {
                    command.words.push(word);
                } else {
                    let words = self.expand(text, word);
                    command.words.extend(words);
                }
            }
            ast::CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                let word = self.process_substitution(source, subshell);
                extent.cover(word.span);
                command.words.push(word);
            }
        }
    }

    fn process_substitution(
        &mut self,
        source: &Source<'_>,
        subshell: &ast::SubshellCommand,
    ) -> Word {
        let (start, end) = source.range(&subshell.loc);
        let first = self.script.commands.len();
        let outermost = std::mem::replace(&mut self.outermost, false);
        self.subshell(source, Within::Substitution, subshell);
        self.outermost = outermost;
        let start = start.saturating_sub(1);
        Word {
            span: source.span(start, end),
            value: source.slice(start, end).to_owned(),
            dynamic: true,
            inside: first..self.script.commands.len(),
            ..Word::default()
        }
    }

    pub fn redirection(
        &mut self,
        source: &Source<'_>,
        redirection: &ast::IoRedirect,
        command: &mut Command,
    ) {
        let (kind, target) = match redirection {
            ast::IoRedirect::File(_, kind, target) => {
                let kind = match kind {
                    ast::IoFileRedirectKind::Write | ast::IoFileRedirectKind::Clobber => {
                        RedirectionKind::Write
                    }
                    ast::IoFileRedirectKind::Append | ast::IoFileRedirectKind::ReadAndWrite => {
                        RedirectionKind::Append
                    }
                    ast::IoFileRedirectKind::DuplicateOutput => RedirectionKind::Write,
                    ast::IoFileRedirectKind::Read | ast::IoFileRedirectKind::DuplicateInput => {
                        RedirectionKind::Read
                    }
                };
                let target = match target {
                    ast::IoFileRedirectTarget::Filename(word) => self.word(source, word),
                    ast::IoFileRedirectTarget::Duplicate(word) => {
                        let word = self.word(source, word);
                        // `2>&1` and `>&-` move descriptors; `>&file` writes.
                        if word
                            .value
                            .chars()
                            .all(|character| character.is_ascii_digit() || character == '-')
                        {
                            return;
                        }
                        word
                    }
                    ast::IoFileRedirectTarget::ProcessSubstitution(_, subshell) => {
                        self.process_substitution(source, subshell)
                    }
                    ast::IoFileRedirectTarget::Fd(_) => return,
                };
                (kind, target)
            }
            ast::IoRedirect::OutputAndError(word, append) => {
                let kind = if *append {
                    RedirectionKind::Append
                } else {
                    RedirectionKind::Write
                };
                // `|&` is told as a redirection without a place, to descriptor 1.
                if word.loc.is_none() {
                    return;
                }
                (kind, self.word(source, word))
            }
            ast::IoRedirect::HereString(_, word) => {
                (RedirectionKind::HereString, self.word(source, word))
            }
            ast::IoRedirect::HereDocument(_, document) => {
                let target = self.here_document(source, document);
                let span = document
                    .here_end
                    .loc
                    .as_ref()
                    .map_or(target.span, |location| {
                        let (start, end) = source.range(location);
                        source.span(start, end)
                    });
                command.redirections.push(Redirection {
                    kind: RedirectionKind::HereDocument,
                    span,
                    target,
                });
                return;
            }
        };
        let span = target.span;
        command
            .redirections
            .push(Redirection { kind, span, target });
    }

    fn here_document(&mut self, source: &Source<'_>, document: &ast::IoHereDocument) -> Word {
        let Some(location) = &document.doc.loc else {
            return Word {
                value: document.doc.value.clone(),
                ..Word::default()
            };
        };
        let start = source.byte(location.start.index);
        let end = source.byte(location.end.index);
        paint::cover(
            &mut self.script.paint,
            source.span(start, end),
            PieceKind::HereDocument,
        );
        let value = document.doc.value.clone();
        let verbatim = source.slice(start, end).starts_with(value.as_str());
        let mut word = Word::default();
        if document.requires_expansion {
            let body_end = if verbatim { start + value.len() } else { end };
            word = self.text_word(source, start, body_end, Mode::HereDocument);
        }
        word.span = source.span(start, end);
        word.verbatim_at = (verbatim && matches!(source.place, super::source::Place::Exact(_)))
            .then(|| source.span(start, end).start);
        word.value = value;
        word.quoted = true;
        word
    }

    /// The words that one becomes: by braces, and by blanks in a variable without quotes.
    fn expand(&mut self, text: &str, word: Word) -> Vec<Word> {
        let alternatives = braces::expand(text);
        let Ok(Some(texts)) = alternatives else {
            if alternatives.is_err() {
                self.braces_problem(&word);
            }
            return self.split(word);
        };
        let length: usize = texts.iter().map(|text| text.len() + EXPANDED).sum();
        if length > self.budget {
            self.braces_problem(&word);
            return vec![word];
        }
        self.budget -= length;
        let mut words = Vec::with_capacity(texts.len());
        for text in texts.iter().filter(|text| !text.is_empty()) {
            let scanned = word::scan(text, Mode::Word, self.state.variables());
            let alternative = Word {
                value: scanned.value,
                dynamic: scanned.dynamic,
                quoted: scanned.quoted,
                pattern: scanned.pattern,
                loose: scanned.loose,
                verbatim_at: None,
                ..word.clone()
            };
            words.extend(self.split(alternative));
        }
        words
    }

    fn braces_problem(&mut self, word: &Word) {
        let why = "It has more alternatives in braces than are looked through.";
        self.problem(why, Some(word.span.start));
    }

    /// `X="rm -rf"; $X /` runs `rm`: a variable without quotes falls into words, at blanks or where `IFS` says. Of an empty
    /// one nothing is left.
    fn split(&mut self, word: Word) -> Vec<Word> {
        if word.loose.is_empty() {
            return vec![word];
        }
        if self.state.is_distrusted("IFS") {
            return vec![Word {
                dynamic: true,
                ..word
            }];
        }
        // each blank may make a word
        let length = EXPANDED * word.value.bytes().filter(u8::is_ascii_whitespace).count();
        if length + word.value.len() > self.budget {
            let why = "It has longer variables than are looked through.";
            self.problem(why, Some(word.span.start));
            return vec![word];
        }
        self.budget -= length;
        let separators = self.state.variables().get("IFS");
        let separators = separators.map_or("", |known| known.value.as_str());
        let mut values = vec![String::new()];
        let mut loose = word.loose.iter().peekable();
        for (at, character) in word.value.char_indices() {
            while loose.next_if(|range| range.end <= at).is_some() {}
            let is_loose = loose.peek().is_some_and(|range| range.contains(&at));
            let parts = character.is_ascii_whitespace() || separators.contains(character);
            match values.last_mut() {
                Some(last) if !(is_loose && parts) => last.push(character),
                _ => values.push(String::new()),
            }
        }
        if let [_] = values.as_slice()
            && (word.quoted || !word.value.is_empty())
        {
            return vec![word];
        }
        values.retain(|value| !value.is_empty());
        let part = |value| Word {
            value,
            loose: Vec::new(),
            verbatim_at: None,
            ..word.clone()
        };
        values.into_iter().map(part).collect()
    }
}

#[derive(Default)]
struct Extent(Option<Span>);

impl Extent {
    fn cover(&mut self, span: Span) {
        let all = self.0.get_or_insert(span);
        *all = Span::new(all.start.min(span.start), all.end.max(span.end));
    }

    /// A redirection starts at its sign, which the parser does not place.
    fn span(&self, source: &Source<'_>) -> Span {
        let mut span = self.0.unwrap_or_default();
        if let super::source::Place::Exact(base) = source.place {
            let before = source.slice(0, span.start.saturating_sub(base));
            let sign = before.trim_end().trim_end_matches(['>', '<', '&', '|']);
            if sign.len() < before.trim_end().len() && before[sign.len()..].contains(['>', '<']) {
                let number = sign.trim_end_matches(|character: char| character.is_ascii_digit());
                span.start = base + number.len();
            }
        }
        span
    }
}
