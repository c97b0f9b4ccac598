//! One task, one subprocess: a crash, a hang or a memory hog is a result, never the end of the run.
//!
//! The runner starts itself again as `bench worker` and talks to it in JSON lines: a job in, any number of
//! ticks (a sign of life, for long jobs) and one reply out. A worker serves many jobs; after a failure the
//! next call starts a new one.

use crate::job::{self, Job, Reply};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub struct Limits {
    /// For one job, or between two ticks of it.
    pub time: Duration,
    /// Resident memory of the worker.
    pub memory_kib: u64,
}

impl Limits {
    /// For workers that are not asked: what is run is a process of its own.
    pub const NONE: Limits = Limits { time: Duration::MAX, memory_kib: 0 };
}

/// How a job ended without a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Failure {
    Panic(String),
    /// Death by a signal or an unexpected exit, with the end of what the worker printed on stderr.
    Crash(String),
    Timeout,
    Memory,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Panic(message) => write!(f, "panic: {message}"),
            Failure::Crash(message) => write!(f, "crash: {message}"),
            Failure::Timeout => f.write_str("time limit"),
            Failure::Memory => f.write_str("memory limit"),
        }
    }
}

/// What a worker writes, one JSON document a line.
#[derive(Serialize, Deserialize)]
enum Message {
    Tick,
    Done { reply: Box<Reply>, peak_kib: u64 },
    Panicked(String),
}

pub struct Worker {
    limits: Limits,
    process: Option<Process>,
    /// The largest resident memory any job reached.
    pub peak_kib: u64,
}

struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    stderr: Arc<Mutex<Vec<u8>>>,
}

impl Worker {
    pub fn new(limits: Limits) -> Worker {
        Worker { limits, process: None, peak_kib: 0 }
    }

    pub fn call(&mut self, job: &Job) -> Result<Reply, Failure> {
        self.call_with(job, |_| {})
    }

    /// Runs one job; `tick` is called with the number of ticks so far.
    pub fn call_with(&mut self, job: &Job, mut tick: impl FnMut(u64)) -> Result<Reply, Failure> {
        let result = self.exchange(job, &mut tick);
        if result.is_err()
            && let Some(mut process) = self.process.take()
        {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
        result
    }

    fn exchange(&mut self, job: &Job, tick: &mut dyn FnMut(u64)) -> Result<Reply, Failure> {
        let crash = |e: io::Error| Failure::Crash(e.to_string());
        if self.process.is_none() {
            self.process = Some(Process::start(self.limits.memory_kib).map_err(crash)?);
        }
        let Some(process) = self.process.as_mut() else { return Err(Failure::Crash("no worker".into())) };
        let mut line = serde_json::to_string(job).map_err(|e| crash(e.into()))?;
        line.push('\n');
        if process.stdin.write_all(line.as_bytes()).is_err() {
            return Err(process.death());
        }
        let mut deadline = Instant::now() + self.limits.time;
        let mut ticks = 0;
        loop {
            match process.lines.recv_timeout(Duration::from_millis(25)) {
                Ok(line) => match serde_json::from_str::<Message>(&line) {
                    Ok(Message::Tick) => {
                        ticks += 1;
                        tick(ticks);
                        deadline = Instant::now() + self.limits.time;
                    }
                    Ok(Message::Done { reply, peak_kib }) => {
                        self.peak_kib = self.peak_kib.max(peak_kib);
                        if peak_kib > self.limits.memory_kib {
                            return Err(Failure::Memory);
                        }
                        return Ok(*reply);
                    }
                    Ok(Message::Panicked(message)) => return Err(Failure::Panic(message)),
                    Err(e) => return Err(Failure::Crash(format!("bad answer from the worker: {e}"))),
                },
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(rss) = memory_kib(&format!("/proc/{}/status", process.child.id()), "VmRSS:") {
                        self.peak_kib = self.peak_kib.max(rss);
                        if rss > self.limits.memory_kib {
                            return Err(Failure::Memory);
                        }
                    }
                    if Instant::now() >= deadline {
                        return Err(Failure::Timeout);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(process.death()),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

impl Process {
    fn start(memory_kib: u64) -> io::Result<Process> {
        // Resident memory is watched from outside; the limit on address space only stops one huge allocation,
        // so it leaves room for the reserved stack of the front end.
        let address_space = memory_kib + 3 * 1024 * 1024;
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -c 0; ulimit -v {address_space}; exec \"$0\" worker")])
            .arg(std::env::current_exe()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(stdin), Some(stdout), Some(mut errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("no pipes"));
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let tail = stderr.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n) = errors.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let Ok(mut tail) = tail.lock() else { break };
                tail.extend_from_slice(&buffer[..n]);
                let excess = tail.len().saturating_sub(2000);
                tail.drain(..excess);
            }
        });
        Ok(Process { child, stdin, lines, stderr })
    }

    fn death(&mut self) -> Failure {
        let status = self.child.wait().map_or("lost".into(), |s| s.to_string());
        std::thread::sleep(Duration::from_millis(10));
        let said =
            self.stderr.lock().map_or(String::new(), |t| String::from_utf8_lossy(&t).trim().to_string());
        Failure::Crash(format!("{status} {said}").trim().to_string())
    }
}

/// The worker's side: serves jobs from standard input until it is closed.
pub fn serve() -> io::Result<()> {
    let panicked: Arc<Mutex<String>> = Arc::default();
    let slot = panicked.clone();
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut slot) = slot.lock() {
            *slot = info.to_string();
        }
    }));
    for line in io::stdin().lock().lines() {
        let job: Job = serde_json::from_str(&line?)?;
        // Writing 5 resets the peak of the resident memory.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let result = std::panic::catch_unwind(|| job::run(&job, &|| answer(&Message::Tick)));
        let peak_kib = memory_kib("/proc/self/status", "VmHWM:").unwrap_or(0);
        answer(&match result {
            Ok(reply) => Message::Done { reply: Box::new(reply), peak_kib },
            Err(_) => {
                Message::Panicked(panicked.lock().map_or(String::new(), |message| message.replace('\n', " ")))
            }
        });
    }
    Ok(())
}

fn answer(message: &Message) {
    let text = serde_json::to_string(message).unwrap_or_else(|e| format!("\"{e}\""));
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

fn memory_kib(path: &str, field: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(field))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
