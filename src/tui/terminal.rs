//! The terminal as it must be found again: every way out of the interface passes through [`restore`].

use std::io::{self, Write, stderr, stdout};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture,
};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};

/// Whether the terminal is ours at present, so that it is given back once.
static OURS: AtomicBool = AtomicBool::new(false);
/// Panics of other threads, which must not be written over the screen; they are reported when the terminal is given back.
static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Holds the terminal; dropping it gives the terminal back.
#[derive(Debug)]
pub(super) struct Guard {
    mouse: bool,
}

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, pasted text as one piece. A panic of this thread gives it back before
    /// it is reported; one of another thread ends what that thread did, and the interface goes on.
    ///
    /// # Errors
    /// When the terminal cannot be set.
    pub(super) fn enter(mouse: bool) -> io::Result<Self> {
        static HOOK: std::sync::Once = std::sync::Once::new();
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            let here = thread::current().id();
            std::panic::set_hook(Box::new(move |panic| {
                if thread::current().id() != here
                    && OURS.load(Ordering::Acquire)
                    && let Ok(mut faults) = FAULTS.lock()
                {
                    faults.push(panic.to_string());
                    return;
                }
                restore();
                report(panic);
            }));
        });
        let guard = Self { mouse };
        guard.take()?;
        Ok(guard)
    }

    /// Takes the terminal again after [`Guard::give_back`].
    ///
    /// # Errors
    /// When the terminal cannot be set.
    pub(super) fn take(&self) -> io::Result<()> {
        OURS.store(true, Ordering::Release);
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, Hide, EnableBracketedPaste, EnableFocusChange)?;
        if self.mouse {
            execute!(stdout(), EnableMouseCapture)?;
        }
        Ok(())
    }

    /// Turns the mouse on or off.
    ///
    /// # Errors
    /// When the terminal cannot be set.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        if self.mouse != on {
            self.mouse = on;
            if on { execute!(stdout(), EnableMouseCapture)? } else { execute!(stdout(), DisableMouseCapture)? }
        }
        Ok(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back as it was found. Typed keys that nobody has read are forgotten, so that none reaches the shell.
pub(super) fn restore() {
    if !OURS.swap(false, Ordering::AcqRel) {
        return;
    }
    let mut bytes = Vec::new();
    // Every mode that can have been set is unset, whether it was or not: a crash must not depend on bookkeeping.
    let _ = queue!(
        bytes,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableFocusChange,
        DisableBracketedPaste,
        ResetColor,
        LeaveAlternateScreen,
        Show
    );
    let mut out = stdout();
    let _ = out.write_all(&bytes);
    let _ = out.flush();
    #[cfg(unix)]
    let _ = rustix::termios::tcflush(rustix::stdio::stdin(), rustix::termios::QueueSelector::IFlush);
    let _ = disable_raw_mode();
    for fault in FAULTS.lock().map(|mut faults| std::mem::take(&mut *faults)).unwrap_or_default() {
        let _ = writeln!(stderr(), "{fault}");
    }
}

/// Stops the process as the shell's own key would, after the terminal was given back. Returns when it goes on.
#[cfg(unix)]
pub(super) fn stop_process() {
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
}

/// There is no such thing here.
#[cfg(not(unix))]
pub(super) fn stop_process() {}
