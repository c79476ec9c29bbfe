//! The query: what the user asked, and what the user gave to judge an answer by.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{PartId, TaskId};

/// A question with everything that came with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// The words.
    pub text: String,
    /// Files that came with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// What the user knows about a right answer.
    #[serde(default)]
    pub given: Given,
    /// The parts that an answer must cover, derived once by the scorer (never by a program).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// A file that the user attached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name, without folders.
    pub name: String,
    /// Its text; empty for an image.
    #[serde(default)]
    pub text: String,
    /// The image that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Image>,
}

/// An image as servers of models take it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media: String,
    /// Its bytes in base64. In a journal its hash stands in their place.
    pub base64: Arc<str>,
}

impl Image {
    /// How many bytes it has, without their encoding.
    #[must_use]
    pub fn size(&self) -> usize {
        self.base64.trim_end_matches('=').len() * 3 / 4
    }
}

/// What the user gave to judge an answer by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// A known right answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Tests of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<String>,
    /// A rubric for a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric: Option<String>,
}

/// One thing that an answer must cover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its id, which contributions name.
    pub id: PartId,
    /// The words it was read from.
    pub text: String,
    /// The class of the problem (`solve`, `convert`, …, `unread`).
    pub class: String,
    /// Words that must be defined first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unclear: Vec<String>,
    /// Features of the question that call for care (`radical`, `denominator`, `absolute`, `logarithm`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cautions: Vec<String>,
    /// The reading of this part, as the scorer's formaliser gave it: opaque here, exact there.
    pub reading: Value,
}

/// What an activation is asked to do: the whole query, or one sub-task of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// 0 is the whole query.
    pub id: TaskId,
    /// The words.
    pub text: String,
    /// The parts it answers.
    pub parts: Vec<PartId>,
}

impl Query {
    /// Makes a query from its words alone.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The task that stands for the whole query.
    #[must_use]
    pub fn whole(&self) -> Task {
        Task { id: TaskId(0), text: self.text.clone(), parts: self.parts.iter().map(|part| part.id).collect() }
    }

    /// The part with this id.
    #[must_use]
    pub fn part(&self, id: PartId) -> Option<&Part> {
        self.parts.iter().find(|part| part.id == id)
    }
}
