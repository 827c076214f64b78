import { AppError, DAY, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import type { Period } from '../sweep/figures.ts';

/** Length of time on the calendar: `5d`, `2w`, `3m`, `1y`. */
export interface Span {
  readonly text: string;
  readonly days: number;
  readonly months: number;
}

const SPAN = /^(\d+)\s*(?:(d|days?)|(w|wks?|weeks?)|(m|mos?|months?)|(y|yrs?|years?))$/i;
const UNITS = ['d', 'w', 'm', 'y'] as const;

/**
 * Parses a length of time such as `6m`, `6mo` or `6 months`. `text` of the result is the shortest form, such
 * as `6m`.
 *
 * @returns undefined if the text is not a length of time
 */
export function readSpan(text: string): Span | undefined {
  const [, count = '', ...units] = SPAN.exec(text.trim()) ?? [];
  const number = Number(count);
  const unit = UNITS[units.findIndex((each) => each !== undefined)];
  if (unit === undefined || number === 0) return undefined;
  return {
    text: `${number}${unit}`,
    days: unit === 'd' ? number : unit === 'w' ? number * 7 : 0,
    months: unit === 'm' ? number : unit === 'y' ? number * 12 : 0,
  };
}

/**
 * Returns an instant moved by a span. If the target month does not contain the day, for example 31 April,
 * the last day of the month is used.
 *
 * @param times number of spans to add. Negative numbers move back in time
 */
export function shifted(instant: Instant, { days, months }: Span, times = 1): Instant {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months * times);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() + days * times * DAY;
}

/** Options of a walk-forward. */
export interface WalkForwardTerms {
  readonly train: Span;
  readonly test: Span;
  readonly step: Span;
  /** If true, every train window begins at the first bar that can be evaluated. */
  readonly anchored: boolean;
  /** Gap between the end of a train window and the start of its test window. `undefined` for no gap. */
  readonly embargo: Span | undefined;
  /**
   * If true, a position open at the end of a test window is carried into the next window. If false, the
   * position is closed.
   */
  readonly carry: boolean;
}

/**
 * Parses the options of a walk-forward, for example `train=3y,test=1y,step=1y,anchored,embargo=5d`.
 *
 * @throws AppError `bad_walk_forward` with every fault
 */
export function readWalkForward(text: string): WalkForwardTerms {
  const faults: Fault[] = [];
  const spans = new Map<string, Span>();
  let [anchored, carry] = [false, false];
  for (const part of text.split(',').map((word) => word.trim())) {
    const [name = '', value, ...more] = part.split('=');
    if (name === 'anchored' && value === undefined) {
      anchored = true;
      continue;
    }
    if (name === 'carry' && value === undefined) {
      carry = true;
      continue;
    }
    if (!['train', 'test', 'step', 'embargo'].includes(name)) {
      faults.push({ where: part, message: 'is not train, test, step, embargo, anchored or carry' });
      continue;
    }
    const span = more.length > 0 ? undefined : readSpan(value ?? '');
    if (span === undefined) faults.push({ where: part, message: 'is not a length such as 5d, 2w, 3m or 1y' });
    else if (spans.has(name)) faults.push({ where: part, message: `duplicate ${name}` });
    else spans.set(name, span);
  }
  const [train, test] = [spans.get('train'), spans.get('test')];
  for (const name of ['train', 'test'])
    if (!spans.has(name) && !faults.some(({ where }) => where.startsWith(`${name}=`)))
      faults.push({ where: name, message: 'is missing' });
  const step = spans.get('step') ?? test;
  const [origin] = [Date.UTC(2001, 0, 1)];
  if (step !== undefined && test !== undefined && shifted(origin, step) < shifted(origin, test))
    faults.push({ where: 'step', message: 'is shorter than test: test windows would overlap' });
  if (carry && step !== undefined && test !== undefined && shifted(origin, step) > shifted(origin, test))
    faults.push({ where: 'carry', message: 'needs test windows without gaps between them: omit step' });
  if (faults.length > 0 || train === undefined || test === undefined || step === undefined)
    throw faultsError(
      'bad_walk_forward',
      `--walk-forward ${text}`,
      faults,
      'Write it as train=3y,test=1y,embargo=5d.',
    );
  return { train, test, step, anchored, embargo: spans.get('embargo'), carry };
}

/**
 * Train window and test window of one step of a walk-forward. `to` is the instant after the end of a window.
 */
export interface TrainAndTest {
  readonly train: { readonly from: Instant; readonly to: Instant };
  readonly test: { readonly from: Instant; readonly to: Instant };
}

/**
 * Returns the windows of a walk-forward. The last test window may extend beyond the end of the data. Such a
 * window is used if the data covers at least half of its length.
 *
 * @param from first instant that can be evaluated
 * @param end instant after the last bar
 * @throws AppError `bad_walk_forward` if no window fits
 */
export function windowsOf(terms: WalkForwardTerms, from: Instant, end: Instant): TrainAndTest[] {
  const { train, test, step, anchored, embargo } = terms;
  const windows: TrainAndTest[] = [];
  for (let index = 0; ; index++) {
    const begins = shifted(from, step, index);
    const trained = shifted(begins, train);
    const tested = embargo === undefined ? trained : shifted(trained, embargo);
    const over = shifted(tested, test);
    if (tested >= end || (over > end && end - tested < (over - tested) / 2)) break;
    windows.push({
      train: { from: anchored ? from : begins, to: trained },
      test: { from: tested, to: Math.min(over, end) },
    });
  }
  if (windows.length > 0) return windows;
  throw new AppError({
    code: 'bad_walk_forward',
    message: `No window of train=${train.text},test=${test.text}${embargo === undefined ? '' : `,embargo=${embargo.text}`} fits between ${formatInstant(from)} and ${formatInstant(end - 1)}.`,
    hint: 'Use shorter windows or more data.',
  });
}

/**
 * Window of bars on which a strategy is evaluated. All earlier bars are visible to the strategy as history.
 */
export interface JudgedWindow {
  readonly period: Period;
  /** Dates of the first and the last evaluated bar, and the number of earlier bars that the strategy sees. */
  readonly shown: { readonly from: string; readonly to: string; readonly historyBars: number };
}

/**
 * Returns the window between two instants.
 *
 * @param clock times of all bars
 * @param from first instant
 * @param to instant after the last bar
 */
export function judgedWindow(clock: Float64Array, from: Instant, to: Instant): JudgedWindow {
  const begins = clock.findIndex((time) => time >= from);
  const ends = clock.findLastIndex((time) => time < to);
  const [first, last] = [formatInstant(clock[begins]!), formatInstant(clock[ends]!)];
  return {
    period: {
      from: formatInstant(clock[0]!),
      to: last,
      // The first decision is made on the bar before the first evaluated bar. A window at the start of the
      // data has no previous bar, so `evaluateFrom` is omitted.
      ...(begins > 0 ? { evaluateFrom: first } : {}),
    },
    shown: { from: first, to: last, historyBars: begins },
  };
}
