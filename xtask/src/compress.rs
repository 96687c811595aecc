//! `.br` and `.gz` beside each file that gains by it, so that the server never compresses while somebody waits.

use anyhow::Result;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

const BROTLI_QUALITY: i32 = 11;
const BROTLI_WINDOW: i32 = 24;

pub fn beside(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let plain = fs::read(file)?;
        keep_if_smaller(file, "br", &plain, &brotli(&plain)?)?;
        keep_if_smaller(file, "gz", &plain, &gzip(&plain)?)?;
    }
    Ok(())
}

/// Removes what [`beside`] made: the plain files have changed.
pub fn forget(files: &[PathBuf]) -> Result<()> {
    let packed = |file: &&PathBuf| {
        file.extension()
            .is_some_and(|ending| ending == "br" || ending == "gz")
    };
    for file in files.iter().filter(packed) {
        fs::remove_file(file)?;
    }
    Ok(())
}

fn keep_if_smaller(file: &Path, ending: &str, plain: &[u8], packed: &[u8]) -> Result<()> {
    if packed.len() < plain.len() {
        let mut name = file.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        fs::write(name, packed)?;
    }
    Ok(())
}

fn brotli(plain: &[u8]) -> Result<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: BROTLI_WINDOW,
        size_hint: plain.len(),
        ..Default::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &plain[..], &mut packed, &parameters)?;
    Ok(packed)
}

fn gzip(plain: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain)?;
    Ok(encoder.finish()?)
}
