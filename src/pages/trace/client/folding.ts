import type { StepSummary } from '../step.ts';

/**
 * Row of the list. It contains one step, which is a bar with events, or several consecutive steps without
 * action that are folded.
 */
export type Row = StepSummary | Folded;

export interface Folded {
  readonly steps: readonly StepSummary[];
  /** First bar. `to` is the last bar. Bars in between may have no step. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export function isFolded(row: Row): row is Folded {
  return 'steps' in row;
}

/** Properties of a run that determine how bars without action are folded. */
export interface FoldTerms {
  /**
   * True if the strategy decides on every bar but its journal contains only actions, as for rules in code.
   * Bars without a step then also count as bars without action.
   */
  readonly everyBar: boolean;
  readonly isDaily: boolean;
}

/** True if a bar has neither an action nor an error. Such a bar can be folded with its neighbours. */
function isQuiet({ kind, acts, errors }: StepSummary): boolean {
  return errors === 0 && (kind === 'hold' || (kind === 'market' && acts === ''));
}

/** Returns the rows of the list. Consecutive steps without action become one row that the user can open. */
export function storyRows(steps: readonly StepSummary[], terms: FoldTerms): Row[] {
  const rows: Row[] = [];
  let quiet: StepSummary[] = [];
  let before: StepSummary | undefined;
  const close = (next: StepSummary | undefined): void => {
    const [first, last] = [quiet[0], quiet.at(-1)];
    const from = terms.everyBar && before !== undefined ? before.bar + 1 : first?.bar;
    const to = terms.everyBar && next !== undefined ? next.bar - 1 : last?.bar;
    if (
      from !== undefined &&
      to !== undefined &&
      (quiet.length > 1 || (terms.everyBar && to >= from && before !== undefined))
    )
      rows.push({ steps: quiet, from, to, label: labelOf(quiet, from, to, terms) });
    else rows.push(...quiet);
    quiet = [];
  };
  for (const step of steps) {
    if (isQuiet(step)) {
      quiet.push(step);
      continue;
    }
    close(step);
    rows.push(step);
    before = step;
  }
  if (quiet.length > 0) close(undefined);
  return rows;
}

function labelOf(
  steps: readonly StepSummary[],
  from: number,
  to: number,
  { everyBar, isDaily }: FoldTerms,
): string {
  const holds = steps.filter(({ kind }) => kind === 'hold').length;
  const fills = steps.reduce((sum, step) => sum + (step.kind === 'market' ? step.fills : 0), 0);
  const inARow = everyBar || to - from + 1 === steps.length;
  const count = everyBar ? to - from + 1 : inARow ? steps.length : holds;
  const unit = inARow ? (isDaily ? 'day' : 'bar') : 'decision';
  const held = holds > 0 || everyBar ? `${counted(count, unit)} held` : '';
  return [
    held,
    fills > 0 ? counted(fills, 'fill') : '',
    held === '' && fills === 0 ? counted(steps.length, unit) : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

export function counted(count: number, name: string): string {
  return `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`;
}

type Child = Node | string | null | undefined | readonly Child[];

/** Creates an HTML element. Child texts become text nodes, so that they cannot contain markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '');
    else if (typeof value === 'string') made.setAttribute(key, value);
  }
  append(made, children);
  return made;
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined) continue;
    if (typeof child === 'string') parent.appendChild(document.createTextNode(child));
    else if (child instanceof Node) parent.appendChild(child);
    else append(parent, child);
  }
}

/** Returns an element of the page. Throws if the element is missing or has another type. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

/** Decimal number that is not part of a word, a version or a time. */
const FRACTION = /(?<![\w.,:/])(\d+)\.(\d+)(?!\.?[\w/:])/g;
const WHOLE = /^[-−]?\d+$/;

/** Groups and rounds the decimal numbers in a text so that they are easy to read. */
export function shortNumbers(text: string): string {
  return text.replaceAll(FRACTION, (number, units: string, fraction: string) => {
    const places = units.length > 3 ? 2 : units === '0' ? 6 : 4;
    // A longer number exceeds the 15 digits of float64 after rounding to two places, so its digits would
    // change. It remains unchanged.
    if (units.length > 13) return number;
    const rounded = fraction.length > places ? shortest(Number(number).toFixed(places)) : number;
    // A number other than zero is not rounded if the result would be zero.
    if (Number(rounded) === 0 && Number(number) !== 0) return number;
    const [whole, rest] = rounded.split('.') as [string, string];
    return `${grouped(whole)}.${rest}`;
  });
}

/** Removes trailing zeros of a rounded number, except the first two decimal places. */
function shortest(text: string): string {
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/**
 * Formats an amount with thousands separators, for example `100,000`. If the amount has a fraction, also
 * rounds it.
 */
export function shortAmount(text: string): string {
  return WHOLE.test(text) ? grouped(text) : shortNumbers(text);
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * Format for the times of a run. It includes the year if the run covers several years, and the time of day if
 * bars are shorter than a day.
 */
export interface Dates {
  readonly isDaily: boolean;
  text(seconds: number): string;
}

/**
 * Returns the format for the times of a run.
 *
 * @param seconds times of the bars in seconds since 1970
 * @param timezone time zone for times of day; not used for daily bars
 */
export function datesOf(seconds: readonly number[], timezone: string): Dates {
  const isDaily = seconds.every((time) => time % 86_400 === 0);
  const years = new Set(
    [seconds[0], seconds.at(-1)].map((time) => new Date((time ?? 0) * 1000).getUTCFullYear()),
  );
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: isDaily ? 'UTC' : timezone,
    day: 'numeric',
    month: 'long',
    ...(years.size > 1 ? { year: 'numeric' } : {}),
    ...(isDaily ? {} : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  });
  return { isDaily, text: (time) => format.format(new Date(time * 1000)).replace(' at ', ', ') };
}
