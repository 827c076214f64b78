import { AppError, type Fault, faultsError, formatInstant, type Instant } from '../kernel/index.ts';

/** A length of time on the calendar: `5d`, `2w`, `3m`, `1y`. */
export interface Span {
  readonly text: string;
  readonly days: number;
  readonly months: number;
}

const SPAN = /^(\d+)([dwmy])$/;
const DAY = 86_400_000;

/** @returns undefined for what is no length of time */
export function readSpan(text: string): Span | undefined {
  const [, count = '', unit = ''] = SPAN.exec(text.trim()) ?? [];
  const number = Number(count);
  if (unit === '' || number === 0) return undefined;
  return {
    text: text.trim(),
    days: unit === 'd' ? number : unit === 'w' ? number * 7 : 0,
    months: unit === 'm' ? number : unit === 'y' ? number * 12 : 0,
  };
}

/**
 * An instant so much later; earlier where `times` is negative. A day that a month does not have is its last one.
 *
 * @param times how often the span is added
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

/** How a walk-forward goes. */
export interface WalkForwardTerms {
  readonly train: Span;
  readonly test: Span;
  readonly step: Span;
  /** Whether every train window begins with the data. */
  readonly anchored: boolean;
  /** Between a train window's end and its test window. */
  readonly embargo: Span | undefined;
  /** Whether a position at a test window's end is carried into the next one, rather than closed. */
  readonly carry: boolean;
}

/**
 * Reads `train=3y,test=1y,step=1y,anchored,embargo=5d`.
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
      faults.push({ where: part, message: 'is none of train, test, step, embargo, anchored and carry' });
      continue;
    }
    const span = more.length > 0 ? undefined : readSpan(value ?? '');
    if (span === undefined) faults.push({ where: part, message: 'is no length such as 5d, 2w, 3m or 1y' });
    else if (spans.has(name)) faults.push({ where: part, message: `${name} is given twice` });
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
    faults.push({ where: 'carry', message: 'needs test windows without time between them: leave step out' });
  if (faults.length > 0 || train === undefined || test === undefined || step === undefined)
    throw faultsError(
      'bad_walk_forward',
      `--walk-forward ${text}`,
      faults,
      'Write it as train=3y,test=1y,embargo=5d.',
    );
  return { train, test, step, anchored, embargo: spans.get('embargo'), carry };
}

/** One step of a walk-forward: instants, each end excluded. */
export interface TrainAndTest {
  readonly train: { readonly from: Instant; readonly to: Instant };
  readonly test: { readonly from: Instant; readonly to: Instant };
}

/**
 * The windows of a walk-forward over some bars; a last test window that the bars do not fill is left out, unless they fill
 * half of it.
 *
 * @param from the first instant that figures may begin at
 * @param end the instant after the last bar
 * @throws AppError `bad_walk_forward` where not one window fits
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
    hint: 'Give shorter windows, or more data.',
  });
}
