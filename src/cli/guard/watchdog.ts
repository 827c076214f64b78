/**
 * Thread that watches the main thread, in which a strategy runs. An endless loop blocks all timers and
 * signals of the main thread. This thread detects the block. It then runs code in the main thread through the
 * inspector, which can interrupt a loop. The inspector opens no port.
 */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { BLOCKED_MS, BUSY_NOTE_MS, LIMIT_MS, STOPPED, TASK, TICK, WATCH_STEP } from './shared.ts';

const shared = workerData as Int32Array;

function callBack(name: 'release' | 'note' | 'timeout'): void {
  const session = new Session();
  session.connectToMainThread();
  const expression = `globalThis[Symbol.for('sandtable.guard')]?.${name}()`;
  // The session must be disconnected before the process ends. Otherwise Node prints a confusing message about
  // the inspector.
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
  // The limit is applied here only if the task blocks the event loop. If a decision waits without blocking,
  // the engine ends it.
  if (limit > 0 && taskMs >= limit && stillMs >= BLOCKED_MS) once('timeout');
}, WATCH_STEP);
