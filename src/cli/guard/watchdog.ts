/**
 * Thread that watches the thread of a strategy. An endless loop blocks every timer and signal of the main
 * thread. This thread detects that the main thread is blocked, and calls back into it through the inspector,
 * which can interrupt a loop. It opens no port.
 */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { BLOCKED_MS, BUSY_NOTE_MS, LIMIT_MS, STOPPED, TASK, TICK, WATCH_STEP } from './shared.ts';

const shared = workerData as Int32Array;

function callBack(name: 'release' | 'note' | 'timeout'): void {
  const session = new Session();
  session.connectToMainThread();
  const expression = `globalThis[Symbol.for('sandtable.guard')]?.${name}()`;
  // The session is disconnected after the call. If a process ends with a connected inspector, Node prints a
  // confusing message.
  session.post('Runtime.evaluate', { expression }, () => session.disconnect());
}

let task = 0;
let taskMs = 0;
let tick = -1;
let stillMs = 0;
let called = { release: false, note: false, timeout: false };

function once(name: 'release' | 'note' | 'timeout'): void {
  if (called[name]) return;
  called[name] = true;
  callBack(name);
}

setInterval(() => {
  if (Atomics.load(shared, STOPPED) === 1) return;
  const now = Atomics.load(shared, TASK);
  if (now !== task) called = { ...called, timeout: false };
  taskMs = now !== 0 && now === task ? taskMs + WATCH_STEP : 0;
  task = now;
  const seen = Atomics.load(shared, TICK);
  stillMs = seen === tick ? stillMs + WATCH_STEP : 0;
  tick = seen;
  if (stillMs === 0) {
    called = { release: false, note: false, timeout: called.timeout };
  }
  if (stillMs >= BLOCKED_MS) once('release');
  if (stillMs >= BUSY_NOTE_MS && task !== 0) once('note');
  const limit = Atomics.load(shared, LIMIT_MS);
  // A decision that only waits is ended by the engine. This limit is for a decision that blocks the event loop.
  if (limit > 0 && taskMs >= limit && stillMs >= BLOCKED_MS) once('timeout');
}, WATCH_STEP);
