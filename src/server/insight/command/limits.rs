//! What the parser is asked to read. Its grammar backtracks (`((((` costs twice as much per bracket) and recurses
//! (`{ { {` overflows the stack), so nesting is counted first, in one pass that an input cannot talk out of counting.

use brush_parser::Token;

/// The longest command that is analysed.
pub const LONGEST: usize = 64 * 1024;
/// Substitutions inside substitutions, scripts inside scripts.
pub const DEEPEST: usize = 24;
/// Work is bounded also when many short scripts are hidden in one command.
pub const MOST_COMMANDS: usize = 4_000;
/// All inner scripts together.
pub fn budget(length: usize) -> usize {
    (8 * length + 16 * 1024).min(512 * 1024)
}

const MOST_OPENINGS: usize = 1_000;
/// Tried on a stack of 2 MB, the size tokio gives: a debug build's frames are several times as large.
const OPENINGS_ON_AN_ORDINARY_STACK: usize = if cfg!(debug_assertions) { 40 } else { 200 };
const DEEPEST_BRACKETS: usize = 10;
const DEEPEST_CASES: usize = 6;
const DEEPEST_BLOCKS: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    Ordinary,
    /// The tokenizer calls itself once per open `$(`, and whether one is open only it can tell.
    Large,
}

/// Before the text is cut into tokens.
pub fn check_text(text: &str) -> Result<Stack, &'static str> {
    if text.len() > LONGEST {
        return Err("It is longer than 64 kB.");
    }
    let openings = openings(text);
    if openings > MOST_OPENINGS {
        Err("It nests more substitutions than are looked through.")
    } else if openings > OPENINGS_ON_AN_ORDINARY_STACK {
        Ok(Stack::Large)
    } else {
        Ok(Stack::Ordinary)
    }
}

/// How many `$(`, `${`, `$[` might hold another one. Quotes are not understood on purpose: a bracket inside a string
/// must not make the number smaller.
fn openings(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at] == b'$' && matches!(bytes[at + 1], b'(' | b'{' | b'[') {
            let inside = &bytes[at + 2..];
            let simple = inside
                .iter()
                .take(64)
                .position(|byte| matches!(byte, b')' | b'}' | b']'))
                .is_some_and(|end| {
                    !inside[..end]
                        .iter()
                        .any(|byte| b"$`'\"\\({[<#".contains(byte))
                });
            if !simple {
                count += 1;
            }
        }
        at += 1;
    }
    count
}

/// Before the tokens are read as a program.
pub fn check_tokens(tokens: &[Token]) -> Result<(), (&'static str, usize)> {
    let mut brackets = 0_usize;
    // How many brackets were open where each `case` began.
    let mut cases: Vec<usize> = Vec::new();
    let mut blocks = 0_usize;
    let mut command_may_start = true;
    for (index, token) in tokens.iter().enumerate() {
        let position = token.location().start.index;
        match token {
            Token::Operator(operator, _) => {
                match operator.as_str() {
                    "(" if !tokens
                        .get(index + 1)
                        .is_some_and(|next| is_operator(next, ")")) =>
                    {
                        brackets += 1
                    }
                    // Inside `case` a `)` may end a pattern and close nothing.
                    ")" if cases.is_empty()
                        && index > 0
                        && !is_operator(&tokens[index - 1], "(") =>
                    {
                        brackets = brackets.saturating_sub(1);
                    }
                    _ => {}
                }
                command_may_start = true;
            }
            Token::Word(word, _) => {
                match word.as_str() {
                    "case" => cases.push(brackets),
                    "if" | "while" | "until" | "for" | "{" | "coproc" => blocks += 1,
                    "esac" if command_may_start => brackets = cases.pop().unwrap_or(brackets),
                    "fi" | "done" | "}" if command_may_start => blocks = blocks.saturating_sub(1),
                    _ => {}
                }
                command_may_start = matches!(
                    word.as_str(),
                    "{" | "}"
                        | "do"
                        | "done"
                        | "then"
                        | "else"
                        | "elif"
                        | "fi"
                        | "esac"
                        | "if"
                        | "while"
                        | "until"
                        | "!"
                );
            }
        }
        if brackets > DEEPEST_BRACKETS || cases.len() > DEEPEST_CASES || blocks > DEEPEST_BLOCKS {
            return Err(("It nests deeper than is looked through.", position));
        }
    }
    Ok(())
}

fn is_operator(token: &Token, text: &str) -> bool {
    matches!(token, Token::Operator(operator, _) if operator == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_substitutions_do_not_count_and_nested_ones_do() {
        assert_eq!(openings("echo ${a} $(date) ${b:-c}"), 0);
        assert_eq!(openings("echo $(basename \"$(pwd)\")"), 1);
        assert_eq!(openings(&"$(".repeat(7)), 7);
    }

    #[test]
    fn many_brackets_one_after_another_are_not_deep_also_beside_a_case() {
        let text = format!("case x in a) (b) ;; esac\n{}", "(ls); x=(a b)\n".repeat(50));
        let tokens = brush_parser::tokenize_str(&text).unwrap_or_default();
        assert!(!tokens.is_empty());
        assert_eq!(check_tokens(&tokens), Ok(()));
    }

    #[test]
    fn a_bracket_in_a_string_does_not_hide_nesting() {
        assert!(check_text(&"$( ')' ".repeat(2_000)).is_err());
    }
}
