//! A file on its way through the server: what is kept of it, and its content. Checked here, once, by what it holds.

use crate::model::attachment::{
    Attachment, AttachmentLimits, MediaType, NewAttachment, plain_name,
};
use crate::model::{AttachmentId, Code, Refusal};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    pub about: Attachment,
    pub content: Arc<[u8]>,
}

impl Attached {
    /// Reads what a person sent. The refusal names the file.
    pub fn read(new: NewAttachment) -> Result<Self, Refusal> {
        let name = plain_name(&new.name);
        let content = STANDARD.decode(&new.data).map_err(|_| {
            let words = format!("The content of \"{name}\" did not arrive whole. Attach it again.");
            Refusal::new(Code::InvalidRequest, words)
        })?;
        if MediaType::of(&content).is_some_and(|kind| !kind.is_whole(&content)) {
            let words = format!(
                "The picture \"{name}\" is cut off, and no model could read it. Save it again, or attach another."
            );
            return Err(Refusal::new(Code::InvalidRequest, words));
        }
        Self::of(name.clone(), content).filter(|_| !is_drawing(&new.media_type)).ok_or_else(|| {
            let words = match is_drawing(&new.media_type) {
                true => format!("\"{name}\" is an SVG drawing, which no model can look at. Attach it as PNG, or name its path in the message."),
                false => format!("\"{name}\" cannot be attached: only PNG, JPEG, GIF and WebP pictures, PDF and plain text (UTF-8) can. Save it as one of these, or name its path in the message."),
            };
            Refusal::new(Code::InvalidRequest, words)
        })
    }

    /// None: it is of no kind that we keep.
    pub fn of(name: String, content: Vec<u8>) -> Option<Self> {
        let media_type = MediaType::of(&content)?;
        Some(Self {
            about: Attachment {
                id: AttachmentId::random(),
                name,
                media_type,
                bytes: content.len(),
            },
            content: content.into(),
        })
    }

    /// A picture as an agent sends it; whatever else it is said to be is none.
    pub fn picture(name: &str, base64: &str) -> Option<Self> {
        let content = STANDARD.decode(base64).ok()?;
        Self::of(name.to_owned(), content).filter(|file| file.about.media_type.is_image())
    }

    pub fn base64(&self) -> String {
        STANDARD.encode(&self.content)
    }

    /// The text of a text file.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.content).unwrap_or_default()
    }

    /// How long it is in a line of JSON.
    pub fn length_in_json(&self) -> usize {
        match self.about.media_type {
            MediaType::Text => serde_json::to_string(self.text()).map_or(0, |text| text.len()),
            _ => self.content.len().div_ceil(3) * 4,
        }
    }
}

/// All files of one message.
pub fn read_all(
    files: Vec<NewAttachment>,
    limits: AttachmentLimits,
) -> Result<Vec<Attached>, Refusal> {
    let too_large = |words| Refusal::new(Code::TooLarge, words);
    // before anything is decoded
    let names: Vec<String> = files.iter().map(|file| plain_name(&file.name)).collect();
    let sizes = files.iter().map(|file| length_of(&file.data));
    limits
        .check(names.iter().map(String::as_str).zip(sizes))
        .map_err(too_large)?;
    files.into_iter().map(Attached::read).collect()
}

/// What a base64 text holds, in bytes.
fn length_of(base64: &str) -> usize {
    let padding = base64
        .bytes()
        .rev()
        .take_while(|byte| *byte == b'=')
        .count();
    (base64.len() / 4 * 3).saturating_sub(padding.min(2))
}

fn is_drawing(media_type: &str) -> bool {
    media_type
        .trim()
        .to_ascii_lowercase()
        .starts_with("image/svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: AttachmentLimits = AttachmentLimits {
        count: 2,
        bytes: 100,
        bytes_in_all: 150,
    };

    fn new(name: &str, media_type: &str, content: &[u8]) -> NewAttachment {
        NewAttachment {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            data: STANDARD.encode(content),
            kept: None,
        }
    }

    #[test]
    fn a_file_is_what_it_holds_whatever_it_is_called() {
        let files = vec![new(
            "cat.png",
            "image/png",
            b"\xff\xd8\xff\xe0 a photo\xff\xd9",
        )];
        let read = read_all(files, LIMITS).expect("a photo");
        assert_eq!(read[0].about.media_type, MediaType::Jpeg);
        assert_eq!(read[0].about.bytes, 14);
        assert_eq!(read[0].length_in_json(), read[0].base64().len());
    }

    #[test]
    fn a_file_of_another_kind_is_refused_by_name() {
        for (name, kind, content, words) in [
            (
                "a.docx",
                "",
                b"PK\x03\x04".as_slice(),
                "\"a.docx\" cannot be attached",
            ),
            (
                "a.png",
                "image/png",
                b"\x7fELF",
                "\"a.png\" cannot be attached",
            ),
            (
                "a.svg",
                "image/svg+xml",
                b"<svg/>",
                "\"a.svg\" is an SVG drawing",
            ),
        ] {
            let refusal = read_all(vec![new(name, kind, content)], LIMITS).expect_err(name);
            assert_eq!(refusal.code, Code::InvalidRequest);
            assert!(refusal.message.starts_with(words), "{refusal}");
        }
        let cut = NewAttachment {
            data: "abc".to_owned(),
            ..new("cut.png", "image/png", b"")
        };
        let refusal = Attached::read(cut).expect_err("cut");
        assert!(refusal.message.contains("\"cut.png\""), "{refusal}");
    }

    #[test]
    fn size_is_checked_before_anything_is_decoded() {
        let large = NewAttachment {
            data: "!".repeat(400),
            ..new("large.txt", "text/plain", b"")
        };
        let refusal = read_all(vec![large], LIMITS).expect_err("large");
        assert_eq!(refusal.code, Code::TooLarge);
        for length in 0..50 {
            assert_eq!(length_of(&STANDARD.encode(vec![b'x'; length])), length);
        }
    }

    #[test]
    fn what_an_agent_calls_a_picture_must_be_one() {
        assert!(Attached::picture("p", &STANDARD.encode(b"GIF89a ...")).is_some());
        assert!(Attached::picture("p", &STANDARD.encode(b"<svg/>")).is_none());
        assert!(Attached::picture("p", "not base64").is_none());
    }
}
