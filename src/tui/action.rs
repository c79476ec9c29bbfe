//! Everything a user can do, in one table. Keys, palette, help, hint bar and documentation come from it.

/// Where an action is to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// In one pane, when it has the focus.
    Pane(Room),
    /// Wherever no text field has the focus.
    Run,
    /// Wherever no text field has the focus, whether there is a run or not.
    Anywhere,
}

/// The panes, in the order of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Room {
    /// Who is there and who runs.
    #[default]
    Graph,
    /// What is known.
    Memory,
    /// How good it is.
    Score,
    /// What was proposed.
    Edits,
    /// What the programs say.
    Stream,
    /// When it happened.
    Timeline,
}

impl Room {
    /// All panes.
    pub(super) const ALL: [Self; 6] =
        [Self::Graph, Self::Memory, Self::Score, Self::Edits, Self::Stream, Self::Timeline];

    /// Its title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Graph => "Graph",
            Self::Memory => "Working memory",
            Self::Score => "J",
            Self::Edits => "Edits",
            Self::Stream => "Stream",
            Self::Timeline => "Timeline",
        }
    }

    /// Its number, from 1.
    pub(super) fn number(self) -> usize {
        self as usize + 1
    }
}

macro_rules! actions {
    ($($variant:ident $name:literal $place:expr, [$($key:literal)*], $short:literal, $says:literal;)*) => {
        /// One thing that a user can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) enum Action {
            $(#[doc = $says] $variant,)*
        }

        /// The table of all actions, in the order of the help.
        pub(super) const TABLE: &[Entry] = &[
            $(Entry {
                action: Action::$variant, name: $name, place: $place, keys: &[$($key),*], short: $short, says: $says,
            },)*
        ];
    };
}

/// One action with everything that is said about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The action.
    pub(super) action: Action,
    /// Its name in `keys.toml` and in the palette.
    pub(super) name: &'static str,
    /// Where it is to be had.
    pub(super) place: Place,
    /// Its keys, the first of which is shown.
    pub(super) keys: &'static [&'static str],
    /// A word or two for the hint bar.
    pub(super) short: &'static str,
    /// What it does, in a sentence.
    pub(super) says: &'static str,
}

use Place::{Anywhere, Run};

const GRAPH: Place = Place::Pane(Room::Graph);
const MEMORY: Place = Place::Pane(Room::Memory);
const SCORE: Place = Place::Pane(Room::Score);
const EDITS: Place = Place::Pane(Room::Edits);
const STREAM: Place = Place::Pane(Room::Stream);

actions! {
    // Panes first: in a pane its own keys win.
    GraphList "graph-list" GRAPH, ["l"], "list", "Show the programs as a list, or as a graph";
    GraphFollow "graph-follow" GRAPH, ["'"], "follow", "Keep the program that runs in view";
    GraphEdges "graph-edges" GRAPH, ["x"], "edges", "Show declared transitions, or which sections are read and written";
    GraphInspect "graph-inspect" GRAPH, ["v"], "inspect", "Turn the page of the inspector: program, why this one, text, last run, changes";
    GraphOverride "graph-override" GRAPH, ["Enter"], "run next", "Let the selected program run next, where that is legal";
    GraphEdit "graph-edit" GRAPH, ["e"], "edit", "Edit the selected program; the change becomes a proposal";
    GraphFind "graph-find" GRAPH, ["/"], "find", "Find a program by its name";
    ZoomIn "zoom-in" GRAPH, ["+"], "boxes", "Show more of each program";
    ZoomOut "zoom-out" GRAPH, ["-"], "chips", "Show less of each program";
    GraphFit "graph-fit" GRAPH, ["0"], "fit", "Bring the graph back to where it was";
    MemoryOrigin "origin" MEMORY, ["o"], "origin", "Go to the moment at which this was written, and to who wrote it";
    MemoryEdit "memory-edit" MEMORY, ["E"], "edit", "Edit this entry in a fork of the session; this session stays as it is";
    MemoryAdd "memory-add" MEMORY, ["a"], "add", "Add an entry of your own in a fork of the session";
    MemoryDiff "memory-diff" MEMORY, ["D"], "diff", "Show what the last cycle changed, or the whole list";
    MemoryFilter "memory-filter" MEMORY, ["/"], "filter", "Show entries with these words only";
    MemoryOpen "memory-open" MEMORY, ["Enter"], "open", "Open the entry in the whole pane, or close it";
    ScoreView "score-view" SCORE, ["v"], "view", "Turn the page: chart, parts, credit, why it stopped";
    ScoreParts "score-parts" SCORE, ["x"], "parts", "Draw each part of the question as a line of its own";
    ScoreOver "score-over" SCORE, ["a"], "overlay", "Lay the run before over this one, or take it away";
    HunkToggle "hunk-choose" EDITS, ["a"], "choose", "Choose this hunk, or do not";
    HunkAll "hunk-all" EDITS, ["A"], "all", "Choose every hunk, or none";
    HunkSplit "hunk-split" EDITS, ["s"], "split", "Split this hunk into its lines";
    HunkApply "hunk-apply" EDITS, ["w"], "apply", "Apply the chosen hunks, after the gates have seen just these";
    EditReject "edit-reject" EDITS, ["X"], "reject", "Turn the proposal down, with a reason that is fed back";
    EditText "edit-text" EDITS, ["e"], "edit", "Edit the proposed text before you accept it";
    EditUndo "edit-undo" EDITS, ["u"], "undo", "Take your last decision back";
    EditOpen "edit-open" EDITS, ["Enter"], "open", "Open the proposal in the whole pane, or close it; decides nothing";
    HunkNext "hunk-next" EDITS, ["]"], "next hunk", "Go to the next hunk";
    HunkBack "hunk-back" EDITS, ["["], "hunk back", "Go to the hunk before";
    EditNext "edit-next" EDITS, ["}"], "next edit", "Go to the next proposal";
    EditBack "edit-back" EDITS, ["{"], "edit back", "Go to the proposal before";
    EditSides "edit-sides" EDITS, ["v"], "sides", "Show old and new side by side, or one under the other";
    EditWrap "edit-wrap" EDITS, ["t"], "wrap", "Wrap long lines, or cut them";
    EditHistory "edit-history" EDITS, ["x"], "decided", "Show the proposals that were decided, too";
    StreamTools "stream-tools" STREAM, ["x"], "tools", "Show calls of tools in short, every one, or none";
    StreamEnd "stream-end" STREAM, ["End"], "newest", "Go down to the newest line, and stay there";
    StreamThoughts "stream-thoughts" STREAM, ["v"], "monologue", "Show what programs reason aloud, or leave it out";

    StepCycle "step" Run, ["Space" "F10"], "step", "Take one cycle, then stand still";
    StepProgram "step-program" Run, ["s" "F11"], "substep", "Run one program, then stand still";
    StepBack "step-back" Run, ["S"], "back", "Look one cycle back; changes nothing";
    RunOn "run" Run, ["c" "F5"], "run", "Run to the next breakpoint, or to the end";
    RunBack "run-back" Run, ["C"], "run back", "Look back to the breakpoint before, or to the beginning";
    FinishCycle "finish" Run, ["f"], "finish", "Finish this cycle, then stand still";
    CycleStart "cycle-start" Run, ["F"], "to start", "Look at the beginning of the episode";
    Pause "pause" Run, ["p"], "pause", "Stand still before the next program";
    BreakHere "break" Run, ["b" "F9"], "break", "Stop before the selected program runs, or no longer";
    Breaks "breakpoints" Run, ["B"], "breakpoints", "List the breakpoints; add and remove";
    AddWatch "watch" Run, ["w"], "watch", "Watch the value of an expression";
    ScrubBack "scrub-back" Run, [","], "scrub", "Look at the moment before; changes nothing";
    ScrubOn "scrub-on" Run, ["."], "scrub", "Look at the moment after";
    Live "live" Run, ["L" "End"], "live", "Back from looking at the past";
    Again "again" Run, ["R"], "improve and run again", "Decide what was proposed, then run the same question again";
    ForkHere "fork" Run, ["F6"], "fork", "Copy the session up to the moment shown into a new one, and go on there";
    Note "note" Run, ["m"], "note", "Leave a note at this cycle";
    RateUp "rate-up" Run, ["+"], "good answer", "Say that the answer is good";
    RateDown "rate-down" Run, ["-"], "bad answer", "Say that the answer is bad";
    Permit "permit" Run, ["Ctrl+y"], "allow", "Allow what a program asks leave for, this once";
    Refuse "refuse" Run, ["Ctrl+r"], "refuse", "Refuse what a program asks leave for";
    ApprovalMode "approval" Run, ["$"], "approval", "Change who decides proposals: you, rules, or all gates";

    Up "up" Anywhere, ["Up" "k"], "up", "Up";
    Down "down" Anywhere, ["Down" "j"], "down", "Down";
    Left "left" Anywhere, ["Left" "h"], "left", "Left";
    Right "right" Anywhere, ["Right"], "right", "Right";
    PageUp "page-up" Anywhere, ["PageUp" "Ctrl+u"], "page up", "A page up";
    PageDown "page-down" Anywhere, ["PageDown" "Ctrl+d"], "page down", "A page down";
    Top "top" Anywhere, ["g" "Home"], "top", "To the first";
    Bottom "bottom" Anywhere, ["G"], "bottom", "To the last";
    Open "open" Anywhere, ["Enter"], "open", "Open what is selected";
    NextPane "next-pane" Anywhere, ["Tab"], "pane", "To the next pane";
    BackPane "pane-back" Anywhere, ["BackTab"], "pane back", "To the pane before";
    Pane1 "graph" Anywhere, ["1"], "graph", "To the graph of programs";
    Pane2 "memory" Anywhere, ["2"], "memory", "To working memory";
    Pane3 "score" Anywhere, ["3"], "J", "To the score J";
    Pane4 "edits" Anywhere, ["4"], "edits", "To the proposed edits";
    Pane5 "stream" Anywhere, ["5"], "stream", "To what the programs say";
    Pane6 "timeline" Anywhere, ["6"], "timeline", "To the timeline";
    Zoom "zoom" Anywhere, ["z"], "zoom", "Give the pane the whole screen, or give it back";
    Prompt "prompt" Anywhere, ["i"], "write", "Ask, answer, or say something to the run";
    Find "find" Anywhere, ["/"], "find", "Find in this pane";
    FindNext "find-next" Anywhere, ["n"], "next", "To the next that was found";
    FindBack "find-back" Anywhere, ["N"], "before", "To the one found before";
    Copy "copy" Anywhere, ["y"], "copy", "Copy what is selected";
    Palette "palette" Anywhere, [":" "Ctrl+p"], "commands", "Find any action by its name";
    Help "help" Anywhere, ["?"], "help", "What can be done here";
    Sessions "sessions" Anywhere, ["Ctrl+o"], "sessions", "Open another session";
    NewSession "new" Anywhere, ["Ctrl+n"], "new", "Begin a new session";
    Settings "settings" Anywhere, ["Ctrl+t"], "settings", "Change theme, motion, mouse and step mode";
    Models "models" Anywhere, ["F2"], "models", "Choose models, type keys, add servers";
    UseFound "use-found" Anywhere, ["F3"], "use it", "Use the server of models that was found";
    Play "play" Anywhere, ["F4"], "reply", "Play the model: read the prompt that waits, and write its reply";
    Stop "stop" Anywhere, ["Esc" "Ctrl+c"], "stop", "Close what is open; else stop the run, which keeps everything";
    Suspend "suspend" Anywhere, ["Ctrl+z"], "suspend", "Back to the shell; `fg` returns";
    Redraw "redraw" Anywhere, ["Ctrl+l"], "redraw", "Draw the whole screen anew";
    Quit "quit" Anywhere, ["q"], "quit", "Leave; the session is kept";
}

impl Action {
    /// What is said about it.
    pub(super) fn entry(self) -> &'static Entry {
        // The table holds one entry for each action, in the same order.
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_says_everything() {
        for (index, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.action as usize, index);
            assert!(!entry.says.is_empty() && !entry.short.is_empty() && !entry.keys.is_empty(), "{}", entry.name);
            assert!(TABLE[..index].iter().all(|other| other.name != entry.name), "{} twice", entry.name);
        }
    }

    #[test]
    fn within_a_place_a_key_means_one_thing() {
        for (index, entry) in TABLE.iter().enumerate() {
            for key in entry.keys {
                let clash = TABLE[..index].iter().find(|other| {
                    let shared = match (other.place, entry.place) {
                        (Place::Pane(a), Place::Pane(b)) => a == b,
                        (Place::Pane(_), Run | Anywhere) => false,
                        (Run | Anywhere, _) => true,
                    };
                    shared && other.keys.contains(key)
                });
                assert!(clash.is_none(), "{key} is both {} and {}", entry.name, clash.map_or("", |clash| clash.name));
            }
        }
    }
}
