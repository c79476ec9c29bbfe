//! Who issued a certificate: what a person needs to know when one is not trusted, and no error of a TLS library says.

/// `2.5.4.3`, the common name, and `2.5.4.10`, the organisation.
const COMMON_NAME: [u8; 3] = [0x55, 4, 3];
const ORGANISATION: [u8; 3] = [0x55, 4, 10];

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;

/// The name of the issuer of a certificate in DER form, on one line; none where it has none that can be read.
pub(super) fn issuer(der: &[u8]) -> Option<String> {
    let (_, certificate, _) = element(der)?;
    let (_, mut rest, _) = element(certificate)?;
    // Version where it is said, serial number, algorithm; then the issuer.
    let (tag, _, after) = element(rest)?;
    if tag == VERSION {
        rest = after;
    }
    let (_, _, after) = element(rest)?;
    let (_, _, after) = element(after)?;
    let (tag, issuer, _) = element(after)?;
    if tag != SEQUENCE {
        return None;
    }
    let name = named(issuer, &COMMON_NAME).or_else(|| named(issuer, &ORGANISATION))?;
    let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    (!name.trim().is_empty()).then_some(name)
}

/// The first attribute of this kind in a name.
fn named(mut name: &[u8], kind: &[u8]) -> Option<String> {
    while let Some((_, set, after)) = element(name) {
        name = after;
        let (_, attribute, _) = element(set)?;
        let (_, oid, value) = element(attribute)?;
        if oid == kind {
            let (_, text, _) = element(value)?;
            return Some(String::from_utf8_lossy(text).into_owned());
        }
    }
    None
}

/// Tag, content and what follows of the first element.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = der.split_first()?;
    let (first, mut rest) = rest.split_first()?;
    let mut length = usize::from(*first);
    if length >= 0x80 {
        let bytes = length & 0x7f;
        if bytes == 0 || bytes > 4 || rest.len() < bytes {
            return None;
        }
        let (long, after) = rest.split_at(bytes);
        length = long.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        rest = after;
    }
    (rest.len() >= length).then(|| rest.split_at(length)).map(|(content, after)| (*tag, content, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_has_no_issuer() {
        for der in
            [&b""[..], b"\x30", b"\x30\x84\xff\xff\xff\xff", b"\x30\x80\x00\x00", b"\x30\x03\x30\x01\x02", b"nonsense"]
        {
            assert_eq!(issuer(der), None, "{der:?}");
        }
    }
}
