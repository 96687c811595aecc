//! How often and at what length it is told what an agent does wrong: one that does it all the time must not bury everything
//! else under that. Pure.

/// The first times are told one by one.
pub const FIRST: u32 = 3;
/// A longer name is no name that a person reads.
const LONGEST: usize = 80;

/// Of what has happened so many times: the first ones, then the tenth, the hundredth and so on.
pub fn is_told(count: u32) -> bool {
    count <= FIRST || 10_u32.pow(count.ilog10()) == count
}

/// As much of a text as names it, in one line.
pub fn in_short(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST);
    let mut short: String = text[..end]
        .chars()
        .map(|c| if c.is_control() { '·' } else { c })
        .collect();
    if end < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_and_on_is_told_ever_more_seldom() {
        let told: Vec<u32> = (1..=100_000).filter(|count| is_told(*count)).collect();
        assert_eq!(told, [1, 2, 3, 10, 100, 1000, 10_000, 100_000]);
        assert!(!is_told(u32::MAX));
    }

    #[test]
    fn what_is_long_is_cut_between_characters() {
        assert_eq!(in_short("Bash"), "Bash");
        assert_eq!(in_short("a\u{1b}b\n"), "a·b·");
        assert_eq!(in_short(&"ä".repeat(100)), "ä".repeat(40) + "…");
    }
}
