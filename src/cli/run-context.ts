import { withEnvFile } from '../agent/index.ts';
import type { openSandbox, RunContext, RunEnd, RunObserver } from '../runner/index.ts';
import { onInterrupt } from './interrupt.ts';
import { type Io, printLine } from './io.ts';
import { ProgressLine } from './progress.ts';

/**
 * Creates the run context of a command.
 *
 * @param silent if true, only important messages are printed
 * @param ended called after a run's files are written
 */
export function runContext(
  io: Io,
  silent: boolean,
  ended: (end: RunEnd) => void = () => undefined,
): RunContext {
  const { guard, pythonLimits } = io;
  guard?.hearBeforeRun();
  return {
    environment: withEnvFile(io.env),
    observer: { ...printing(io, silent), ended },
    listen: () =>
      onInterrupt(guard, () => {
        printLine(io.stderr, 'Stopping after the current decision. Press Ctrl-C again to stop immediately.');
      }),
    ...(guard === undefined ? {} : { watch: (file, seconds) => guard.watch(file, seconds) }),
    pythonLimits,
  };
}

/** Returns the Python context of a command without a run. It does not need an `.env` file. */
export function pythonContext(io: Io, silent: boolean): Parameters<typeof openSandbox>[0] {
  return { observer: printing(io, silent), pythonLimits: io.pythonLimits };
}

/** Prints notes, and progress as a line. */
export function printing(io: Io, silent: boolean): Omit<RunObserver, 'ended'> {
  let line: ProgressLine | undefined;
  // Several worlds of one command read the same files.
  const warned = new Set<string>();
  return {
    note(text) {
      if (!silent) printLine(io.stderr, `note: ${text}`);
    },
    warn(text) {
      if (warned.has(text)) return;
      warned.add(text);
      printLine(io.stderr, `note: ${text}`);
    },
    stage(text) {
      line ??= new ProgressLine(io, silent);
      line.note(text);
    },
    progress(label, done, total, unit) {
      line ??= new ProgressLine(io, silent);
      line.show(label, done, total, unit);
    },
    progressEnd() {
      line?.end();
      line = undefined;
    },
  };
}
