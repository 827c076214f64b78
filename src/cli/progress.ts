import { redrawLine } from '../kernel/index.ts';
import { type Io, type Output, printLine } from './io.ts';

/** Milliseconds between two redraws of a terminal line. */
const REDRAW = 100;
/** Milliseconds between two plain lines. */
const PLAIN = 5_000;
const BAR_WIDTH = 24;

/** Shows progress: one redrawn line on a terminal, or occasional plain lines elsewhere. */
export class ProgressLine {
  readonly #output: Output;
  readonly #silent: boolean;
  /** True if a line can be redrawn. A dumb terminal would show the control codes. */
  readonly #redraws: boolean;
  readonly #startedAt = performance.now();
  #shownAt = Number.NEGATIVE_INFINITY;
  #drawn = false;

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
    const wait = this.#redraws ? REDRAW : PLAIN;
    if (now - this.#shownAt < wait && done < total) return;
    if (this.#shownAt === Number.NEGATIVE_INFINITY && !this.#redraws && done < total) {
      // The first plain line appears after the first interval, so short work prints nothing.
      this.#shownAt = now;
      return;
    }
    this.#shownAt = now;
    const seconds = (now - this.#startedAt) / 1000;
    const rate = done / Math.max(seconds, 1e-9);
    const left =
      done >= total || done === 0 ? '' : `, ${duration((total - done) / Math.max(rate, 1e-9))} left`;
    const share = total === 0 ? 1 : done / total;
    const things = total === 1 ? unit.replace(/s$/, '') : unit;
    const text = `${format(done)}/${format(total)} ${things}, ${format(Math.round(rate))} ${unit}/s${left}`;
    if (this.#redraws) {
      const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
      this.#draw(`${label} ${bar} ${Math.floor(share * 100)}%  ${text}`);
    } else {
      printLine(this.#output, `${label}: ${Math.floor(share * 100)}%, ${text}`);
    }
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

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
