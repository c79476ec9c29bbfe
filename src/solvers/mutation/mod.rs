//! To be merged.
#[derive(Debug, thiserror::Error)]
#[error("x")]
/// E
pub struct MutationError;
/// p
pub fn parses(_s: &str) -> Result<(), MutationError> { Ok(()) }
/// c
pub fn check_literals(_a: &str, _b: &str, _c: &[String]) -> Vec<String> { vec![] }
