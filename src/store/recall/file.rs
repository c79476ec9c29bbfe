//! The file of solved questions: its schema, and what is asked of it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, TransactionBehavior, params};

use crate::engine::ports::{Near, PortError, Solved};
use crate::model::{Hash, ProgramName, SessionId};

use super::likeness::{DIMENSIONS, WAY, likeness, vector, words};

/// Marks the file as one of these.
const APPLICATION: i32 = 0x6d_6f_70_72;

/// Version of the schema.
const SCHEMA: i32 = 1;

/// Most questions that are kept; the oldest go first. All of their vectors are compared at each search.
const MOST: usize = 10_000;

/// How long another process is waited for.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Results of each of the two ways of searching that are merged.
const DEPTH: usize = 50;

/// The constant of reciprocal rank fusion: how little the first place counts more than the second.
const FUSION: f64 = 60.0;

/// Vectors less like than this say nothing.
const UNLIKE: f64 = 0.2;

/// Words of a question that are searched for.
const WORDS: usize = 64;

const CREATE: &str = "
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE solved (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, question TEXT NOT NULL, class TEXT NOT NULL,
        answer TEXT NOT NULL, programs TEXT NOT NULL, methods TEXT NOT NULL, j REAL NOT NULL, session TEXT NOT NULL,
        at INTEGER NOT NULL, vector BLOB NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE words USING fts5(
        question, content = 'solved', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER added AFTER INSERT ON solved BEGIN
        INSERT INTO words (rowid, question) VALUES (new.id, new.question);
    END;
    CREATE TRIGGER removed AFTER DELETE ON solved BEGIN
        INSERT INTO words (words, rowid, question) VALUES ('delete', old.id, old.question);
    END;
    CREATE TRIGGER changed AFTER UPDATE OF question ON solved BEGIN
        INSERT INTO words (words, rowid, question) VALUES ('delete', old.id, old.question);
        INSERT INTO words (rowid, question) VALUES (new.id, new.question);
    END;
";

const FIELDS: &str = "question, class, answer, programs, methods, j, session, at, vector, id";

/// An open file.
pub(super) struct RecallFile {
    connection: Connection,
}

/// A kept question with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its number in the file.
    pub id: i64,
    /// The question.
    pub solved: Solved,
}

impl RecallFile {
    /// Opens the file; none where there is none, or it is empty, and `create` does not say to begin one.
    ///
    /// # Errors
    /// When it is another program's, of another version, damaged, locked for long, or may not be opened.
    pub(super) fn open(path: &Path, create: bool) -> Result<Option<Self>, PortError> {
        let missing = !path.exists();
        if missing && !create {
            return Ok(None);
        }
        if missing {
            begin(path).map_err(|error| {
                PortError::new(format!("{} cannot be made: {error}", path.display()))
                    .hint("see who owns the folder, or set `recall = \"off\"`")
            })?;
        }
        let told = |error| tell(path, &error);
        // Where it may not be written, SQLite opens it for reading.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(told)?;
        connection.busy_timeout(PATIENCE).map_err(told)?;
        let mut file = Self { connection };
        Ok(file.prepare(create).map_err(told)?.map_err(|why| misfit(path, why))?.then_some(file))
    }

    /// Makes sure of the schema. False where the file holds nothing and is to stay so.
    fn prepare(&mut self, create: bool) -> rusqlite::Result<Result<bool, String>> {
        let connection = &mut self.connection;
        if create && !connection.is_readonly("main")? {
            // Another process may be about to do the same; without it, the file is as safe and a little slower.
            let _ = connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
            connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        }
        // What is forgotten is gone from the disk too.
        connection.execute_batch("PRAGMA secure_delete = ON")?;
        if version(connection)? == (0, 0, 0) {
            if !create || connection.is_readonly("main")? {
                return Ok(Ok(false));
            }
            let work = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if version(&work)? == (0, 0, 0) {
                work.execute_batch(CREATE)?;
                let about = [("way", WAY), ("dimensions", &DIMENSIONS.to_string()), ("state", "")];
                for (name, value) in about {
                    work.execute("INSERT INTO about VALUES (?1, ?2)", [name, value])?;
                }
                work.pragma_update(None, "application_id", APPLICATION)?;
                work.pragma_update(None, "user_version", SCHEMA)?;
            }
            work.commit()?;
        }
        let (application, schema, _) = version(connection)?;
        if application != APPLICATION {
            return Ok(Err("is no file of solved questions".to_owned()));
        }
        if schema != SCHEMA {
            return Ok(Err(format!("has version {schema}, and this mop knows version {SCHEMA} alone")));
        }
        let about = |name: &str| -> rusqlite::Result<String> {
            connection.query_row("SELECT value FROM about WHERE name = ?1", [name], |row| row.get(0))
        };
        let (way, dimensions) = (about("way")?, about("dimensions")?);
        if way != WAY || dimensions != DIMENSIONS.to_string() {
            return Ok(Err(format!("holds vectors of another kind ({way}, {dimensions})")));
        }
        Ok(Ok(true))
    }

    /// Keeps a question; the same question with a lower J stays as it is.
    pub(super) fn keep(&mut self, solved: &Solved) -> rusqlite::Result<()> {
        let list = |names: &[String]| serde_json::to_string(names).unwrap_or_default();
        let programs: Vec<String> = solved.programs.iter().map(ToString::to_string).collect();
        let at = i64::try_from(solved.at).unwrap_or(i64::MAX);
        let vector: Vec<u8> = vector(&solved.question).iter().map(|value| value.cast_unsigned()).collect();
        let work = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changed = work.execute(
            "INSERT INTO solved (key, question, class, answer, programs, methods, j, session, at, vector)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (key) DO UPDATE SET question = ?2, class = ?3, answer = ?4, programs = ?5, methods = ?6, j = ?7,
             session = ?8, at = ?9, vector = ?10 WHERE ?7 >= solved.j",
            params![
                key(&solved.question),
                solved.question,
                solved.class,
                solved.answer,
                list(&programs),
                list(&solved.methods),
                solved.j,
                solved.session.as_str(),
                at,
                vector
            ],
        )?;
        if changed > 0 {
            work.execute(
                "DELETE FROM solved WHERE id IN (SELECT id FROM solved ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?1)",
                [MOST],
            )?;
            move_on(&work, &serde_json::to_string(solved).unwrap_or_default())?;
        }
        work.commit()
    }

    /// The questions most like one: by their words (bm25) and by their vectors, merged by reciprocal rank.
    pub(super) fn nearest(&self, question: &str, most: usize) -> rusqlite::Result<Vec<(i64, Near)>> {
        let mine = vector(question);
        let mut scores: std::collections::BTreeMap<i64, f64> = std::collections::BTreeMap::new();
        let mut count = |ranked: &[i64]| {
            for (id, rank) in ranked.iter().zip(1u32..) {
                *scores.entry(*id).or_default() += 1.0 / (FUSION + f64::from(rank));
            }
        };
        count(&self.by_words(question)?);
        count(&self.by_vector(&mine)?);
        let mut ranked: Vec<(i64, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        let mut found = Vec::new();
        let mut rows = self.connection.prepare_cached(&format!("SELECT {FIELDS} FROM solved WHERE id = ?1"))?;
        for (id, _) in ranked.into_iter().take(most) {
            // Another process may have forgotten it meanwhile.
            let row = rows.query_row([id], |row| Ok((read(row)?, vector_of(row)?))).optional()?;
            found.extend(
                row.map(|(kept, its)| (kept.id, Near { solved: kept.solved, likeness: likeness(&mine, &its) })),
            );
        }
        Ok(found)
    }

    fn by_words(&self, question: &str) -> rusqlite::Result<Vec<i64>> {
        let quoted: Vec<String> = words(question).iter().take(WORDS).map(|word| format!("\"{word}\"")).collect();
        if quoted.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = self
            .connection
            .prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY bm25(words), rowid DESC LIMIT ?2")?;
        rows.query_map(params![quoted.join(" OR "), DEPTH], |row| row.get(0))?.collect()
    }

    fn by_vector(&self, mine: &[i8]) -> rusqlite::Result<Vec<i64>> {
        let mut rows = self.connection.prepare_cached("SELECT id, vector FROM solved")?;
        let mut all: Vec<(i64, f64)> = Vec::new();
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let its: Vec<i8> = row.get_ref(1)?.as_blob()?.iter().map(|byte| byte.cast_signed()).collect();
            let like = likeness(mine, &its);
            if like >= UNLIKE {
                all.push((row.get(0)?, like));
            }
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        Ok(all.into_iter().take(DEPTH).map(|(id, _)| id).collect())
    }

    /// All questions, newest first.
    pub(super) fn list(&self) -> rusqlite::Result<Vec<Kept>> {
        let mut rows = self.connection.prepare(&format!("SELECT {FIELDS} FROM solved ORDER BY at DESC, id DESC"))?;
        rows.query_map([], read)?.collect()
    }

    /// Forgets one question; false where there is none of this number.
    pub(super) fn forget(&mut self, id: i64) -> rusqlite::Result<bool> {
        let work = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let some = work.execute("DELETE FROM solved WHERE id = ?1", [id])? > 0;
        if some {
            move_on(&work, &id.to_string())?;
        }
        work.commit()?;
        Ok(some)
    }

    /// Forgets everything; gives how many questions there were. Nothing of them stays on the disk.
    pub(super) fn clear(&mut self) -> rusqlite::Result<usize> {
        let work = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let count = work.execute("DELETE FROM solved", [])?;
        work.execute("INSERT INTO words (words) VALUES ('rebuild')", [])?;
        move_on(&work, "")?;
        work.commit()?;
        self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(count)
    }

    /// A hash of all that was ever kept and forgotten here, in order; empty before anything was.
    pub(super) fn state(&self) -> rusqlite::Result<String> {
        self.connection.query_row("SELECT value FROM about WHERE name = 'state'", [], |row| row.get(0))
    }
}

/// Makes an empty file that only its owner can read.
fn begin(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Whose file it is, the version of its schema, and how many tables it has.
fn version(connection: &Connection) -> rusqlite::Result<(i32, i32, i64)> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
    let tables = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok((pragma("application_id")?, pragma("user_version")?, tables))
}

/// Changes the hash of the file's content.
fn move_on(connection: &Connection, what: &str) -> rusqlite::Result<()> {
    let old: String = connection.query_row("SELECT value FROM about WHERE name = 'state'", [], |row| row.get(0))?;
    let new = Hash::of(format!("{old}\n{what}"));
    connection.execute("UPDATE about SET value = ?1 WHERE name = 'state'", [new.as_str()]).map(drop)
}

/// Questions that differ in case and spaces alone have one key.
fn key(question: &str) -> String {
    let plain = question.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    Hash::of(plain).as_str().to_owned()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Kept> {
    let list = |at: usize| -> rusqlite::Result<Vec<String>> {
        Ok(serde_json::from_str(&row.get::<_, String>(at)?).unwrap_or_default())
    };
    let solved = Solved {
        question: row.get(0)?,
        class: row.get(1)?,
        answer: row.get(2)?,
        programs: list(3)?.into_iter().map(ProgramName::new).collect(),
        methods: list(4)?,
        j: row.get(5)?,
        session: SessionId::new(row.get::<_, String>(6)?),
        at: u64::try_from(row.get::<_, i64>(7)?).unwrap_or_default(),
    };
    Ok(Kept { id: row.get(9)?, solved })
}

fn vector_of(row: &Row<'_>) -> rusqlite::Result<Vec<i8>> {
    Ok(row.get_ref(8)?.as_blob()?.iter().map(|byte| byte.cast_signed()).collect())
}

fn misfit(path: &Path, why: String) -> PortError {
    PortError::new(format!("{} {why}", path.display())).hint("move it away, and a new one is begun")
}

/// An error of SQLite in words, with what to do next.
pub(super) fn tell(path: &Path, error: &rusqlite::Error) -> PortError {
    let path = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            PortError::new(format!("{path} is locked by another process"))
                .hint("see who has it open; the next question tries it again")
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            PortError::new(format!("{path} may not be written"))
                .hint("see who owns it and its folder, or set `recall = \"frozen\"`, which only reads")
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            PortError::new(format!("{path} is damaged")).hint("move it away, and a new one is begun")
        }
        Some(ErrorCode::DiskFull) => PortError::new(format!("{path} cannot grow")).hint("free some space on that disk"),
        Some(_) | None => {
            PortError::new(format!("{path} cannot be used: {error}")).hint("move it away, and a new one is begun")
        }
    }
}
