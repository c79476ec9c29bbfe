//! What holds for all expressions and polynomials of a kind.

use num_traits::Zero;
use proptest::prelude::*;

use super::super::super::answer::{Answer, Assignment, Judgement};
use super::super::super::goal::{Form, Goal};
use super::super::{
    Expr, Q, UPoly, canon, count_real_roots, equal, expand, factor, judge, parse, real_roots, simplify,
};

fn expression() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (-9i64..10).prop_map(Expr::int),
        prop_oneof![Just("x"), Just("y")].prop_map(Expr::sym),
        (1i64..7, 1i64..7).prop_map(|(a, b)| Expr::Num(Q::new(a.into(), b.into()))),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::add),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::mul),
            (inner.clone(), 1i64..4).prop_map(|(e, n)| Expr::pow(e, Expr::int(n))),
            inner.clone().prop_map(Expr::recip),
            inner.clone().prop_map(Expr::sqrt),
            inner.prop_map(|e| Expr::call(super::super::Func::Abs, e)),
        ]
    })
}

fn rational() -> impl Strategy<Value = Q> {
    (-12i64..13, 1i64..5).prop_map(|(n, d)| Q::new(n.into(), d.into()))
}

fn from_roots(roots: &[Q]) -> UPoly {
    roots.iter().fold(UPoly::constant(Q::from_integer(2.into())), |p, r| p.mul(&UPoly::linear(r)))
}

fn text(p: &UPoly) -> String {
    let term =
        |(i, c): (usize, &Q)| Expr::mul(vec![Expr::Num(c.clone()), Expr::pow(Expr::sym("x"), Expr::int(i as i64))]);
    canon(&Expr::add(
        p.coefficients()
            .iter()
            .enumerate()
            .skip(1)
            .map(term)
            .chain(p.coefficients().first().cloned().map(Expr::Num))
            .collect(),
    ))
    .to_string()
}

fn solve(p: &UPoly, values: &[Q]) -> Judgement {
    let goal = Goal::Solve { equations: vec![format!("{} = 0", text(p))], unknowns: vec!["x".to_owned()] };
    let one = |q: &Q| Assignment::from([("x".to_owned(), q.to_string())]);
    let answer = Answer::Solutions { values: values.iter().map(one).collect(), all: false, approximate: false };
    judge(&goal, &Form::default(), &answer).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn print_then_parse_is_the_same(e in expression()) {
        let c = canon(&e);
        let printed = c.to_string();
        let again = canon(&parse(&printed).unwrap());
        prop_assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn canon_is_stable(e in expression()) {
        let c = canon(&e);
        prop_assert_eq!(canon(&c), c);
    }

    #[test]
    fn simpler_is_equal_and_no_larger(e in expression()) {
        if let Ok(s) = simplify(&e) {
            prop_assert!(s.size() <= canon(&e).size().max(3), "{} became {}", canon(&e), s);
            prop_assert_ne!(equal(&e, &s), Some(false), "{} became {}", canon(&e), s);
        }
    }

    #[test]
    fn expanding_the_factors_gives_the_polynomial(c in prop::collection::vec(-5i64..6, 1..5), d in prop::collection::vec(-5i64..6, 1..4)) {
        let whole = |c: &[i64]| UPoly::new(c.iter().map(|n| Q::from_integer((*n).into())).collect());
        let p = whole(&c).mul(&whole(&d));
        prop_assume!(!p.is_zero());
        let e = parse(&text(&p)).unwrap();
        let f = factor(&e).unwrap();
        prop_assert!(f.complete);
        prop_assert_eq!(expand(&f.expression).unwrap(), expand(&e).unwrap());
    }

    #[test]
    fn isolation_finds_what_sturm_counts(c in prop::collection::vec(-20i64..21, 2..8)) {
        let p = UPoly::new(c.iter().map(|n| Q::from_integer((*n).into())).collect());
        prop_assume!(!p.is_zero());
        let roots = real_roots(&p).unwrap();
        prop_assert_eq!(roots.len(), count_real_roots(&p).unwrap());
        for r in &roots {
            let (a, b) = r.enclosure(40);
            let s = p.square_free();
            let (u, v) = (s.eval(&a), s.eval(&b));
            prop_assert!((a == b && u.is_zero()) || (u < Q::zero()) != (v < Q::zero()));
        }
    }

    #[test]
    fn constructed_roots_are_proved_and_perturbed_ones_refuted(mut roots in prop::collection::vec(rational(), 1..5), i in 0usize..4, by in rational()) {
        let p = from_roots(&roots);
        roots.sort();
        prop_assert!(matches!(solve(&p, &roots), Judgement::Proved(_)));
        let i = i % roots.len();
        let mut fewer = roots.clone();
        fewer.retain(|r| *r != roots[i]);
        prop_assert!(matches!(solve(&p, &fewer), Judgement::Refuted(_)));
        let moved = &roots[i] + &by;
        let mut wrong = roots.clone();
        wrong.push(moved.clone());
        let expected = roots.contains(&moved);
        prop_assert_eq!(matches!(solve(&p, &wrong), Judgement::Proved(_)), expected);
    }

    #[test]
    fn text_never_panics(t in "[-+*/^()|=., 0-9a-zπ√²]{0,24}") {
        if let Ok(e) = parse(&t) {
            let _ = (canon(&e).to_string(), simplify(&e), factor(&e));
        }
    }
}
