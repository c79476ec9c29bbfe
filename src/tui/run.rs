//! The loop: keys, events and signals in; frames and requests out. It draws when something changed, and never else.

use std::io::stdout;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{Event as Input, EventStream, KeyEventKind, MouseButton, MouseEventKind};
#[cfg(debug_assertions)]
use crossterm::event::{KeyCode, KeyModifiers};
use futures::StreamExt;
use ratatui::layout::{Position, Size};
use tokio::sync::mpsc;

use super::app::{Interface, Likes};
use super::code::Code;
use super::error::TuiError;
use super::farewell::Farewell;
use super::host::Host;
use super::keys::Keymap;
use super::screen::Screen;
use super::signals::{Signal, Signals};
use super::terminal::{self, Guard};
use crate::engine::ports::Library;
use crate::setup::{App, Works};

/// Least time between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// Events that are taken in before the next frame is due.
const BATCH: usize = 512;

/// How the interface begins.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// A question that is asked at once.
    pub query: Option<String>,
    /// A session that is opened.
    pub session: Option<crate::model::SessionId>,
}

/// Runs the interface until the user leaves, and gives what is to be printed then.
///
/// # Errors
/// When the network or the terminal cannot be used.
pub(super) async fn run(
    app: App,
    works: Works,
    likes: Likes,
    keymap: Keymap,
    problems: Vec<String>,
    opening: Opening,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Farewell, TuiError> {
    let network = works.library.network()?;
    let (wake, mut woken) = mpsc::channel::<()>(1);
    let code = Code::new(Box::new(move || {
        // A wake-up that is due already is enough.
        let _ = wake.try_send(());
    }));
    let mut signals = Signals::new()?;
    let mut guard = Guard::enter(likes.mouse)?;
    let mut interface = Interface::new(network, likes, keymap, code);
    let mut screen = Screen::new(stdout());
    let mut input = EventStream::new();
    interface.tick(app.clock.now());
    interface.resize(size());
    if let Some(first) = problems.first() {
        interface.say(super::pane::Tone::Bad, first.clone());
    }
    screen.draw(interface.size, |buf| interface.draw(buf))?;
    let (clock, hand) = (app.clock.clone(), app.models.hand.clone());
    let (sender, mut sought) = mpsc::unbounded_channel();
    let mut host = Host::new(app, works, env, sender)?;
    host.load_queue(&mut interface);
    host.look_around(&mut interface);
    if let Some(id) = opening.session {
        host.open(&mut interface, &id, None).await;
    }
    if let Some(text) = opening.query {
        // It is asked already, so that keys step and stop it as they do after Enter.
        interface.writing = false;
        interface.ask_text(text, false);
    }
    let mut dirty = true;
    let mut drawn = Instant::now();
    loop {
        for request in interface.take_requests() {
            dirty = true;
            match request {
                super::request::Request::Quit => {
                    host.close().await;
                    return Ok(Farewell::of(&interface, 0));
                }
                super::request::Request::Redraw => screen.forget(),
                super::request::Request::Mouse(on) => guard.set_mouse(on)?,
                super::request::Request::Suspend => {
                    drop(input);
                    suspend(&guard, &mut signals).await?;
                    input = EventStream::new();
                    screen = Screen::new(stdout());
                    interface.resize(size());
                }
                super::request::Request::Copy(text) => match super::clipboard::copy(&text, env) {
                    Ok(how) => interface.say(super::pane::Tone::Good, how),
                    Err(why) => interface.say(super::pane::Tone::Bad, why),
                },
                other => host.fulfil(&mut interface, other).await,
            }
        }
        if dirty && drawn.elapsed() >= FRAME {
            interface.tick(clock.now());
            if screen.draw(interface.size, |buf| interface.draw(buf)).is_err() {
                return Ok(lost(&mut host, &interface).await);
            }
            (dirty, drawn) = (false, Instant::now());
        }
        let due = due(&interface, dirty, drawn, clock.now());
        let due_sleep = async {
            match due {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            signal = signals.next() => match signal {
                Signal::End(code) => {
                    host.close().await;
                    return Ok(Farewell::of(&interface, code));
                }
                Signal::GoOn => {
                    // The system says this, too, when it takes the terminal away.
                    if guard.take().is_err() {
                        return Ok(lost(&mut host, &interface).await);
                    }
                    screen = Screen::new(stdout());
                    interface.resize(size());
                    dirty = true;
                }
            },
            typed = input.next() => match typed {
                Some(Ok(event)) => {
                    if matches!(event, Input::Resize(..)) {
                        // A terminal that was smaller for a moment has lost what did not fit, though its size is the old one.
                        screen.forget();
                    }
                    dirty |= take_input(&mut interface, event, clock.now());
                }
                Some(Err(_)) | None => return Ok(lost(&mut host, &interface).await),
            },
            envelope = host.next(&mut interface) => {
                dirty = true;
                match envelope {
                    Ok(envelope) => {
                        envelope.into_iter().for_each(|envelope| interface.event(envelope));
                        for envelope in host.more(BATCH) {
                            interface.event(envelope);
                        }
                    }
                    Err(why) => interface.say(super::pane::Tone::Bad, why),
                }
            }
            Some(()) = woken.recv() => dirty = true,
            Some(found) = sought.recv() => {
                interface.servers.took(found);
                dirty = true;
            }
            () = hand.changed() => {
                interface.play.set(hand.waiting());
                dirty = true;
            }
            () = due_sleep => {
                let now = clock.now();
                dirty |= interface.next_tick().is_some_and(|at| at <= now);
                interface.tick(now);
            }
        }
    }
}

/// The terminal went away, which may be seen before the signal that says so: it is left as with that.
async fn lost(host: &mut Host<'_>, interface: &Interface) -> Farewell {
    host.close().await;
    Farewell::of(interface, 129)
}

/// How long until something is to be done by itself.
fn due(interface: &Interface, dirty: bool, drawn: Instant, now: u64) -> Option<Duration> {
    if dirty {
        return Some(FRAME.saturating_sub(drawn.elapsed()));
    }
    interface.next_tick().map(|at| Duration::from_millis(at.saturating_sub(now).max(1)))
}

/// Hands typed input on; false where it changes nothing.
fn take_input(interface: &mut Interface, event: Input, clock: u64) -> bool {
    match event {
        Input::Key(key) if key.kind == KeyEventKind::Release => false,
        #[cfg(debug_assertions)]
        Input::Key(key) if key.code == KeyCode::F(12) => fail(key.modifiers),
        Input::Key(key) => {
            interface.key(key, clock);
            true
        }
        Input::Paste(text) => {
            interface.paste(&text, clock);
            true
        }
        Input::Resize(width, height) => {
            interface.resize(Size::new(width, height));
            true
        }
        Input::Mouse(mouse) => {
            let at = Position::new(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => interface.click(at, clock),
                MouseEventKind::ScrollUp => interface.wheel(at, true, clock),
                MouseEventKind::ScrollDown => interface.wheel(at, false, clock),
                MouseEventKind::Down(_)
                | MouseEventKind::Up(_)
                | MouseEventKind::Drag(_)
                | MouseEventKind::Moved
                | MouseEventKind::ScrollLeft
                | MouseEventKind::ScrollRight => return false,
            }
            true
        }
        Input::FocusGained | Input::FocusLost => false,
    }
}

/// Fails as a fault of ours would: in the loop, or with Shift on another thread. Only debug builds have this, on F12, so that
/// tests see what a panic leaves of the terminal and of the session.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "it is there for that")]
fn fail(modifiers: KeyModifiers) -> bool {
    if modifiers.contains(KeyModifiers::SHIFT) {
        // What comes of the thread is in the report of the panic.
        let _ = std::thread::spawn(|| panic!("F12 with Shift was pressed in a debug build")).join();
        return true;
    }
    panic!("F12 was pressed in a debug build");
}

/// Gives the terminal to the shell until it says to go on.
async fn suspend(guard: &Guard, signals: &mut Signals) -> std::io::Result<()> {
    terminal::restore();
    terminal::stop_process();
    // Where nobody can stop this process, nobody will say to go on either.
    let _ = tokio::time::timeout(Duration::from_millis(500), signals.go_on()).await;
    guard.take()
}

fn size() -> Size {
    crossterm::terminal::size().map_or(Size::new(80, 24), |(width, height)| Size::new(width, height))
}

/// What a session gave, or why it broke off; nothing where its record has been read to its end.
pub(super) type Came = Result<Option<Arc<crate::model::Envelope>>, String>;
