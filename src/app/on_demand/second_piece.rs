//! The second piece of the program, and whether it is here.

#[cfg_attr(feature = "split", path = "second_piece/cut.rs")]
#[cfg_attr(not(feature = "split"), path = "second_piece/whole.rs")]
mod program;

pub use program::{draw, is_here, load};
