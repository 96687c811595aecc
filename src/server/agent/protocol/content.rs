//! What a message holds besides words, as the blocks the CLI takes and gives.

use super::word;
use crate::model::MediaType;
use crate::server::attached::Attached;
use serde_json::{Value, json};

/// A plain message is plain text; with files it is a list of blocks, the files first, as the model reads them best.
pub fn message_content(text: &str, files: &[Attached]) -> Value {
    if files.is_empty() {
        return json!(text);
    }
    let mut blocks: Vec<Value> = files.iter().map(block).collect();
    if !text.trim().is_empty() {
        blocks.push(json!({"type": "text", "text": text}));
    }
    Value::Array(blocks)
}

fn block(file: &Attached) -> Value {
    let kind = file.about.media_type;
    let name = &file.about.name;
    match kind {
        MediaType::Text => json!({
            "type": "document", "title": name,
            "source": {"type": "text", "media_type": kind.word(), "data": file.text()},
        }),
        MediaType::Pdf => json!({
            "type": "document", "title": name,
            "source": {"type": "base64", "media_type": kind.word(), "data": file.base64()},
        }),
        _ => json!({
            "type": "image",
            "source": {"type": "base64", "media_type": kind.word(), "data": file.base64()},
        }),
    }
}

/// The pictures in the content of a result. What is not really one stays a word in its text.
pub fn pictures(content: &Value) -> Vec<Attached> {
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    blocks
        .iter()
        .filter(|block| word(block, "type") == "image")
        .filter_map(|block| Attached::picture("Picture", word(&block["source"], "data")))
        .collect()
}

/// The text of a result; what is neither text nor a picture that is shown is named.
pub fn words(content: &Value, pictures: usize) -> String {
    let mut shown = pictures;
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| match word(block, "type") {
                "text" => Some(word(block, "text").to_owned()),
                "" => None,
                "image" if shown > 0 => {
                    shown -= 1;
                    None
                }
                other => Some(format!("[{other}]")),
            })
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, content: &[u8]) -> Attached {
        Attached::of(name.to_owned(), content.to_vec()).expect("a kind we know")
    }

    #[test]
    fn a_message_without_files_stays_plain_text() {
        assert_eq!(message_content("hello", &[]), json!("hello"));
    }

    #[test]
    fn files_become_the_blocks_the_cli_takes() {
        let files = [
            file("a.gif", b"GIF89a;"),
            file("b.pdf", b"%PDF-1.4"),
            file("c.rs", "fn größe() {}".as_bytes()),
        ];
        assert_eq!(
            message_content("look", &files),
            json!([
                {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "R0lGODlhOw=="}},
                {"type": "document", "title": "b.pdf",
                 "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQ="}},
                {"type": "document", "title": "c.rs",
                 "source": {"type": "text", "media_type": "text/plain", "data": "fn größe() {}"}},
                {"type": "text", "text": "look"},
            ])
        );
        let alone = message_content("  ", &files[..1]);
        assert_eq!(
            alone.as_array().map(Vec::len),
            Some(1),
            "an empty text is refused by the API"
        );
    }

    #[test]
    fn pictures_of_a_result_are_taken_out_of_its_words() {
        let content = json!([
            {"type": "text", "text": "before"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "R0lGODlhOw=="}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": "PHN2Zy8+"}},
            {"type": "resource"},
        ]);
        let pictures = pictures(&content);
        assert_eq!(pictures.len(), 1);
        assert_eq!(pictures[0].about.media_type, MediaType::Gif);
        assert_eq!(
            words(&content, pictures.len()),
            "before\n[image]\n[resource]"
        );
    }
}
