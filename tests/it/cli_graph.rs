//! `mop programs graph`: every format of a small network and of one that extends the bundled one.

use crate::cli::User;

const EXPERT: &str = "# /// program\n# role = \"Knows <poems> & \\\"more\\\"\"\n# contract = \"solver\"\n# group = \"experts\"\n# reads = [\"reading\"]\n# writes = [\"draft\"]\n# after = [\"@definer\"]\n# prior = 0.35\n# next = { goal-check = 0.9 }\n# ///\n\n\ndef run(task, memory, params):\n    return {}\n";

#[test]
fn a_folder_that_extends_the_bundled_network_appears_in_list_and_graph() {
    let user = User::new();
    user.write("poets/network.toml", "extends = \"symbolic\"\n");
    user.write("poets/poems.py", EXPERT);
    let listed = user.expect(0, &["programs", "list", "--network", "./poets"]).out;
    let row = listed.lines().find(|line| line.starts_with("poems ")).unwrap_or_else(|| panic!("{listed}"));
    assert!(
        row.contains("script") && row.contains("solver") && row.contains("experts") && row.contains("Knows <poems>"),
        "{row}"
    );
    assert!(listed.lines().any(|line| line.starts_with("router ")), "{listed}");
    let text = user.expect(0, &["programs", "graph", "--network", "./poets"]).out;
    assert!(text.contains("  [experts]\n") && text.contains("\n  poems\n"), "{text}");
    assert!(text.contains("→ 0.35 poems") && text.contains("→ 0.90 goal-check"), "{text}");
    let shown = user.expect(0, &["programs", "show", "poems", "--network", "./poets"]).out;
    assert!(
        shown.contains("definition 0.35") && shown.contains("goal-check 0.90") && shown.ends_with(EXPERT),
        "{shown}"
    );
}

#[test]
fn every_format_holds_every_node_and_edge() {
    let user = User::new();
    let small = user.small_network("small");
    let draw = |format: &str, more: &[&str]| {
        let args: Vec<&str> =
            ["programs", "graph", "--network", &small, "--format", format].iter().chain(more).copied().collect();
        user.expect(0, &args).out
    };
    let mermaid = draw("mermaid", &[]);
    assert!(mermaid.starts_with("flowchart TD\n") && mermaid.matches("-->|1.00|").count() == 2, "{mermaid}");
    let dot = draw("dot", &[]);
    assert!(dot.starts_with("digraph \"small\" {") && dot.ends_with("}\n"), "{dot}");
    assert_eq!((dot.matches(" -> ").count(), dot.matches("rank=same").count()), (2, 4), "{dot}");
    let svg = draw("svg", &[]);
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.matches("<path class=\"edge\"").count() == 2,
        "{svg}"
    );
    assert!(svg.contains(">goal-check</text>") && svg.contains("<title>router → echo: 1.00</title>"), "{svg}");
    for format in ["mermaid", "dot", "svg", "text"] {
        let data = draw(format, &["--data"]);
        for name in ["echo", "router", "draft", "assessment", "incumbent"] {
            assert!(data.contains(name), "{format} {name}: {data}");
        }
    }
    let data = draw("text", &["--data"]);
    assert!(data.contains("written by echo\n      read by goal-check"), "{data}");
    assert!(user.expect(2, &["programs", "graph", "--format", "svgg"]).err.contains("svg"));
}

#[test]
fn a_cluster_with_one_prior_is_one_line() {
    let user = User::new();
    user.small_network("small");
    for name in ["a", "b", "c"] {
        let text =
            EXPERT.replace("@definer", "router").replace("next = { goal-check = 0.9 }", "next = { goal-check = 0.7 }");
        user.write(&format!("small/{name}.py"), &text);
    }
    let svg = user.expect(0, &["programs", "graph", "--network", "./small", "--format", "svg"]).out;
    assert!(svg.contains("router → experts (3): 0.35") && svg.contains("experts (3) → goal-check: 0.70"), "{svg}");
    assert_eq!(svg.matches("<path class=\"edge\"").count(), 4, "two lines and two bundles: {svg}");
    assert!(svg.contains("Knows &lt;poems&gt; &amp; &quot;more&quot;"), "{svg}");
    let text = user.expect(0, &["programs", "graph", "--network", "./small"]).out;
    assert_eq!(text.matches("→ 0.35").count(), 3, "the other formats keep every edge: {text}");
}
