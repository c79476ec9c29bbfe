//! Tools of exact algebra: the primitives of which a script makes a method.
//!
//! Expressions and equations travel as text; answers are text that the parser reads back. Where a tool cannot decide, it
//! gives `None`; where its question makes no sense, it fails with one clause.

mod arguments;
mod equations;
mod expressions;
mod polynomials;

use super::{Tool, Type};

type Run = fn(&[serde_json::Value]) -> Result<serde_json::Value, String>;

const fn tool(
    name: &'static str,
    takes: &'static [(&'static str, Type)],
    gives: Type,
    run: Run,
    doc: &'static str,
) -> Tool {
    Tool { name, takes, gives, doc, run }
}

const E: (&str, Type) = ("e", Type::Expression);
const EQ: (&str, Type) = ("eq", Type::Equation);
const EQS: (&str, Type) = ("equations", Type::Equations);
const X: (&str, Type) = ("x", Type::Name);

/// All tools of algebra.
pub static TOOLS: &[Tool] = &[
    tool(
        "variables",
        &[E],
        Type::Names,
        expressions::variables,
        "Lists the unknowns of an expression or equation in alphabetical order",
    ),
    tool(
        "canonical",
        &[E],
        Type::Text,
        expressions::canonical,
        "Writes an expression or equation in canonical order without changing its shape",
    ),
    tool(
        "simplify",
        &[E],
        Type::Expression,
        expressions::simplified,
        "Gives the smallest equal form: fractions reduced, surds reduced, like terms gathered",
    ),
    tool(
        "expand",
        &[E],
        Type::Expression,
        expressions::expanded,
        "Multiplies out into a sum of products, or a quotient of two such sums in lowest terms",
    ),
    tool(
        "factor",
        &[E],
        Type::Expression,
        expressions::factored,
        "Writes as a product of factors that are irreducible over the rationals, as far as found",
    ),
    tool(
        "factors",
        &[E],
        Type::Any,
        expressions::factors,
        "Lists the factors as [expression, multiplicity] pairs, numbers first",
    ),
    tool(
        "lowest_terms",
        &[E],
        Type::Expression,
        expressions::lowest_terms,
        "Reduces to one fraction without common factors",
    ),
    tool(
        "numerator",
        &[E],
        Type::Expression,
        expressions::numerator,
        "Gives the numerator of the fraction in lowest terms",
    ),
    tool(
        "denominator",
        &[E],
        Type::Expression,
        expressions::denominator,
        "Gives the denominator of the fraction in lowest terms",
    ),
    tool(
        "substitute",
        &[E, ("values", Type::Assignment)],
        Type::Text,
        expressions::substituted,
        "Puts values for unknowns in an expression or equation and folds numbers",
    ),
    tool(
        "value",
        &[E],
        Type::Number,
        expressions::value,
        "Gives the exact number that an expression without unknowns stands for",
    ),
    tool(
        "rounded",
        &[E, ("digits", Type::Number)],
        Type::Number,
        expressions::decimal,
        "Rounds the value of an expression without unknowns to so many decimals",
    ),
    tool(
        "equal",
        &[("a", Type::Expression), ("b", Type::Expression)],
        Type::Truth,
        expressions::are_equal,
        "Tells whether two expressions are equal wherever both are defined; None if undecided",
    ),
    tool(
        "sign",
        &[E],
        Type::Number,
        expressions::sign_of,
        "Gives -1, 0 or 1 for an expression without unknowns, proved; None if undecided",
    ),
    tool("size", &[E], Type::Number, expressions::size, "Counts how much there is to read in an expression"),
    tool(
        "square_root",
        &[("n", Type::Number)],
        Type::Expression,
        expressions::square_root,
        "Gives the exact square root of a number, squares taken out",
    ),
    tool(
        "is_rational",
        &[E],
        Type::Truth,
        expressions::is_rational,
        "Tells whether the value of an expression without unknowns reduces to a rational number",
    ),
    tool(
        "degree",
        &[E, X],
        Type::Number,
        polynomials::degree,
        "Gives the degree in x; None if it is no polynomial in x",
    ),
    tool(
        "is_polynomial",
        &[E, X],
        Type::Truth,
        polynomials::is_polynomial,
        "Tells whether an expression or both sides of an equation are polynomials in x",
    ),
    tool(
        "coefficients",
        &[E, X],
        Type::Numbers,
        polynomials::coefficients,
        "Lists the coefficients of a polynomial in x from the constant upwards",
    ),
    tool(
        "integer_coefficients",
        &[E, X],
        Type::Numbers,
        polynomials::integer_coefficients,
        "Lists whole coprime coefficients proportional to those of a polynomial in x, from the constant upwards",
    ),
    tool(
        "polynomial",
        &[("coefficients", Type::Numbers), X],
        Type::Expression,
        polynomials::polynomial,
        "Builds a polynomial in x from its coefficients, from the constant upwards",
    ),
    tool(
        "rational_roots",
        &[E, X],
        Type::Numbers,
        polynomials::rational_roots,
        "Lists the different rational roots of a polynomial in x in ascending order",
    ),
    tool(
        "deflate",
        &[E, X, ("root", Type::Number)],
        Type::Expression,
        polynomials::deflate,
        "Divides a polynomial in x by x minus the root, exactly",
    ),
    tool(
        "divide",
        &[("a", Type::Expression), ("b", Type::Expression), X],
        Type::Any,
        polynomials::divide,
        "Divides polynomials in x: [quotient, remainder]",
    ),
    tool(
        "common_divisor",
        &[("a", Type::Expression), ("b", Type::Expression)],
        Type::Expression,
        polynomials::common_divisor,
        "Gives the greatest common divisor of two polynomials",
    ),
    tool("derivative", &[E, X], Type::Expression, polynomials::derivative, "Gives the derivative of a polynomial in x"),
    tool(
        "count_real_roots",
        &[E, X],
        Type::Number,
        polynomials::count_roots,
        "Counts the different real roots of a polynomial in x by Sturm's theorem",
    ),
    tool(
        "root_intervals",
        &[E, X],
        Type::Any,
        polynomials::root_intervals,
        "Lists intervals [low, high] with one real root of a polynomial in x each, ascending",
    ),
    tool(
        "refine_root",
        &[E, X, ("interval", Type::Any), ("digits", Type::Number)],
        Type::Number,
        polynomials::refine_root,
        "Gives the only root of a polynomial in x within an interval, rounded to so many decimals",
    ),
    tool("sides", &[EQ], Type::Any, equations::sides, "Splits an equation into [left, right]"),
    tool("move_left", &[EQ], Type::Expression, equations::move_left, "Gives left side minus right side, expanded"),
    tool(
        "has_denominator",
        &[EQ],
        Type::Truth,
        equations::has_denominator,
        "Tells whether an unknown stands in a denominator",
    ),
    tool("has_radical", &[EQ], Type::Truth, equations::has_radical, "Tells whether an unknown stands under a root"),
    tool(
        "has_absolute",
        &[EQ],
        Type::Truth,
        equations::has_absolute,
        "Tells whether an unknown stands inside an absolute value",
    ),
    tool(
        "has_exponential",
        &[EQ],
        Type::Truth,
        equations::has_exponential,
        "Tells whether an unknown stands in an exponent",
    ),
    tool(
        "has_logarithm",
        &[EQ],
        Type::Truth,
        equations::has_logarithm,
        "Tells whether an unknown stands inside a logarithm",
    ),
    tool(
        "conditions",
        &[EQ],
        Type::Any,
        equations::conditions_of,
        "Lists what must hold for all parts to be defined: {kind: nonzero | nonnegative | positive, expression}",
    ),
    tool(
        "holds",
        &[EQ, ("values", Type::Assignment)],
        Type::Text,
        equations::holds_at,
        "Tells whether an equation holds at a point: yes, no, undefined or unknown",
    ),
    tool(
        "satisfying",
        &[EQS, ("candidates", Type::Candidates)],
        Type::Candidates,
        equations::satisfying,
        "Keeps the candidates at which every equation is proved to hold",
    ),
    tool(
        "clear_denominators",
        &[EQ],
        Type::Equation,
        equations::clear,
        "Multiplies both sides by the least common denominator; zeros of denominators may become false solutions",
    ),
    tool(
        "isolate_radical",
        &[EQ],
        Type::Equation,
        equations::isolate_root,
        "Brings one root with an unknown alone to the left side",
    ),
    tool(
        "square_sides",
        &[EQ],
        Type::Equation,
        equations::square,
        "Squares both sides and expands; false solutions may join",
    ),
    tool(
        "raise_sides",
        &[EQ, ("n", Type::Number)],
        Type::Equation,
        equations::raise,
        "Raises both sides to a whole power and expands; false solutions may join for even powers",
    ),
    tool(
        "root_degree",
        &[EQ],
        Type::Number,
        equations::root_degree,
        "Gives the degree of the root that isolate_radical chooses; None if there is no root with an unknown",
    ),
    tool(
        "split_absolute",
        &[EQ],
        Type::Any,
        equations::split,
        "Splits on one absolute value into [{equation, condition}, {equation, condition}]",
    ),
    tool(
        "isolate",
        &[EQ, X],
        Type::Expression,
        equations::isolated,
        "Solves for x by inverse operations where x stands once or to the first power; None where that does not apply",
    ),
    tool(
        "substitute_in",
        &[EQS, X, E],
        Type::Equations,
        equations::substitute_all,
        "Puts an expression for x in every equation and simplifies both sides",
    ),
    tool(
        "is_linear",
        &[EQS, ("names", Type::Names)],
        Type::Truth,
        equations::is_linear,
        "Tells whether every equation is linear in the named unknowns",
    ),
    tool(
        "linear_solve",
        &[EQS, ("names", Type::Names)],
        Type::Any,
        equations::linear,
        "Solves linear equations exactly: {kind: unique | none | many, solution}",
    ),
    tool(
        "eliminate",
        &[EQS, ("names", Type::Names), X],
        Type::Expression,
        equations::eliminate,
        "Gives a polynomial in x that vanishes at every real solution of the equations; None if elimination does not apply",
    ),
    tool(
        "is_identity",
        &[EQ],
        Type::Truth,
        equations::is_identity,
        "Tells whether both sides are equal for all values where they are defined; None if undecided",
    ),
];

#[cfg(test)]
mod tests;
