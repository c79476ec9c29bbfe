//! Reads a file that goes with a question: text, or an image that a model may look at.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::engine::ports::PortError;
use crate::model::{Attachment, Image};

/// Most bytes of a file of text.
pub const TEXT: u64 = 8 << 20;

/// Most bytes of an image; servers take no larger ones.
pub const IMAGE: u64 = 5 << 20;

/// Reads one file.
///
/// # Errors
/// When it cannot be read, is larger than [`TEXT`] or [`IMAGE`], or is neither UTF-8 text nor an image of a known format.
pub fn attachment(path: &Path) -> Result<Attachment, PortError> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(TEXT + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        PortError::new(format!("{shown} cannot be read: {error}")).hint("give a file that you may read")
    })?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let too_long = |what: &str, most: u64| {
        PortError::new(format!("{shown} is longer than {} MiB", most >> 20))
            .hint(format!("{what} may have {} MiB; give a smaller one, or the part that matters", most >> 20))
    };
    if let Some(media) = media(&bytes) {
        if bytes.len() as u64 > IMAGE {
            return Err(too_long("an image", IMAGE));
        }
        let image = Image { media: media.to_owned(), base64: STANDARD.encode(&bytes).into() };
        return Ok(Attachment { name, text: String::new(), image: Some(image) });
    }
    if bytes.len() as u64 > TEXT {
        return Err(too_long("a file", TEXT));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        PortError::new(format!("{shown} is not UTF-8 text, from byte {at} on, and no image that is known"))
            .hint("give UTF-8 text, or an image as PNG, JPEG, GIF or WebP")
    })?;
    Ok(Attachment { name, text, image: None })
}

/// The media type of an image, by its first bytes: its name may say anything.
fn media(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, bytes: &[u8]) -> Result<Attachment, PortError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        attachment(&path)
    }

    #[test]
    fn an_image_is_known_by_its_bytes() {
        let check = |bytes: &[u8], media: &str| {
            let read = read("holiday.txt", bytes).unwrap();
            let image = read.image.unwrap();
            assert_eq!((image.media.as_str(), read.text.as_str(), read.name.as_str()), (media, "", "holiday.txt"));
            assert_eq!(STANDARD.decode(image.base64.as_bytes()).unwrap(), bytes);
        };
        check(b"\x89PNG\r\n\x1a\nrest", "image/png");
        check(b"\xff\xd8\xff\xe0", "image/jpeg");
        check(b"GIF89a;", "image/gif");
        check(b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp");
        let text = read("a.png", b"RIFF is not enough").unwrap();
        assert_eq!((text.text.as_str(), text.image), ("RIFF is not enough", None));
    }

    #[test]
    fn what_cannot_be_attached_is_told() {
        let check = |bytes: &[u8], expected: &str| {
            let error = read("x", bytes).unwrap_err();
            assert!(error.message.contains(expected) && error.hint.is_some(), "{error:?}");
        };
        check(b"caf\xe9", "is not UTF-8 text, from byte 3 on");
        let large = |first: &[u8], more: u64| [first, &vec![b'x'; usize::try_from(more).unwrap()]].concat();
        check(&large(b"", TEXT + 1), "is longer than 8 MiB");
        check(&large(b"GIF89a", IMAGE), "is longer than 5 MiB");
        assert!(attachment(Path::new("/nowhere/at/all")).unwrap_err().message.contains("cannot be read"));
    }
}
