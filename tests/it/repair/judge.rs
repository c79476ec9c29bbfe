//! What the scorer's own check says of a script's answer to a question.

use std::sync::Arc;
use std::time::Duration;

use mop::engine::ports::{Runner, Scorer};
use mop::engine::trial;
use mop::model::{ProgramTest, parse_program};
use mop::runtime::Programs;
use mop::runtime::pool::{Pool, Settings};
use mop::scoring::Checks;
use mop::store::{FileLibrary, Networks, Paths, SystemClock};
use mop::tools::Tools;

use crate::cli::User;

pub(super) struct Judge {
    runner: Arc<dyn Runner>,
    scorer: Arc<dyn Scorer>,
    runtime: tokio::runtime::Runtime,
}

impl Judge {
    pub(super) fn new(user: &User) -> Self {
        let paths = Paths::find(Some(user.home())).unwrap();
        let sourced = Networks::new(&paths, &user.project()).find("symbolic").unwrap();
        let library = FileLibrary::open(&paths.library(), sourced, Arc::new(SystemClock)).unwrap();
        let programs = Arc::new(Programs::new(Pool::new(Settings::new(env!("CARGO_BIN_EXE_mop").into()))));
        let scorer: Arc<dyn Scorer> = Arc::new(Checks::default());
        let runner: Arc<dyn Runner> = programs.clone();
        programs.equip(Arc::new(Tools::new(Arc::downgrade(&runner), scorer.clone(), Arc::new(library))));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { runner, scorer, runtime }
    }

    /// What speaks against a script's answer; nothing where it is proved.
    pub(super) fn objection(&self, script: &str, question: &str) -> Option<String> {
        let program = Arc::new(parse_program("algebra.py", script).unwrap());
        let expect = [("satisfies".to_owned(), true.into())].into();
        let test = ProgramTest { query: question.to_owned(), memory: Vec::new(), expect };
        let limit = Duration::from_secs(10);
        let run = trial::run(&*self.runner, &*self.scorer, &program, &test, limit, 1);
        let result = self.runtime.block_on(run);
        (!result.passed).then_some(result.note)
    }
}
