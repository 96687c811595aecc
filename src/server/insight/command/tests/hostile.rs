//! Texts that want to break the analysis: it stays sound, returns, and returns soon.

use super::{assert_sound, corpus};
use crate::model::insight::command::Parsed;
use std::time::{Duration, Instant};

/// Pseudo-random and the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or_default() % sides.max(1)
    }
}

const SPICE: &[&str] = &[
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "(",
    "((",
    "))",
    "${",
    "}",
    "{ ",
    ";",
    "&",
    "|",
    "||",
    "&&",
    "<",
    ">",
    "<<E\n",
    "\nE\n",
    "<<<",
    "\\",
    "\n",
    "#",
    "$",
    "$'",
    "=",
    "[[ ",
    " ]]",
    "case x in ",
    " esac",
    "if ",
    " fi",
    "do ",
    "done",
    "~",
    "*",
    "\u{202e}",
    "ä",
    "\0",
    "$((",
    "<(",
    "!",
    " -rf ",
    "sudo ",
    "bash -c ",
    "@(",
    "$[",
    "]",
    "\r",
    "|&",
    "&>",
    ";;",
    "function f ",
    "coproc ",
    "; then ",
    "\nelse ",
    "; do ",
    " # ",
    "\\\n",
];

fn mutated(text: &str, other: &str, dice: &mut Dice) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(characters.len() + 1);
        match dice.roll(5) {
            0 if at < characters.len() => {
                characters.remove(at);
            }
            1 => {
                let end = (at + dice.roll(8)).min(characters.len());
                characters.drain(at..end);
            }
            2 => {
                let tail: Vec<char> = other.chars().skip(dice.roll(other.len() + 1)).collect();
                characters.splice(at..at, tail);
            }
            3 if at < characters.len() => {
                let from = dice.roll(characters.len());
                characters.swap(at, from);
            }
            _ => {
                characters.splice(at..at, SPICE[dice.roll(SPICE.len())].chars());
            }
        }
    }
    characters.into_iter().collect()
}

/// `INSIGHT_MUTATIONS` asks for more than an ordinary run makes.
#[test]
fn no_mutation_of_the_corpus_panics_or_loses_a_byte() {
    let rounds: usize = std::env::var("INSIGHT_MUTATIONS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10_000);
    let corpus = corpus();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut slowest = (Duration::ZERO, String::new());
    for _ in 0..rounds {
        let text = mutated(
            &corpus[dice.roll(corpus.len())].0,
            &corpus[dice.roll(corpus.len())].0,
            &mut dice,
        );
        let start = Instant::now();
        assert_sound(&text);
        let took = start.elapsed();
        if took > slowest.0 {
            slowest = (took, text);
        }
    }
    println!(
        "{rounds} mutations, slowest {:?}: {:?}",
        slowest.0, slowest.1
    );
}

#[test]
fn soups_of_shell_signs_are_survived() {
    let mut dice = Dice(42);
    for _ in 0..3_000 {
        let text: String = (0..dice.roll(60))
            .map(|_| SPICE[dice.roll(SPICE.len())])
            .collect();
        assert_sound(&text);
    }
}

/// On a thread as small as those of the server.
#[test]
fn nasty_inputs_neither_overflow_nor_blow_up() {
    let repeated = [
        "(",
        "((",
        "$(",
        "${",
        "${a:-",
        "$((",
        "`",
        "'",
        "\"",
        "\"$(",
        "{ ",
        "if ",
        "case x in a) ",
        "while ",
        "[[ ( ",
        "<",
        "<<",
        "cat <<A\n",
        "<(",
        "coproc ",
        "! ",
        "a=(",
        "f() { ",
        "$[",
        "@(",
        "\\",
        "&&",
        ";",
        "bash -c '",
        "eval ",
        "sudo ",
        "xargs ",
        "$( ')' ",
        "if x; then ",
        "( case x in a) ",
        "time ",
        "$'\\x72",
        "a | ",
        "for x in y; do ",
        "function f ",
        "*(",
        "echo $(",
        "( ( ; ",
        "(a;",
        "((a;",
        "until ",
        "elif ",
        "bash -c \"$(",
        "eval \"$(",
    ];
    let closed = [
        ("( ", "ls", " )"),
        ("((", "1", "))"),
        ("$(", "ls", ")"),
        ("\"$(", "ls", ")\""),
        ("{ ", "ls", "; }"),
        ("if a; then ", "b", "; fi"),
        ("case x in a) ", "b", " ;; esac"),
        ("case x in a) ", "b", "; esac"),
        ("${a:-", "b", "}"),
        ("<(", "ls", ")"),
        ("(ls; ", "a", ")"),
        ("while a; do ", "b", "; done"),
        ("bash -c \"$(", "ls", ")\""),
        ("f() { ", "ls", "; }"),
    ];
    let mut texts: Vec<String> = Vec::new();
    for count in [3, 7, 9, 10, 11, 12, 24, 40, 100, 120, 240, 500, 5_000] {
        texts.extend(repeated.iter().map(|part| part.repeat(count)));
        texts.extend(
            repeated
                .iter()
                .map(|part| format!("{}; rm -rf x", part.repeat(count))),
        );
        texts.extend(closed.iter().map(|(open, middle, close)| {
            format!("{}{middle}{}", open.repeat(count), close.repeat(count))
        }));
    }
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let mut slowest = (Duration::ZERO, String::new());
            for text in texts {
                let start = Instant::now();
                assert_sound(&text);
                let took = start.elapsed();
                if took > slowest.0 {
                    slowest = (
                        took,
                        text.chars()
                            .take(30)
                            .chain(format!(" … {} bytes", text.len()).chars())
                            .collect(),
                    );
                }
            }
            println!("slowest nasty input {:?}: {}", slowest.0, slowest.1);
            // Far above anything measured, far below a blow-up.
            assert!(slowest.0 < Duration::from_secs(10), "{slowest:?}");
        });
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

#[test]
fn a_text_that_is_too_long_is_shown_whole_and_still_looked_at() {
    let text = format!("echo {}; sudo rm -rf /", "x".repeat(70_000));
    let insight = assert_sound(&text);
    assert!(matches!(insight.parsed, Parsed::No { .. }));
    assert!(insight.has_danger());
}

#[test]
fn deep_nesting_says_that_it_was_not_looked_through() {
    let text = format!("{}rm -rf /{}", "$(echo ".repeat(60), ")".repeat(60));
    let insight = assert_sound(&text);
    assert!(matches!(insight.parsed, Parsed::No { .. }));
    assert!(insight.has_danger());
}

/// Fewer where it says nothing anyway.
const ROUNDS: usize = if cfg!(debug_assertions) { 2 } else { 200 };

/// What this thread really used: on a busy machine the clock on the wall says little. Linux only.
fn own_processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ')
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// About what a machine with nothing else to do would need.
fn best_of_ten(text: &str) -> Duration {
    (0..10)
        .map(|_| {
            let start = Instant::now();
            super::analyse(text);
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// Prints; time is not asserted, for machines differ. Run it in release.
#[test]
fn ten_kilobytes_are_measured() {
    let corpus = corpus();
    let mut dice = Dice(7);
    let mut times: Vec<Duration> = Vec::new();
    let mut read = 0;
    let mut best: Vec<Duration> = Vec::new();
    let processor_time = own_processor_time();
    for _ in 0..ROUNDS {
        let mut text = String::new();
        while text.len() < 10_000 {
            let (command, expected) = &corpus[dice.roll(corpus.len())];
            if !expected.contains('?') && !command.contains('#') && !command.starts_with("case") {
                text.push_str(command);
                text.push('\n');
            }
        }
        best.push(best_of_ten(&text));
        let start = Instant::now();
        let insight = super::analyse(&text);
        times.push(start.elapsed());
        read += usize::from(insight.parsed == Parsed::Yes);
    }
    times.sort();
    best.sort();
    println!(
        "10 kB, best of ten runs each: median {:?}, p99 {:?}, worst {:?}",
        best[ROUNDS / 2],
        best[(ROUNDS * 99).div_ceil(100) - 1],
        best[ROUNDS - 1]
    );
    if let Some((before, after)) = processor_time.zip(own_processor_time()) {
        println!(
            "10 kB: {:?} of processor time on average",
            (after - before) / u32::try_from(ROUNDS * 11).unwrap_or(1)
        );
    }
    println!(
        "10 kB ({read} of {ROUNDS} parse): median {:?}, p99 {:?}, worst {:?}",
        times[ROUNDS / 2],
        times[(ROUNDS * 99).div_ceil(100) - 1],
        times[ROUNDS - 1]
    );
    let words = "word ".repeat(2_000);
    let script = format!(
        "bash -c '{}'",
        "echo a | sort && ls -l > /dev/null; ".repeat(280)
    );
    let loops =
        "for f in a b; do # each\n if rm -r $f; then sudo ls; else b | c; fi\ndone\n".repeat(140);
    for (name, text) in [
        ("10 kB of words", &words),
        ("10 kB inner script", &script),
        ("10 kB of loops", &loops),
        ("50 kB of loops", &loops.repeat(5)),
    ] {
        let start = Instant::now();
        super::analyse(text);
        println!("{name}: {:?}", start.elapsed());
    }
}
