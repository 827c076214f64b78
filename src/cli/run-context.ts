import { withEnvFile } from '../agents/index.ts';
import { redrawLine } from '../kernel/index.ts';
import type { openSandbox, RunContext, RunEnd, RunObserver, readProgress } from '../runner/index.ts';
import type { ProcessGuard } from './guard/process-guard.ts';
import { type Io, type Output, printLine } from './io.ts';

/** Milliseconds between two redraws of a terminal line. */
const REDRAW = 100;
/** Milliseconds between two printed lines, if the output is not a terminal. */
const PLAIN = 5_000;
const BAR_WIDTH = 24;
/** Milliseconds after which the remaining time is estimated. */
const ESTIMATED = 2_000;
/** Remaining seconds. If more are left, a note announces the duration. */
const LONG = 60;

/** Shows progress: one redrawn line on a terminal, or occasional plain lines elsewhere. */
export class ProgressLine {
  readonly #output: Output;
  readonly #silent: boolean;
  /** True if a line can be redrawn. A dumb terminal would show the control codes. */
  readonly #redraws: boolean;
  readonly #startedAt = performance.now();
  /**
   * Count at the first call, and the first count above 0 with its time. The rate is measured from the latter,
   * so that it does not include start-up and earlier work.
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
   * @param unit plural, such as `bars`
   * @param format formats a count. Default: grouped digits
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
      // The first plain line is printed after a full interval, so that short work prints nothing.
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

  /** Returns the number of units per second. 0 if it is not known yet. */
  #rate(done: number, now: number): number {
    this.#first ??= done;
    if (this.#base === undefined && done > 0) this.#base = { done, at: now };
    const { done: from, at } = this.#base ?? { done: 0, at: now };
    if (done > from) return ((done - from) * 1000) / Math.max(now - at, 1e-6);
    // The count has not grown since the first count above 0. If already the first call had a count, the rate is
    // measured from the start.
    const elapsed = now - this.#startedAt;
    return this.#first > 0 && elapsed >= 1 ? (done * 1000) / elapsed : 0;
  }

  /** Prints a note once, as soon as it is clear that the work takes minutes. */
  #announce(label: string, left: number, things: string): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    if (left < LONG) return;
    this.end();
    printLine(this.#output, `note: ${label}: ${things} take about ${duration(left)}.`);
  }

  /** Shows one line about the current work. */
  note(text: string): void {
    if (this.#silent) return;
    if (this.#redraws) this.#draw(text);
    else printLine(this.#output, text);
  }

  /** Clears the line. */
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

/** Milliseconds from the first Ctrl-C until a reminder states how to end the process immediately. */
const SOON = 1_000;

/**
 * Makes the first Ctrl-C (or SIGTERM) abort the returned signal, on which a run stops at the end of the bar.
 * The second one ends the process immediately.
 *
 * @param guard writes the results of a running run before the process ends, and handles signals of a blocked
 *   process
 * @param slow called if the run is still running shortly after the first signal
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

/** Returns the context to start Python for a command without a run. It does not read an `.env` file. */
export function pythonContext(io: Io, silent: boolean): Parameters<typeof openSandbox>[0] {
  return { observer: printing(io, silent), pythonLimits: io.pythonLimits };
}

/** Reads data files and shows the progress of large ones. */
export async function showReading<Read>(
  io: Io,
  read: (onRead: ReturnType<typeof readProgress>) => Promise<Read>,
): Promise<Read> {
  // Loaded here, because most commands use this file without needing the runner.
  const { readProgress } = await import('../runner/index.ts');
  const observer = printing(io, false);
  try {
    return await read(readProgress(observer, 'reading the data'));
  } finally {
    observer.progressEnd();
  }
}

/** Prints notes, and progress as a line. */
export function printing(io: Io, silent: boolean): Omit<RunObserver, 'ended'> {
  // One progress line per label. Concurrent work, such as reading data and starting Python, then has separate
  // rates.
  const lines = new Map<string, ProgressLine>();
  const lineOf = (label: string): ProgressLine => {
    const line = lines.get(label) ?? new ProgressLine(io, silent);
    lines.set(label, line);
    return line;
  };
  // Warnings that were already printed. Several runs of one command read the same files and would repeat them.
  const warned = new Set<string>();
  /** Clears a line of progress, so that the next text is on its own line. */
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
