use proptest::prelude::*;
use serde_json::{Map, Value};

use super::samples::*;
use crate::engine::ports::Journal;
use crate::model::*;
use crate::store::journal::FileJournal;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\\x00-\\x1f\\x7f\"\\\\/\u{2028}\u{2029}\u{feff}\u{fffd}]{0,20}",
        Just("\"$blob\"".to_owned()),
        (any::<String>(), 100..2_000_usize).prop_map(|(text, times)| text.repeat(times)),
    ]
}

/// Halves and quarters: their text is read again exactly by any reader.
fn number() -> impl Strategy<Value = f64> {
    (-1_000_000..1_000_000_i64).prop_map(|quarters| quarters as f64 / 4.0)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        number().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 5, |inner| {
        let key =
            prop_oneof![any::<String>(), Just("$blob".to_owned()), Just("json".to_owned()), Just("as".to_owned())];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        text().prop_map(|text| Event::Said { text }),
        (text(), value(), any::<u32>())
            .prop_map(|(text, data, id)| Event::Contributed { contribution: contribution(id, &text, data) }),
        (text(), value(), prop_oneof![value().prop_map(Ok), text().prop_map(Err)]).prop_map(|(tool, args, result)| {
            let call = CallRecord { tool, args, result, micros: 5 };
            Event::ToolReturned { activation: ActivationId(1), call: call.into() }
        }),
        (any::<u32>(), text())
            .prop_map(|(number, text)| Event::EpisodeStarted { number, query: Query::new(text).into() }),
        (any::<u32>(), number(), number()).prop_map(|(cycle, mean, delta)| Event::Scored {
            cycle: Cycle(cycle),
            score: score(mean),
            delta,
            withdrawn: vec![(ContributionId(cycle), ContributionId(0))],
            incumbent: None,
        }),
        (text(), prop::option::of(text()), prop::option::of(text())).prop_map(|(path, before, after)| {
            let changes = vec![change(&path, before.as_deref(), after.as_deref())];
            Event::ProposalRaised { proposal: proposal(&path, changes).into() }
        }),
        (text(), value()).prop_map(|(key, value)| Event::Foreign { fields: [(key, value)].into() }),
        any::<Option<u64>>().prop_map(|seq| Event::Resumed { rewound_to: seq.map(Seq) }),
        Just(Event::SessionEnded {}),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_is_read(events in prop::collection::vec(event(), 0..8), cause in any::<Option<u64>>()) {
        let events: Vec<Envelope> = events
            .into_iter()
            .zip(1..)
            .map(|(event, seq)| Envelope { cause: cause.map(Seq), ..envelope(seq, event) })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let mut journal = FileJournal::open(folder.path(), "s").unwrap();
        for event in &events {
            journal.append(event).unwrap();
        }
        drop(journal);
        prop_assert_eq!(read(folder.path()), events);
    }
}
