//! Files that go with a message, and pictures that a tool brings. What a file *is* is read from its content, never from
//! its name: there is no way to name a page or a drawing with scripts as a picture.

use super::AttachmentId;
use serde::{Deserialize, Serialize};

/// A file as a person sends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewAttachment {
    pub name: String,
    /// What the sender takes it for. Only used to say what is wrong with it.
    #[serde(default)]
    pub media_type: String,
    /// In base64.
    #[serde(default)]
    pub data: String,
    /// Instead of its content: one that was sent before and is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<AttachmentId>,
}

impl NewAttachment {
    pub fn again(known: &Attachment) -> Self {
        Self {
            name: known.name.clone(),
            media_type: String::new(),
            data: String::new(),
            kept: Some(known.id),
        }
    }
}

/// What the transcript keeps of a file. Its content is served under `/attachment/{id}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    pub id: AttachmentId,
    pub name: String,
    pub media_type: MediaType,
    pub bytes: usize,
}

impl Attachment {
    pub fn address(&self) -> String {
        format!("/attachment/{}", self.id)
    }
}

/// The kinds an agent can look at, and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MediaType {
    #[serde(rename = "image/png")]
    Png,
    #[serde(rename = "image/jpeg")]
    Jpeg,
    #[serde(rename = "image/gif")]
    Gif,
    #[serde(rename = "image/webp")]
    Webp,
    #[serde(rename = "application/pdf")]
    Pdf,
    #[serde(rename = "text/plain")]
    Text,
}

impl MediaType {
    pub const ALL: [MediaType; 6] = [
        MediaType::Png,
        MediaType::Jpeg,
        MediaType::Gif,
        MediaType::Webp,
        MediaType::Pdf,
        MediaType::Text,
    ];

    pub fn word(self) -> &'static str {
        match self {
            MediaType::Png => "image/png",
            MediaType::Jpeg => "image/jpeg",
            MediaType::Gif => "image/gif",
            MediaType::Webp => "image/webp",
            MediaType::Pdf => "application/pdf",
            MediaType::Text => "text/plain",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    pub fn is_image(self) -> bool {
        !matches!(self, MediaType::Pdf | MediaType::Text)
    }

    /// Read from the first bytes. Five signatures that have not changed in decades: a crate that knows hundreds of
    /// kinds would have to be told which ones are welcome, and that list is longer than this.
    pub fn of(content: &[u8]) -> Option<Self> {
        const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
        match content {
            _ if content.starts_with(PNG) => Some(MediaType::Png),
            [0xff, 0xd8, 0xff, ..] => Some(MediaType::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(MediaType::Gif),
            _ if content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP") => {
                Some(MediaType::Webp)
            }
            _ if content.starts_with(b"%PDF-") => Some(MediaType::Pdf),
            _ if is_text(content) => Some(MediaType::Text),
            _ => None,
        }
    }
}

impl MediaType {
    /// A picture ends as its kind ends; one that was cut off is of no use to a model. Bytes behind its end do no harm.
    pub fn is_whole(self, content: &[u8]) -> bool {
        let tail = &content[content.len().saturating_sub(64 * 1024)..];
        let has = |end: &[u8]| tail.windows(end.len()).any(|part| part == end);
        match self {
            MediaType::Png => has(b"IEND"),
            MediaType::Jpeg => has(&[0xff, 0xd9]),
            MediaType::Gif => tail.contains(&0x3b),
            MediaType::Webp => {
                let length = content.get(4..8).and_then(|four| four.try_into().ok());
                let length = length.map_or(0, u32::from_le_bytes) as usize;
                content.len() >= length.saturating_add(8)
            }
            MediaType::Pdf | MediaType::Text => true,
        }
    }
}

/// UTF-8 without characters that no text has; escape sequences of a terminal's log are let through.
fn is_text(content: &[u8]) -> bool {
    let is_odd =
        |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    !content.is_empty() && !content.iter().any(is_odd) && std::str::from_utf8(content).is_ok()
}

/// How many files, and how large. The browser checks the same before it sends anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttachmentLimits {
    pub count: usize,
    /// Of one file.
    pub bytes: usize,
    /// Of all files of one message.
    pub bytes_in_all: usize,
}

impl AttachmentLimits {
    /// The error is a sentence for a person that names the file.
    pub fn check<'a>(
        &self,
        files: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Result<(), String> {
        let (mut count, mut all) = (0, 0_usize);
        for (name, bytes) in files {
            count += 1;
            all = all.saturating_add(bytes);
            if bytes == 0 {
                return Err(format!(
                    "\"{name}\" is empty. Remove it and send the message again."
                ));
            }
            if bytes > self.bytes {
                return Err(format!(
                    "\"{name}\" has {}; one file may have at most {}. Make it smaller, or name its path in the message.",
                    size(bytes),
                    size(self.bytes)
                ));
            }
            if count > self.count {
                return Err(format!(
                    "\"{name}\" is one file too many: at most {} go with a message. Send it with the next one.",
                    self.count
                ));
            }
            if all > self.bytes_in_all {
                return Err(format!(
                    "With \"{name}\" the files have {} together; at most {} go with a message. Send it with the next one.",
                    size(all),
                    size(self.bytes_in_all)
                ));
            }
        }
        Ok(())
    }
}

/// "812 bytes", "47 kB", "3.7 MB".
pub fn size(bytes: usize) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    }
}

/// The last part of a name, without what a person cannot see, and not longer than a name is.
pub fn plain_name(name: &str) -> String {
    const LONGEST: usize = 120;
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let mut plain: String = last
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    if plain.chars().count() > LONGEST {
        plain = plain.chars().take(LONGEST - 1).collect::<String>() + "…";
    }
    match plain.as_str() {
        "" | "." | ".." => "file".to_owned(),
        _ => plain,
    }
}
