use crate::model::{Approval, Severity};
use crate::store::{Backward, Config, Key, Motion};

fn none(_: &str) -> Option<String> {
    None
}

fn file(text: &str) -> (Config, Vec<crate::model::Diagnostic>) {
    Config::read("config.toml", text, &none, &[])
}

#[test]
fn defaults_hold_where_nobody_says_anything() {
    let (config, problems) = file("");
    assert_eq!(problems, []);
    let rows: Vec<String> =
        config.show().into_iter().map(|(key, value, origin)| format!("{key} {value} {origin}")).collect();
    let expected = "network symbolic default,seed - default,approval rules default,max-cycles - default,\
        max-tokens - default,max-cost - default,timeout-ms - default,workers - default,backward auto default,\
        recall on default,provider - default,model - default,discover auto default,theme - default,step off default,mouse off default,motion full default,ascii off default";
    assert_eq!(rows.join(","), expected);
}

#[test]
fn a_later_source_wins_and_says_so() {
    let text =
        "seed = 0x10\n\nworkers = 3\nmax-cost = 0.5\nbackward = \"auto\"\napproval = 'reject'\nmax-tokens = 1_000\n";
    let env = |name: &str| match name {
        "MOP_SEED" => Some("17".to_owned()),
        "MOP_WORKERS" => Some("5".to_owned()),
        "MOP_NETWORK" => Some(String::new()),
        _ => None,
    };
    let flags = [(Key::Workers, "7".to_owned()), (Key::TimeoutMs, "250".to_owned())];
    let (config, problems) = Config::read("config.toml", text, &env, &flags);
    assert_eq!(problems, []);
    assert_eq!((config.seed(), config.workers(), config.timeout_ms()), (Some(17), Some(7), Some(250)));
    assert_eq!((config.max_cost(), config.max_tokens(), config.max_cycles()), (Some(0.5), Some(1_000), None));
    assert_eq!((config.backward(), config.approval()), (Backward::Auto, Approval::Reject));
    let origin = |key| config.origin(key).to_string();
    assert_eq!([origin(Key::Seed), origin(Key::Workers), origin(Key::MaxCost)], ["MOP_SEED", "flag", "config.toml:4"]);
    assert_eq!([origin(Key::Network), origin(Key::Backward)], ["default", "config.toml:5"]);
    assert_eq!(file(text).0.seed(), Some(16));
    let (likes, problems) =
        file("theme = \"dusk\"\nstep = \"on\"\nmotion = \"none\"\nascii = true\nmouse = \"perhaps\"\n");
    assert_eq!((likes.theme(), likes.step(), likes.motion(), likes.ascii()), (Some("dusk"), true, Motion::None, true));
    assert!(!likes.mouse() && problems.len() == 1, "`mouse` is on or off: {problems:?}");
}

#[test]
fn mistakes_are_placed_and_the_value_before_stays() {
    let check = |text: &str, place: (usize, usize), severity: Severity, message: &str, hint: &str| {
        let (config, problems) = file(&format!("workers = 3\n{text}"));
        assert_eq!(problems.len(), 1, "{text}: {problems:?}");
        let found = &problems[0];
        assert_eq!(((found.line, found.column), found.severity), (place, severity), "{found}");
        assert!(found.message.contains(message), "{found}");
        assert!(found.hint.as_deref().unwrap_or_default().contains(hint), "{found}");
        assert_eq!((config.seed(), config.network()), (None, "symbolic"));
        config.workers()
    };
    let (error, warning) = (Severity::Error, Severity::Warning);
    assert_eq!(check("sede = 4\n", (2, 1), warning, "no setting is called `sede`", "did you mean `seed`?"), Some(3));
    assert_eq!(check("[net.work]\n", (2, 2), warning, "`net`", ""), Some(3));
    assert_eq!(check("seed = -1\n", (2, 8), error, "`seed` is not such a number", "from 0 to"), Some(3));
    assert_eq!(check("seed = 1.5\n", (2, 8), error, "`seed`", ""), Some(3));
    assert_eq!(check("max-cycles = 0\n", (2, 14), error, "`max-cycles`", "from 1 to 10000"), Some(3));
    assert_eq!(check("max-cost = nan\n", (2, 12), error, "`max-cost` is no amount", "US dollars"), Some(3));
    assert_eq!(check("max-cost = 1e999\n", (2, 12), error, "`max-cost`", ""), Some(3));
    assert_eq!(check("approval = \"acept\"\n", (2, 12), error, "cannot be `acept`", "did you mean `accept`?"), Some(3));
    assert_eq!(check("network = [1]\n", (2, 11), error, "must be one value", ""), Some(3));
    assert_eq!(check("network = \" \"\n", (2, 11), error, "names nothing", ""), Some(3));
    assert_eq!(check("workers = 4\n", (2, 1), error, "duplicate key", ""), None);
    assert_eq!(check("seed = \n", (2, 8), error, "so defaults are used", ""), None);
}

#[test]
fn a_bad_variable_or_flag_keeps_the_value_of_the_file() {
    let env = |name: &str| (name == "MOP_WORKERS").then(|| "many".to_owned());
    let (config, problems) =
        Config::read("config.toml", "workers = 3\nseed = 1\n", &env, &[(Key::Seed, "x".to_owned())]);
    assert_eq!((config.workers(), config.seed()), (Some(3), Some(1)));
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(texts[0].starts_with("MOP_WORKERS:1:1: error: `workers` is not such a number\n1 | many"), "{}", texts[0]);
    assert!(texts[1].starts_with("--seed:1:1: error"), "{}", texts[1]);
}

#[test]
fn a_file_is_read_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    let load = || Config::load(&path, &none, &[]);
    assert_eq!(load().1, []);
    std::fs::write(&path, "seed = 4\n").unwrap();
    assert_eq!((load().0.seed(), load().1.len()), (Some(4), 0));
    std::fs::write(&path, b"seed = 4\n# \xff\n").unwrap();
    let (config, problems) = load();
    assert_eq!((config.seed(), problems[0].line, problems[0].column), (None, 2, 3));
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(load().1[0].message.contains("cannot be read"));
}

#[test]
fn names_lead_back_to_their_keys() {
    for key in Key::ALL {
        assert_eq!(Key::from_name(key.name()), Some(*key));
    }
    assert_eq!(Key::MaxCycles.variable(), "MOP_MAX_CYCLES");
}
