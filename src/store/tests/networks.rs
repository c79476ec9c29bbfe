use std::fs;
use std::path::Path;

use super::samples::*;
use crate::model::assemble;
use crate::store::{Networks, Paths, Source, SourcedNetwork, StoreError};

struct Place {
    _root: tempfile::TempDir,
    user: std::path::PathBuf,
    project: std::path::PathBuf,
    networks: Networks,
}

fn place() -> Place {
    let root = tempfile::tempdir().unwrap();
    let paths = Paths::find(Some(root.path().join("home"))).unwrap();
    let project = root.path().join("project");
    fs::create_dir_all(&project).unwrap();
    let networks = Networks::new(&paths, &project);
    Place { user: paths.networks(), project, networks, _root: root }
}

fn texts(network: &SourcedNetwork, path: &str) -> Vec<Option<String>> {
    network.layers.iter().map(|layer| layer.get(path).cloned()).collect()
}

fn extending(base: &str) -> String {
    format!("extends = \"{base}\"\n")
}

fn error(place: &Place, name: &str) -> String {
    let error = place.networks.find(name).unwrap_err();
    format!("{error}; {}", error.hint().unwrap_or_default())
}

#[test]
fn a_folder_that_extends_holds_only_its_additions() {
    let place = place();
    write_files(&place.user.join("base"), &[("network.toml", RULES), ("r.md", ROUTER), ("s.md", SOLVER)]);
    let middle = extending("base");
    write_files(&place.user.join("middle"), &[("network.toml", &middle), ("s.md", ROUTER), ("sub/x.txt", "x")]);
    let own = extending("middle");
    write_files(&place.user.join("top"), &[("network.toml", &own), (".git/config", "no"), ("t.md", SOLVER)]);
    let found = place.networks.find("top").unwrap();
    assert_eq!((found.name.as_str(), &found.source), ("top", &Source::User(place.user.join("top"))));
    assert_eq!(texts(&found, "network.toml"), [Some(RULES.to_owned()), Some(middle), Some(own)]);
    assert_eq!(texts(&found, "s.md"), [Some(SOLVER.to_owned()), Some(ROUTER.to_owned()), None]);
    assert_eq!(found.layers[1].get("sub/x.txt").map(String::as_str), Some("x"));
    assert!(!found.layers[2].contains_key(".git/config"));
    let (network, problems) = assemble("top", &found.layers).unwrap();
    assert_eq!((network.programs.len(), problems.len()), (3, 0));
}

#[test]
fn a_program_of_the_extended_network_can_have_another_name() {
    let place = place();
    write_files(&place.user.join("base"), &[("network.toml", RULES), ("r.md", ROUTER), ("s.md", SOLVER)]);
    let own = format!("{}[rename]\ns = \"old\"\nx = \"y\"\nr = \"s\"\n", extending("base"));
    write_files(&place.user.join("new"), &[("network.toml", &own), ("s.md", ROUTER)]);
    let found = place.networks.find("new").unwrap();
    assert_eq!(texts(&found, "old.md"), [Some(SOLVER.to_owned()), None], "under its new name, and its own text");
    assert_eq!(texts(&found, "s.md"), [None, Some(ROUTER.to_owned())], "the old name is free");
    assert_eq!(texts(&found, "r.md"), [Some(ROUTER.to_owned()), None], "a name that is taken is not given twice");
    let (network, problems) = assemble("new", &found.layers).unwrap();
    assert!(problems.iter().all(|problem| problem.severity == crate::model::Severity::Warning), "{problems:?}");
    let names: Vec<&str> = network.order.iter().map(|name| name.as_str()).collect();
    assert_eq!(names, ["old", "r", "s"]);
    let warned: Vec<&str> = found.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        warned,
        [
            "`r` cannot be called `s`: the network it extends has a program of that name",
            "it renames `x`, and the network it extends has no such program",
        ]
    );
}

#[test]
fn a_chain_must_end() {
    let place = place();
    let add = |name: &str, base: &str| {
        write_files(&place.user.join(name), &[("network.toml", &extending(base))]);
    };
    add("a", "b");
    add("b", "a");
    assert!(error(&place, "a").contains("it extends itself: a → b → a"), "{}", error(&place, "a"));
    add("self", "self");
    assert!(error(&place, "self").contains("extends `self`, which is not there"), "{}", error(&place, "self"));
    write_files(&place.user.join("l0"), &[("network.toml", RULES)]);
    for level in 1..=4 {
        add(&format!("l{level}"), &format!("l{}", level - 1));
    }
    assert_eq!(place.networks.find("l3").unwrap().layers.len(), 4);
    assert!(error(&place, "l4").contains("more than 4 networks"), "{}", error(&place, "l4"));
    add("lost", "l9");
    assert!(error(&place, "lost").contains("did you mean"), "{}", error(&place, "lost"));
    write_files(&place.user.join("bad"), &[("network.toml", "extends = 3\n")]);
    assert!(error(&place, "bad").contains("network `bad` cannot be used"), "{}", error(&place, "bad"));
}

#[test]
fn the_nearest_source_counts() {
    let place = place();
    let bundled: Vec<_> = place.networks.list().into_iter().filter(|(_, source)| *source == Source::Bundled).collect();
    for (name, _) in &bundled {
        let found = place.networks.find(name).unwrap();
        assert_eq!(found.source, Source::Bundled);
        assert!(found.layers.iter().all(|layer| layer.contains_key("network.toml")));
        // The user's own of the same name stands on the bundled one.
        write_files(&place.user.join(name), &[("network.toml", &extending(name)), ("zz.md", ROUTER)]);
        let over = place.networks.find(name).unwrap();
        assert_eq!(over.source, Source::User(place.user.join(name)));
        assert_eq!(over.layers[..over.layers.len() - 1], found.layers[..]);
        let by_path = place.networks.find(place.user.join(name).to_str().unwrap()).unwrap();
        assert_eq!(by_path.layers, over.layers);
    }
    assert!(error(&place, "nosuchnetworkatall").contains("no network `nosuchnetworkatall`"));
    assert!(matches!(place.networks.find(""), Err(StoreError::BadName { .. })));
}

#[test]
fn a_projects_network_is_asked_about_once_for_each_content() {
    let place = place();
    let folder = place.project.join(".mop/networks/theirs");
    write_files(&folder, &[("network.toml", RULES), ("r.md", ROUTER)]);
    write_files(&place.user.join("mine"), &[("network.toml", &extending("theirs"))]);
    let refused = |name: &str| match place.networks.find(name) {
        Err(StoreError::Untrusted { path }) => assert_eq!(path, folder),
        other => panic!("{other:?}"),
    };
    refused("theirs");
    refused("mine");
    place.networks.trust(&folder).unwrap();
    place.networks.trust(&folder).unwrap();
    let found = place.networks.find("theirs").unwrap();
    assert_eq!(found.source, Source::Project(folder.clone()));
    assert_eq!(place.networks.find("mine").unwrap().layers.len(), 2);
    write_files(&folder, &[("r.md", SOLVER)]);
    refused("theirs");
    write_files(&folder, &[("r.md", ROUTER)]);
    place.networks.find("theirs").unwrap();
    write_files(&folder, &[("more.md", ROUTER)]);
    refused("theirs");
    // Who names the folder outright has decided.
    assert_eq!(
        place.networks.find(folder.to_str().unwrap()).unwrap().source,
        Source::Folder(folder.canonicalize().unwrap())
    );
}

#[test]
fn a_path_names_a_folder() {
    let place = place();
    let folder = place.project.join("net");
    write_files(&folder, &[("r.md", ROUTER)]);
    assert!(error(&place, folder.to_str().unwrap()).contains("holds a network.toml"));
    write_files(&folder, &[("network.toml", RULES)]);
    assert_eq!(place.networks.find(folder.to_str().unwrap()).unwrap().name, "net");
    assert!(matches!(place.networks.find("./does/not/exist"), Err(StoreError::Io { .. })));
    let odd = place.project.join("odd name");
    write_files(&odd, &[("network.toml", RULES)]);
    assert!(matches!(place.networks.find(odd.to_str().unwrap()), Err(StoreError::BadName { .. })));
}

#[test]
fn what_cannot_be_read_is_left_out_with_a_warning() {
    let place = place();
    let folder = place.user.join("n");
    write_files(&folder, &[("network.toml", RULES), ("r.md", ROUTER)]);
    fs::write(folder.join("binary.bin"), [0xff, 0xfe]).unwrap();
    write_files(&place.project, &[("secret", "secret")]);
    link(&place.project.join("secret"), &folder.join("secret.md"));
    link(&folder.join("r.md"), &folder.join("same.md"));
    link(&folder, &folder.join("loop"));
    let found = place.networks.find("n");
    if cfg!(unix) {
        // A link to the folder itself has no end, and the bound on depth says so.
        assert!(found.unwrap_err().to_string().contains("at most 4 folders"));
        fs::remove_file(folder.join("loop")).unwrap();
    }
    let found = place.networks.find("n").unwrap();
    let warned: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    assert!(warned.iter().any(|text| text.contains("binary.bin") && text.contains("not UTF-8")), "{warned:?}");
    if cfg!(unix) {
        assert!(warned.iter().any(|text| text.contains("secret.md") && text.contains("leads out")), "{warned:?}");
        assert_eq!(found.layers[0].keys().collect::<Vec<_>>(), ["network.toml", "r.md", "same.md"]);
    }
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) {
    std::os::unix::fs::symlink(target, at).unwrap();
}
#[cfg(not(unix))]
fn link(_target: &Path, _at: &Path) {}
