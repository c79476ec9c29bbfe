//! Images that go with an ask: what they take, models that do not look at them, and servers that say so.

use std::borrow::Cow;

use crate::engine::ports::{Ask, Fault, Message, ProviderError};
use crate::model::Image;

use super::call::Order;
use super::wire::clip;

/// Tokens of an image, rather too many than too few: servers make large ones smaller before a model looks at them.
const TOKENS: u64 = 1_700;

/// Words by which servers say that a model looks at no images, or not at these.
const UNWANTED: [&str; 5] = ["image", "mmproj", "multimodal", "multi-modal", "inlinedata"];

/// Tokens of images.
pub(super) fn tokens(images: &[Image]) -> u64 {
    TOKENS * images.len() as u64
}

/// An ask as a server gets it: where its models look at no images, they are told that there are some.
pub(super) fn shown(ask: &Ask, images: bool) -> Cow<'_, Ask> {
    if images || ask.images.is_empty() {
        return Cow::Borrowed(ask);
    }
    let mut told = Ask { images: Vec::new(), ..ask.clone() };
    if let Some(Message::User(text)) = told.messages.iter_mut().find(|it| matches!(it, Message::User(_))) {
        text.push_str("\n\n(The images cannot be shown to you. Say so where they matter.)");
    }
    Cow::Owned(told)
}

/// What an answer means that refuses images; none where it is about something else.
pub(super) fn unwanted(order: &Order<'_>, status: u16, words: &str) -> Option<ProviderError> {
    let settings = &order.endpoint.settings;
    let plain = words.to_lowercase();
    let about = UNWANTED.iter().any(|mark| plain.contains(mark));
    let refused = matches!(status, 400 | 404 | 415 | 422 | 500 | 501);
    if order.ask.images.is_empty() || !settings.images || !about || !refused {
        return None;
    }
    // What to do comes before the server's own words, which may be long.
    let told = format!("{} does not take the image", settings.name);
    let hint = format!(
        "set `images = false` for this endpoint, or use a model that looks at images; it answered {status}: {}",
        clip(words)
    );
    Some(ProviderError::new(Fault::Rejected, told).hint(hint))
}
