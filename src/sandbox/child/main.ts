/**
 * A sandbox child: boots Python, then answers one request after the other until the engine closes the pipe.
 *
 * It runs under Node's permission model, and after start-up without network and without new file descriptors.
 */
import type { PyodideInterface } from 'pyodide';
import type { Frame, RequestHeader } from '../protocol.ts';
import { bootPython } from '../provision/boot.ts';
import { BarStore, type Reserve } from './bar-store.ts';
import { capMemory, closeDoors, elapsed, installDeterminism, narrowBindings, setClock } from './harden.ts';
import type { HeapModule } from './heap.ts';
import { readRequest, writeReply } from './pipe.ts';
import { Worlds } from './worlds.ts';
import { zeroArrays } from './zeroed-arrays.ts';

type CallRequest = Extract<RequestHeader, { type: 'call' }>;

/** Milliseconds between two soft interrupts of one call: the code that answers the first must not be hit by the next. */
const INTERRUPT_PAUSE = 30;
const SIGINT = 2;

interface PythonSide {
  readonly call: (operation: string, request: string) => string;
  readonly reserve: Reserve;
}

class Deadline {
  #at = Number.POSITIVE_INFINITY;

  start(timeoutMs: number): void {
    this.#at = elapsed() + timeoutMs;
  }

  stop(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /** What Pyodide polls: an element that reads 2 asks for a KeyboardInterrupt. */
  interruptBuffer(): { 0: number } {
    const poll = (): number => {
      if (elapsed() < this.#at) return 0;
      this.#at = elapsed() + INTERRUPT_PAUSE;
      return SIGINT;
    };
    return Object.defineProperty({ 0: 0 }, 0, { get: poll, set: () => undefined });
  }
}

/** The answer to a call of a session that this process does not hold. */
const SESSION_LOST = JSON.stringify({
  ok: false,
  kind: 'SessionLost',
  error: 'SessionLost: this process does not hold the session',
  remediation: 'begin it anew',
});

function serve(python: PythonSide, module: HeapModule, memoryMegabytes: number): void {
  const bars = new BarStore(python.reserve, () => module.HEAPU8.buffer as ArrayBuffer);
  const worlds = new Worlds(module, bars, memoryMegabytes * 1024 * 1024);
  const deadline = deadlineOfProcess;
  for (let frame = readRequest(); frame !== undefined; frame = readRequest()) {
    if (frame.header.type !== 'call') continue;
    bars.accept(frame.header.feeds, frame.binary);
    if (!worlds.enter(frame.header.session, frame.header.time)) {
      writeReply({ type: 'reply' }, SESSION_LOST);
      continue;
    }
    const answer = answerCall(frame as Frame<CallRequest>, python, bars, deadline);
    writeReply({ type: 'reply' }, answer);
    // Python says at the end of its reply whether the call may have left traces; when in doubt, go back.
    if (!answer.endsWith('"dirty":false}')) worlds.clean();
  }
}

function answerCall(
  frame: Frame<CallRequest>,
  python: PythonSide,
  bars: BarStore,
  deadline: Deadline,
): string {
  const { header } = frame;
  setClock(header.time);
  bars.flush();
  deadline.start(header.timeoutMs);
  try {
    return python.call(header.operation, frame.body);
  } finally {
    deadline.stop();
  }
}

const deadlineOfProcess = new Deadline();

async function main(): Promise<void> {
  const first = readRequest();
  if (first?.header.type !== 'boot') return;
  const { runtime, seed, memoryMegabytes } = first.header;
  const startedAt = elapsed();
  installDeterminism(seed);
  narrowBindings();
  capMemory(memoryMegabytes);
  const pyodide: PyodideInterface = await bootPython(runtime, {
    jsglobals: Object.create(null) as object,
    env: { PYTHONHASHSEED: '0', HOME: '/home/agent' },
  });
  pyodide.setInterruptBuffer(deadlineOfProcess.interruptBuffer() as unknown as Uint8Array);
  zeroArrays(pyodide);
  const runtimeModule = pyodide.pyimport('sandtable_runtime');
  runtimeModule.boot('{}');
  const python: PythonSide = { call: runtimeModule.call, reserve: runtimeModule.reserve };
  const version = String(pyodide.version);
  closeDoors();
  writeReply({ type: 'ready', bootMs: elapsed() - startedAt, versions: { python: version } });
  serve(python, (pyodide as unknown as { _module: HeapModule })._module, memoryMegabytes);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    writeReply({ type: 'broken', message: message.slice(0, 2000) });
    process.exit(1);
  },
);
