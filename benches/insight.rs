//! `cargo bench --features ssr --bench insight`: how long it takes to say what a command would do, for commands of up to
//! 10 kB, made of the corpus that keeps the marks honest.

use countersign::server::insight::command::{Surroundings, analyse};
use std::hint::black_box;
use std::time::Instant;

const CORPUS: &str = include_str!("../src/server/insight/command/tests/corpus.txt");
const LONGEST: usize = 10_000;
const ROUNDS: usize = 5;
const GOAL: f64 = 5.0;

fn main() {
    let surroundings = Surroundings {
        project: "/code/api",
        directory: "/code/api",
        home: Some("/home/ada"),
        exists: &|_| true,
    };
    let lines: Vec<&str> = CORPUS
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .filter_map(|line| Some(line.rsplit_once(" => ")?.0))
        .collect();
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        for start in 0..lines.len() {
            let command = joined(&lines, start, LONGEST >> (start % 5));
            let began = Instant::now();
            black_box(analyse(black_box(&command), &surroundings));
            if round > 0 {
                times.push((began.elapsed().as_secs_f64() * 1e3, command.len()));
            }
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)].0;
    println!(
        "\nmilliseconds to look into a command of up to {LONGEST} bytes, {} commands",
        times.len()
    );
    println!("p50 {:.2}   p95 {:.2}   p99 {:.2}", at(50), at(95), at(99));
    let verdict = if at(99) <= GOAL { "reached" } else { "MISSED" };
    println!("p99 {:.2}   goal ≤ {GOAL}: {verdict}", at(99));
}

/// As many lines as fit, one after the other.
fn joined(lines: &[&str], start: usize, longest: usize) -> String {
    let mut command = String::new();
    for line in lines.iter().cycle().skip(start).take(lines.len()) {
        if command.len() + line.len() + 1 > longest {
            break;
        }
        command.push_str(line);
        command.push('\n');
    }
    command
}
