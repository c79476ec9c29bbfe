//! Exact algebra over the reals: expressions, polynomials, equations, and the judge of answers to them.
//!
//! Everything here is exact. A number is a rational, a surd or a root of a polynomial with an isolating interval; signs
//! are decided by interval arithmetic with a proved separation bound, or reported as unknown. Work is bounded: whatever
//! grows past its bound ends in [`AlgebraError::TooLarge`].
//!
//! Layers, each over the ones above it:
//!
//! 1. text: `lexer`, `parse`, `print`; the tree: `expr`; its light canonical form: `canon`
//! 2. polynomials: `upoly` (one variable), `roots` (Sturm), `mpoly`, `mgcd` (several variables), `factor`, `modular`
//! 3. normal form: `normal` writes an expression as a quotient of polynomials over *kernels* (`sqrt(x + 1)`, `ln(x)`),
//!    `radical` makes kernels of roots, `back` returns to trees; `simplify` picks the smallest form
//! 4. values: `interval`, `elementary`, `sign`, `decimal`
//! 5. equations: `equation`, `domain`, `rewrite`, `isolate`, `linear`, `eliminate`
//! 6. `judge`: proofs about answers, and their canonical values

mod back;
mod canon;
mod decimal;
mod domain;
mod elementary;
mod eliminate;
mod equation;
mod error;
mod expr;
mod factor;
mod interval;
mod isolate;
mod judge;
mod lexer;
mod linear;
mod mgcd;
mod modular;
mod mpoly;
mod normal;
mod parse;
mod print;
mod radical;
mod rewrite;
mod roots;
mod sign;
mod simplify;
mod transcend;
mod upoly;

#[cfg(test)]
mod tests;

pub use canon::canon;
pub use decimal::{decimal_text, root_decimal};
pub use domain::{Condition, ConditionKind, conditions};
pub use eliminate::{eliminate, substitute_in};
pub use equation::{Equation, Truth, holds};
pub use error::AlgebraError;
pub use expr::{Constant, Expr, Func, Q};
pub use factor::{Factored, factor};
pub use isolate::isolate;
pub use judge::{canonical, judge};
pub use linear::{LinearSolution, linear_solve};
pub use parse::{parse, parse_equation};
pub use rewrite::{clear_denominators, isolate_radical, raise_sides, split_absolute, square_sides};
pub use roots::{RealRoot, count_real_roots, rational_roots, real_roots};
pub use sign::{Roots, Sign, Signed, sign, sign_at};
pub use simplify::{common_divisor, equal, expand, lowest_terms, polynomial_in, simplify};
pub use upoly::UPoly;
