import { withEnvFile } from '../agents/index.ts';
import { redrawLine } from '../kernel/index.ts';
import type { openSandbox, RunContext, RunEnd, RunObserver, readProgress } from '../runner/index.ts';
import type { ProcessGuard } from './guard/process-guard.ts';
import { type Io, type Output, printLine } from './io.ts';

/** Milliseconds between two updates of a progress line on a terminal. */
const REDRAW = 100;
/** Milliseconds between two progress lines if the output is not a terminal. */
const PLAIN = 5_000;
const BAR_WIDTH = 24;
/** Milliseconds of work after which the remaining time is estimated for the first time. */
const ESTIMATED = 2_000;
/** If the estimated remaining time exceeds this number of seconds, a note announces the duration. */
const LONG = 60;

/**
 * Shows progress. On a terminal, one line is updated. In other outputs, a line is printed every five seconds.
 */
export class ProgressLine {
  readonly #output: Output;
  readonly #silent: boolean;
  /**
   * True if the output is a terminal that can redraw a line. On a dumb terminal, the control codes would be
   * visible.
   */
  readonly #redraws: boolean;
  readonly #startedAt = performance.now();
  /**
   * `#first` is the count of finished units at the first call of `show`. `#base` is the first count above 0,
   * with the time of that call. The rate is measured from `#base`, so that it does not include start-up and
   * earlier work.
   */
  #first: number | undefined;
  #base: { readonly done: number; readonly at: number } | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;
  #drawn = false;
  #isAnnounced = false;

  constructor(io: Io, silent: boolean) {
    this.#output = io.stderr;
    this.#silent = silent;
    this.#redraws = io.stderr.isTTY === true && io.env.TERM !== 'dumb';
  }

  /**
   * Updates the progress line, but not more often than the interval for the output allows.
   *
   * @param unit plural, for example `bars`
   * @param format formats a count. Default: digits in groups
   */
  show(
    label: string,
    done: number,
    total: number,
    unit: string,
    format: (count: number) => string = grouped,
  ): void {
    if (this.#silent) return;
    const now = performance.now();
    const rate = this.#rate(done, now);
    if (done > (this.#base?.done ?? done) && now - this.#startedAt >= ESTIMATED)
      this.#announce(label, (total - done) / rate, `${format(total)} ${unit}`);
    const wait = this.#redraws ? REDRAW : PLAIN;
    if (now - this.#shownAt < wait && done < total) return;
    if (this.#shownAt === Number.NEGATIVE_INFINITY && !this.#redraws && done < total) {
      // The first line is printed after a full interval, so that short work prints nothing.
      this.#shownAt = now;
      return;
    }
    this.#shownAt = now;
    const left = done >= total || rate === 0 ? '' : `, ${duration((total - done) / rate)} left`;
    const speed =
      rate === 0
        ? ''
        : `, ${format === grouped ? rateText(rate, unit) : `${format(Math.round(rate))} ${unit}/s`}`;
    const share = total === 0 ? 1 : done / total;
    const things = total === 1 ? unit.replace(/s$/, '') : unit;
    const text = `${format(done)}/${format(total)} ${things}${speed}${left}`;
    if (this.#redraws) {
      const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
      this.#draw(`${label} ${bar} ${Math.floor(share * 100)}%  ${text}`);
    } else {
      printLine(this.#output, `${label}: ${Math.floor(share * 100)}%, ${text}`);
    }
  }

  /** Returns the number of units per second. 0 if the rate is not known yet. */
  #rate(done: number, now: number): number {
    this.#first ??= done;
    if (this.#base === undefined && done > 0) this.#base = { done, at: now };
    const { done: from, at } = this.#base ?? { done: 0, at: now };
    if (done > from) return ((done - from) * 1000) / Math.max(now - at, 1e-6);
    // The count has not grown since `#base`. If the first call already had a count above 0, the rate is
    // measured from the start.
    const elapsed = now - this.#startedAt;
    return this.#first > 0 && elapsed >= 1 ? (done * 1000) / elapsed : 0;
  }

  /** Prints a note once, when the estimate shows that the work will take minutes. */
  #announce(label: string, left: number, things: string): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    if (left < LONG) return;
    this.end();
    printLine(this.#output, `note: ${label}: ${things} take about ${duration(left)}.`);
  }

  /** Shows a line about the current work. */
  note(text: string): void {
    if (this.#silent) return;
    if (this.#redraws) this.#draw(text);
    else printLine(this.#output, text);
  }

  /** Removes the progress line. */
  end(): void {
    if (this.#drawn) redrawLine(this.#output, '');
    this.#drawn = false;
  }

  #draw(text: string): void {
    this.#drawn = true;
    redrawLine(this.#output, text, (this.#output.columns ?? 80) - 1);
  }
}

function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

function rateText(rate: number, unit: string): string {
  if (rate >= 10) return `${grouped(Math.round(rate))} ${unit}/s`;
  const isSlow = rate < 0.1;
  const number = (isSlow ? rate * 60 : rate).toFixed(1).replace(/\.0$/, '');
  return `${number} ${unit}/${isSlow ? 'min' : 's'}`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Milliseconds after the first Ctrl-C until a note explains how to end the process immediately. */
const SOON = 1_000;

/**
 * Handles Ctrl-C and SIGTERM. The first one aborts the returned signal, and a run then stops at the end of
 * the current bar. The second one ends the process immediately.
 *
 * @param guard writes the results of a run before the process ends, and handles signals while the process is
 *   blocked
 * @param slow called if the run has not stopped shortly after the first signal
 */
export function onInterrupt(
  guard?: ProcessGuard,
  slow?: () => void,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  let reminder: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (controller.signal.aborted) {
      if (guard === undefined) process.exit(1);
      guard.interrupt();
    }
    controller.abort();
    if (slow !== undefined) reminder = setTimeout(slow, SOON).unref();
  };
  const deafen = guard === undefined ? hear(stop) : guard.hear(stop);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(reminder);
      deafen();
    },
  };
}

function hear(stop: () => void): () => void {
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
}

/**
 * Creates the run context of a command.
 *
 * @param silent if true, only warnings and errors are printed: no notes and no progress
 * @param ended called after the files of a run have been written
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

/** Returns the context for starting Python in a command without a run. Does not read an `.env` file. */
export function pythonContext(io: Io, silent: boolean): Parameters<typeof openSandbox>[0] {
  return { observer: printing(io, silent), pythonLimits: io.pythonLimits };
}

/** Reads data files and shows the progress of large ones. */
export async function showReading<Read>(
  io: Io,
  read: (onRead: ReturnType<typeof readProgress>) => Promise<Read>,
): Promise<Read> {
  // Loaded here and not at the top, because most commands use this file without the runner.
  const { readProgress } = await import('../runner/index.ts');
  const observer = printing(io, false);
  try {
    return await read(readProgress(observer, 'reading the data'));
  } finally {
    observer.progressEnd();
  }
}

/** Creates an observer of runs that prints notes, and shows progress as a line. */
export function printing(io: Io, silent: boolean): Omit<RunObserver, 'ended'> {
  // One progress line for each label. Concurrent work, such as reading data and starting Python, then has
  // separate rates.
  const lines = new Map<string, ProgressLine>();
  const lineOf = (label: string): ProgressLine => {
    const line = lines.get(label) ?? new ProgressLine(io, silent);
    lines.set(label, line);
    return line;
  };
  // Warnings that have been printed. If a command makes several runs, they read the same files and would
  // repeat the warnings.
  const warned = new Set<string>();
  /** Removes the progress lines, so that the next text starts on an empty line. */
  const clear = (): void => {
    for (const line of lines.values()) line.end();
  };
  return {
    note(text) {
      if (silent) return;
      clear();
      printLine(io.stderr, `note: ${text}`);
    },
    warn(text) {
      if (warned.has(text)) return;
      warned.add(text);
      clear();
      printLine(io.stderr, `note: ${text}`);
    },
    stage(text) {
      lineOf('').note(text);
    },
    progress(label, done, total, unit) {
      lineOf(label).show(label, done, total, unit);
    },
    progressEnd() {
      clear();
      lines.clear();
    },
  };
}
