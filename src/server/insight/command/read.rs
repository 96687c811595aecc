//! Reads a text as a script: the parser gives the structure, this file follows it into every corner where a command
//! can hide, and leaves flat lists behind.

use super::functions::Body;
use super::limits::{self, Stack};
use super::paint;
use super::printed::Text;
use super::script::{Command, Follower, Problem, Script, Word};
use super::source::{Place, Source};
use super::state::{Directory, State};
use super::word::{self, Mode};
use super::wrappers;
use crate::model::insight::command::{Joined, PieceKind, Segment, Span, Within};
use brush_parser::ast::SourceLocation;
use brush_parser::{ParseError, ParserOptions, SourceSpan, Token, TokenizerError, ast};
use std::collections::HashMap;
use std::ops::Range;

/// Brush spends one frame per open substitution; this is room for as many as the limits let through, in a debug build.
/// What reading a script costs besides its bytes: also an empty one is not free.
pub const BESIDES: usize = 16;
const LARGE_STACK: usize = 64 << 20;

pub struct Reader {
    pub script: Script,
    pub state: State,
    pub functions: HashMap<String, Vec<Body>>,
    /// Functions that are being called, so that one that calls itself comes to an end.
    pub calls: Vec<String>,
    /// What was written to files, by their names.
    pub written: HashMap<String, Vec<Text>>,
    /// What is run later, at a signal or at the end.
    pub traps: Vec<(String, Place)>,
    pub elsewhere: bool,
    pub depth: usize,
    pub within: Within,
    pub joined: Joined,
    /// It reads the text itself, not what stands in a substitution or in an inner script.
    pub outermost: bool,
    /// How many bytes may still be read: a script inside a script is read twice, inside that four times.
    pub budget: usize,
}

/// Reads the whole command. Never fails: what could not be read is named in the script's `problem`.
pub fn read(text: &str, directory: &str) -> Script {
    let mut reader = Reader {
        script: Script {
            paint: vec![PieceKind::Plain; text.len()],
            ..Script::default()
        },
        state: State::at(Directory::At(directory.into())),
        functions: HashMap::new(),
        calls: Vec::new(),
        written: HashMap::new(),
        traps: Vec::new(),
        elsewhere: false,
        depth: 0,
        within: Within::Command,
        joined: Joined::First,
        outermost: true,
        budget: limits::budget(text.len()),
    };
    match limits::check_text(text) {
        Err(why) => reader.problem(why, None),
        Ok(Stack::Ordinary) => reader.whole(text),
        Ok(Stack::Large) => {
            let done = std::thread::scope(|scope| {
                std::thread::Builder::new()
                    .stack_size(LARGE_STACK)
                    .spawn_scoped(scope, || reader.whole(text))
                    .is_ok_and(|thread| thread.join().is_ok())
            });
            if !done {
                reader.problem("It is too intricate.", None);
            }
        }
    }
    reader.script
}

impl Reader {
    fn whole(&mut self, text: &str) {
        self.source(&Source::new(text, Place::Exact(0)));
        self.run_traps();
    }

    /// A text that a shell would run. What it sets stays, as after `eval`.
    pub fn inner(&mut self, text: &str, place: Place, within: Within) -> Range<usize> {
        let start = self.script.commands.len();
        if self.depth >= limits::DEEPEST
            || start >= limits::MOST_COMMANDS
            || text.len() + BESIDES > self.budget
        {
            self.problem("It nests deeper than is looked through.", None);
            return start..start;
        }
        self.budget -= text.len() + BESIDES;
        let outermost = std::mem::replace(&mut self.outermost, false);
        let outer = (self.within, self.joined);
        self.depth += 1;
        (self.within, self.joined) = (within, Joined::First);
        self.source(&Source::new(text, place));
        self.depth -= 1;
        (self.within, self.joined) = outer;
        self.outermost = outermost;
        start..self.script.commands.len()
    }

    fn source(&mut self, source: &Source<'_>) {
        let options = ParserOptions::default();
        let tokens =
            match brush_parser::uncached_tokenize_str(source.text, &options.tokenizer_options()) {
                Ok(tokens) => tokens,
                Err(error) => return self.tokenizer_problem(source, &error),
            };
        if let Err((why, at)) = limits::check_tokens(&tokens) {
            let at = source.byte(at);
            return self.problem(why, Some(source.span(at, at).start));
        }
        let program = match brush_parser::parse_tokens(&tokens, &options) {
            Ok(program) => program,
            Err(error) => return self.parser_problem(source, &error, &tokens),
        };
        paint::tokens(&mut self.script.paint, source, &tokens);
        for (index, list) in program.complete_commands.iter().enumerate() {
            self.list(source, list, index > 0);
        }
    }

    pub fn command(&mut self, source: &Source<'_>, command: &ast::Command) {
        match command {
            ast::Command::Simple(simple) => self.simple(source, simple),
            ast::Command::Compound(compound, redirections) => {
                self.compound(source, compound);
                self.redirections_alone(source, redirections.as_ref());
            }
            ast::Command::Function(function) => self.function(source, function),
            ast::Command::ExtendedTest(test, redirections) => {
                let (start, end) = source.range(&test.loc);
                self.text_word(source, start, end, Mode::Word);
                self.redirections_alone(source, redirections.as_ref());
            }
        }
    }

    /// Remembers where a command begins that has another one in front of it.
    pub fn follower(
        &mut self,
        source: &Source<'_>,
        command: &ast::Command,
        timed: Option<SourceSpan>,
        segment: usize,
    ) {
        let location = match command {
            _ if timed.is_some() => timed,
            // the parser does not place the sign of a redirection in front
            ast::Command::Simple(_) => {
                let segment = self.script.segments.get(segment);
                let span = segment.map(|segment| segment.span).unwrap_or_default();
                return self.follows_at(span.start);
            }
            ast::Command::Compound(compound, _) => compound.location(),
            ast::Command::Function(function) => function.fname.location(),
            ast::Command::ExtendedTest(test, _) => test.location(),
        };
        if let Some(location) = location {
            self.follows_at(source.range(&location).0);
        }
    }

    pub fn follows_at(&mut self, start: usize) {
        if self.outermost && start > 0 {
            let depth = self.depth;
            self.script.followers.push(Follower { start, depth });
        }
    }

    /// Runs `body` one level further in.
    pub fn nested(&mut self, within: Within, body: impl FnOnce(&mut Self)) {
        let outer = (self.within, self.joined);
        (self.within, self.joined) = (within, Joined::First);
        self.depth += 1;
        body(self);
        self.depth -= 1;
        (self.within, self.joined) = outer;
        self.joined = Joined::Then;
    }

    pub fn nested_list(&mut self, source: &Source<'_>, within: Within, list: &ast::CompoundList) {
        self.nested(within, |reader| reader.list(source, list, false));
    }

    /// One that has another one in front of it: what stands after `then`, `else` and the `do` of a condition.
    pub fn next_list(&mut self, source: &Source<'_>, within: Within, list: &ast::CompoundList) {
        self.nested(within, |reader| reader.list(source, list, true));
    }

    /// `(( … ))`: it holds no simple command of its own, but may hold substitutions and set variables.
    pub fn arithmetic(&mut self, source: &Source<'_>, start: usize, end: usize) {
        self.text_word(source, start, end, Mode::Word);
        for name in word::set_by_arithmetic(source.slice(start, end)) {
            self.state.forget(&name);
        }
    }

    pub fn word(&mut self, source: &Source<'_>, word: &ast::Word) -> Word {
        match &word.loc {
            Some(location) => {
                let (start, end) = source.range(location);
                self.text_word(source, start, end, Mode::Word)
            }
            None => {
                let span = source.span(0, source.text.len());
                let aside = Source::new(&word.value, Place::Whole(span));
                self.text_word(&aside, 0, word.value.len(), Mode::Word)
            }
        }
    }

    /// A stretch of the source as one word, its colours put down and its substitutions read.
    pub fn text_word(&mut self, source: &Source<'_>, start: usize, end: usize, mode: Mode) -> Word {
        let text = source.slice(start, end);
        let scanned = word::scan(text, mode, self.state.variables());
        let span = source.span(start, end);
        if let Place::Exact(base) = source.place {
            for (from, to, kind) in &scanned.paints {
                paint::cover(
                    &mut self.script.paint,
                    Span::new(base + start + from, base + start + to),
                    *kind,
                );
            }
        }
        if let Some(at) = scanned.unclosed {
            self.problem(
                "A quote or bracket is never closed.",
                Some(source.span(start + at, end).start),
            );
        }
        for name in &scanned.sets {
            self.state.forget(name);
        }
        let first_inside = self.script.commands.len();
        for substitution in &scanned.substitutions {
            let inner = &text[substitution.start..substitution.end];
            let place = source.part(start + substitution.start);
            if substitution.backquoted && inner.contains('\\') {
                let unescaped = inner
                    .replace("\\`", "`")
                    .replace("\\$", "$")
                    .replace("\\\\", "\\");
                self.substitution(&unescaped, Place::Whole(span));
            } else {
                self.substitution(inner, place);
            }
        }
        let by_variable = scanned.names_by_variable();
        let verbatim_at = match source.place {
            // Behind a quote, or `$` and a quote.
            Place::Exact(base) if !scanned.value.is_empty() => (0..3)
                .find(|offset| {
                    text.get(*offset..)
                        .is_some_and(|rest| rest.starts_with(&scanned.value))
                })
                .map(|offset| base + start + offset),
            _ => None,
        };
        Word {
            span,
            value: scanned.value,
            dynamic: scanned.dynamic,
            quoted: scanned.quoted,
            pattern: scanned.pattern,
            encoded: scanned.encoded,
            by_variable,
            by_encoded_variable: scanned.by_encoded_variable,
            reads: scanned.reads,
            loose: scanned.loose,
            verbatim_at,
            inside: first_inside..self.script.commands.len(),
        }
    }

    /// Colours are put down only where the text stands as it is read.
    pub fn cover(&mut self, source: &Source<'_>, span: Span, kind: PieceKind) {
        if let Place::Exact(_) = source.place {
            paint::cover(&mut self.script.paint, span, kind);
        }
    }

    pub fn recolour(&mut self, source: &Source<'_>, span: Span, from: PieceKind, to: PieceKind) {
        if let Place::Exact(_) = source.place {
            paint::recolour(&mut self.script.paint, span, from, to);
        }
    }

    /// Puts a command on the list, with everything that it starts in turn.
    pub fn push(&mut self, mut command: Command) -> usize {
        command.directory.clone_from(self.state.directory());
        command.elsewhere = self.elsewhere;
        let index = self.script.commands.len();
        // Its place is taken first: what it starts comes after it.
        self.script.commands.push(Command::default());
        if index < limits::MOST_COMMANDS {
            command.reads_script = wrappers::follow(self, &command);
        } else {
            self.problem("It has more commands than are looked through.", None);
        }
        command.starts = index + 1..self.script.commands.len();
        self.script.commands[index] = command;
        index
    }

    pub fn segment(&mut self, span: Span, program: Option<String>) {
        self.script.segments.push(Segment {
            span,
            joined: self.joined,
            within: self.within,
            depth: self.depth,
            background: false,
            program,
        });
    }

    fn tokenizer_problem(&mut self, source: &Source<'_>, error: &TokenizerError) {
        let (why, position) = match error {
            TokenizerError::UnterminatedSingleQuote(at)
            | TokenizerError::UnterminatedAnsiCQuote(at) => {
                ("A single quote is never closed.", Some(at.index))
            }
            TokenizerError::UnterminatedDoubleQuote(at) => {
                ("A double quote is never closed.", Some(at.index))
            }
            TokenizerError::UnterminatedBackquote(at) => {
                ("A backquote is never closed.", Some(at.index))
            }
            TokenizerError::UnterminatedExtendedGlob(_) => ("A pattern is never closed.", None),
            TokenizerError::UnterminatedHereDocuments(..)
            | TokenizerError::MissingHereTag(_)
            | TokenizerError::MissingHereTagForDocumentBody => {
                ("A here-document has no end.", None)
            }
            TokenizerError::UnterminatedEscapeSequence => {
                ("It ends with a backslash.", Some(usize::MAX))
            }
            TokenizerError::UnterminatedVariable => ("`${` is never closed.", None),
            TokenizerError::UnterminatedCommandSubstitution
            | TokenizerError::UnterminatedExpansion => ("`$(` is never closed.", None),
            _ => ("It cannot be read as a shell command.", None),
        };
        let at = position
            .map(|character| source.byte(character))
            .map(|byte| source.span(byte, byte).start);
        self.problem(why, at);
    }

    fn parser_problem(&mut self, source: &Source<'_>, error: &ParseError, tokens: &[Token]) {
        let (why, character) = match error {
            ParseError::ParsingNear(at) => ("The shell's grammar is not followed here.", at.index),
            _ => (
                "It ends before it is complete.",
                tokens.last().map_or(0, |token| token.location().end.index),
            ),
        };
        let byte = source.byte(character);
        self.problem(why, Some(source.span(byte, byte).start));
    }

    /// The first problem is the one that is told.
    pub fn problem(&mut self, why: &str, at: Option<usize>) {
        self.script.problem.get_or_insert(Problem {
            why: why.to_owned(),
            at,
        });
    }
}
