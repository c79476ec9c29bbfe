//! Tools with known behaviour, good and bad, by which the tests see how a worker treats tools. Debug builds only.

use serde_json::{Value, json};

use crate::tools::{Tool, Type};

/// The probes.
pub const PROBES: &[Tool] = &[
    Tool {
        name: "probe_pair",
        takes: &[("left", Type::Any), ("right", Type::Any)],
        gives: Type::Any,
        doc: "Returns its two arguments as a list.",
        run: |args| match args {
            [left, right] => Ok(json!([left, right])),
            _ => Err(format!("probe_pair takes two arguments, not {}", args.len())),
        },
    },
    Tool {
        name: "probe_panic",
        takes: &[],
        gives: Type::Any,
        doc: "Fails as a tool never should.",
        run: |args| Ok(args[usize::MAX].clone()),
    },
    Tool {
        name: "probe_spin",
        takes: &[],
        gives: Type::Any,
        doc: "Never returns.",
        run: |_| {
            loop {
                std::hint::spin_loop();
            }
        },
    },
    Tool {
        name: "probe_hoard",
        takes: &[],
        gives: Type::Any,
        doc: "Allocates without end.",
        run: |_| {
            let mut hoard: Vec<Value> = Vec::new();
            loop {
                hoard.push(Value::String("x".repeat(1000)));
            }
        },
    },
    Tool {
        name: "probe_dive",
        takes: &[],
        gives: Type::Any,
        doc: "Calls itself until the stack ends.",
        run: |args| dive(args, 0).map(Value::from),
    },
    Tool {
        name: "probe_file",
        takes: &[],
        gives: Type::Text,
        doc: "Tries to read a file.",
        run: |_| std::fs::read_to_string("/etc/passwd").map(Value::from).map_err(|error| error.to_string()),
    },
];

fn dive(args: &[Value], depth: u64) -> Result<u64, String> {
    let pad = std::hint::black_box([depth; 64]);
    if args.len() > 1 {
        return Ok(pad[0]);
    }
    dive(args, depth + 1).map(|below| below + pad[63])
}
