//! The one small expression language of rules, `accepts`, breakpoints, watches and approval rules.
//!
//! It is minijinja's: names, `.` and `[]`, comparison, `and or not in`, arithmetic, filters such as `length`. What is
//! not there is undefined, not an error, so that `wm.plan[0].text` may be asked before there is a plan.

use std::fmt;
use std::sync::{Arc, LazyLock};

use minijinja::{Environment, UndefinedBehavior, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_fuel(Some(50_000));
    environment
});

/// A compiled expression with its text.
#[derive(Clone)]
pub struct Expr {
    source: Arc<str>,
    compiled: Arc<minijinja::Expression<'static, 'static>>,
}

/// Why an expression could not be compiled or evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} in `{source_text}`")]
pub struct ExprError {
    /// One clause.
    pub message: String,
    /// The expression.
    pub source_text: String,
}

impl Expr {
    /// Compiles an expression.
    ///
    /// # Errors
    /// When it is not an expression.
    pub fn new(source: &str) -> Result<Self, ExprError> {
        ENVIRONMENT
            .compile_expression_owned(source.to_owned())
            .map(|compiled| Self { source: Arc::from(source), compiled: Arc::new(compiled) })
            .map_err(|error| ExprError { message: plain(&error), source_text: source.to_owned() })
    }

    /// Its text.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Evaluates it over a scope.
    ///
    /// # Errors
    /// When it compares what cannot be compared, or runs out of its bounded work.
    pub fn value(&self, scope: &Value) -> Result<Value, ExprError> {
        self.compiled
            .eval(scope)
            .map_err(|error| ExprError { message: plain(&error), source_text: self.source.to_string() })
    }

    /// Whether it holds over a scope.
    ///
    /// # Errors
    /// As [`Expr::value`].
    pub fn holds(&self, scope: &Value) -> Result<bool, ExprError> {
        self.value(scope).map(|value| value.is_true())
    }
}

fn plain(error: &minijinja::Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), str::to_owned)
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({})", self.source)
    }
}
impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}
impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}
impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_read_what_is_there_and_shrug_at_what_is_not() {
        let scope = Value::from(minijinja::value::Serde(serde_json::json!({ "j": 0.6, "wm": { "draft": ["x = 3"] } })));
        let check = |text: &str, expected: bool| {
            assert_eq!(Expr::new(text).unwrap().holds(&scope).unwrap(), expected, "{text}");
        };
        check("j >= 0.6 and wm.draft", true);
        check("wm.plan[0].text == 'a'", false);
        check("'x = 3' in wm.draft and wm.draft|length == 1", true);
        check("not wm.verdict", true);
        assert!(Expr::new("j >").is_err());
    }
}
