import type { JournalEvent } from '../../journal/index.ts';
import { isObject, numberOf, parseInstant, textOf } from '../../kernel/index.ts';
import { fixedText, percent } from '../shared/number-formats.ts';
import { type BlockContext, blockOf, type ToolTimes } from './blocks.ts';
import { type OrderLifecycle, type OrderLifecycles, partsOf } from './order-lifecycles.ts';
import {
  type Act,
  type Block,
  maskOf,
  type StepKind,
  type StepNews,
  type StepSummary,
  type StepView,
  seenDate,
} from './step.ts';
import { type StepDraft, sensibleCut } from './step-draft.ts';
import type { TraceIndex } from './trace-index.ts';

/** Maximum number of orders that the list describes for one bar. */
const MOST_ORDERS = 4;

/** Duration of the tools and model requests of each decision in milliseconds, by bar. */
type DecisionTimes = ReadonlyMap<number, number>;

const NO_TIMES: DecisionTimes = new Map();

/**
 * Returns summaries of the bars that have changed since a revision. For revision 0, returns the summaries of
 * all bars with events.
 */
export function stepNews(index: TraceIndex, since = 0, times = NO_TIMES): StepNews {
  const symbols = index.started?.symbols;
  const several = Array.isArray(symbols) && symbols.length > 1;
  const changed = index.allSteps.filter(({ revision }) => since === 0 || revision > since);
  return {
    steps: changed.map((step) => summaryOf(step, index.lifecycles, several, times)),
    revision: index.revision,
  };
}

/** Returns the summary of a step, including the later events of its orders. */
function summaryOf(
  step: StepDraft,
  lifecycles: OrderLifecycles,
  several: boolean,
  times: DecisionTimes,
): StepSummary {
  const ordersOf = (ids: readonly number[]): OrderLifecycle[] =>
    ids.map((id) => lifecycles.orders.get(id)).filter((order) => order !== undefined);
  const placed = ordersOf(step.placed);
  // An order is described on the bar of its decision. An exit order has no decision, so it is described on
  // the bar of its fill.
  const own = ordersOf(step.filled).filter(({ role }) => role !== '');
  const rest = ordersOf(step.filled).filter(({ role, placedBar }) => role === '' && placedBar !== step.bar);
  const acts = actsOf(step, placed, own);
  return {
    bar: step.bar,
    time: step.date === '' ? null : (parseInstant(step.date) ?? 0) / 1000,
    kind: kindOf(step, placed, acts),
    acts: acts.join(''),
    story: storyOf(step, placed, own, rest, several),
    tools: step.tools.join('\n'),
    trades: step.trades.join(' '),
    calls: step.calls,
    errors: step.errors,
    orders: step.orders,
    fills: step.fills,
    tokens: step.tokens,
    milliseconds: times.get(step.bar) ?? null,
    failure: step.failure,
    unfinished: step.unfinished,
  };
}

const isRefused = (order: OrderLifecycle): boolean => order.end === 'rejected' && order.fills.length === 0;

function actsOf(step: StepDraft, placed: readonly OrderLifecycle[], own: readonly OrderLifecycle[]): Act[] {
  const carried = [...placed.filter((order) => !isRefused(order)), ...own];
  const acts: Act[] = [];
  if (carried.some(({ side }) => side === 'buy')) acts.push('b');
  if (carried.some(({ side }) => side === 'sell')) acts.push('s');
  const refused = step.refusals.length + placed.filter(isRefused).length;
  if (refused > 0) acts.push('r');
  if (step.failure !== '' || step.errors > step.refusals.length + step.market.length) acts.push('e');
  if (step.decided && acts.length === 0) acts.push('h');
  return acts;
}

function kindOf(step: StepDraft, placed: readonly OrderLifecycle[], acts: readonly Act[]): StepKind {
  if (step.failure !== '') return 'error';
  if (!step.decided) return acts.includes('e') ? 'error' : 'market';
  const sides = placed.filter((order) => !isRefused(order)).map(({ side }) => side);
  if (sides.length > 0)
    return sides.filter((side) => side === 'buy').length * 2 >= sides.length ? 'buy' : 'sell';
  if (acts.includes('r')) return 'refused';
  return acts.includes('e') ? 'error' : 'hold';
}

function storyOf(
  step: StepDraft,
  placed: readonly OrderLifecycle[],
  own: readonly OrderLifecycle[],
  rest: readonly OrderLifecycle[],
  several: boolean,
): string {
  if (step.failure !== '') return sensibleCut(step.failure);
  const shown = placed.slice(0, MOST_ORDERS);
  const words = step.words === '' || placed.some(({ reason }) => reason !== '') ? '' : step.words;
  const decided = [
    ...shown.map((order) => orderStory(order, several)),
    ...(placed.length > shown.length ? [`${placed.length - shown.length} more orders`] : []),
    ...step.refusals,
  ];
  if (decided.length > 0 && words !== '') decided.push(`“${words}”`);
  if (step.decided && decided.length === 0) decided.push(holdStory(step));
  return [
    ...decided,
    ...own
      .slice(0, MOST_ORDERS)
      .map((order) => `${order.role}: ${fillStory(order, several)}${because(order)}`),
    ...(step.decided
      ? []
      : rest.slice(0, MOST_ORDERS).map((order) => `filled: ${fillStory(order, several)}`)),
    ...(step.decided ? [] : step.market),
  ].join('; ');
}

function holdStory({ outcome, problem, words, errors }: StepDraft): string {
  const said = words === '' ? '' : `: ${words}`;
  if (outcome !== '' && outcome !== 'answered')
    return `no decision (${outcome.replaceAll('_', ' ')})${problem === '' ? said : `: ${sensibleCut(problem)}`}`;
  return errors > 0 ? `nothing done, a call failed${said}` : `held${said}`;
}

/** Describes the history of an order, from its placement to its end. */
function orderStory(order: OrderLifecycle, several: boolean): string {
  if (order.fills.length > 0) return `${fillStory(order, several)}${because(order)}`;
  const what = [order.side, order.size, several ? order.symbol : '', order.terms].filter(
    (text) => text !== '',
  );
  if (order.end === 'rejected') return `refused to ${what.join(' ')}: ${sensibleCut(order.endText)}`;
  const ended = order.end === 'cancelled' ? `, cancelled: ${sensibleCut(order.endText)}` : ', not filled';
  return `ordered to ${what.join(' ')}${because(order)}${ended}`;
}

function fillStory({ side, fills, symbol, quantity, net }: OrderLifecycle, several: boolean): string {
  const at =
    fills.length === 1 ? `at ${fills[0]!.price}` : `in ${fills.length} fills from ${fills[0]?.price}`;
  return `${side === 'buy' ? 'bought' : 'sold'} ${quantity}${several ? ` ${symbol}` : ''} ${at}${net === '' ? '' : `, net ${netText(net)}`}`;
}

/** Rounds a profit to cents. A profit that would become zero is not rounded. */
function netText(net: string): string {
  const short = /^-?\d+\.\d+$/.test(net) ? fixedText(net, 2) : net;
  return Number(short) === 0 ? net : short;
}

function because({ reason }: OrderLifecycle): string {
  return reason === '' ? '' : ` because ${sensibleCut(reason)}`;
}

/**
 * Returns the durations by tool from the content of a `timing.json`. Empty if the content is missing or
 * damaged.
 */
export function toolTimes(timing: unknown): ToolTimes {
  if (!isObject(timing) || !isObject(timing.tools)) return {};
  const times: Record<string, ToolTimes[string]> = {};
  for (const [name, use] of Object.entries(timing.tools)) {
    if (!isObject(use)) continue;
    const [calls, p50, p95] = [use.calls, use.p50Milliseconds, use.p95Milliseconds].map(numberOf);
    if (calls === undefined || p50 === undefined || p95 === undefined) continue;
    times[name] = { calls, p50Milliseconds: p50, p95Milliseconds: p95 };
  }
  return times;
}

/**
 * Returns the duration of the tools and model requests of each decision, by bar. The field `decisions` of
 * `timing.json` contains pairs `bar:milliseconds`, separated by spaces. Empty if the field is missing.
 */
export function decisionTimes(timing: unknown): DecisionTimes {
  const text = isObject(timing) ? textOf(timing.decisions) : '';
  const times = new Map<number, number>();
  for (const [, bar, milliseconds] of text.matchAll(/(\d+):(\d+(?:\.\d+)?)/g))
    times.set(Number(bar), Number(milliseconds));
  return times;
}

export type { ToolTimes };

/**
 * Returns the view of one bar. Events of a masked run must already have real names, dates and prices.
 *
 * @param since block of the events since the last decision; `undefined` if the recorded observation of a
 *   model or agent contains these events
 */
export function viewOf(
  index: TraceIndex,
  bar: number,
  happened: readonly JournalEvent[],
  times: ToolTimes,
  since: Block | undefined,
): StepView {
  const context: BlockContext = { lifecycles: index.lifecycles, times };
  // The end of the run is shown on the last bar.
  const isLast = index.finished !== undefined && bar === index.bars - 1;
  const events = isLast ? [...happened, index.finished!] : happened;
  const end = events.find((event) => event.type === 'bar');
  const { before, decided } = partsOf(events.filter((event) => event.type !== 'bar'));
  const blocks = (part: readonly JournalEvent[]): Block[] =>
    part.map((event) => blockOf(event, context)).filter((block) => block !== undefined);
  const seen = seenDate(textOf(end?.date), maskOf(index.started));
  return {
    bar,
    date: textOf(end?.date),
    unfinished: end === undefined,
    account:
      end === undefined
        ? []
        : [
            ['Cash', textOf(end.cash)],
            ['Equity', textOf(end.equity)],
            ...(seen === undefined ? [] : [['Date as it was seen', seen] as const]),
            ['Exposure', percent(typeof end.exposure === 'number' ? end.exposure : null, 1)],
          ],
    prices: pricesOf(index, end),
    market: blocks(before),
    decision: [...(since === undefined ? [] : [since]), ...blocks(decided)],
  };
}

function pricesOf(index: TraceIndex, end: JournalEvent | undefined): StepView['prices'] {
  const symbols = index.started?.symbols;
  if (!Array.isArray(end?.prices) || !Array.isArray(symbols)) return [];
  const prices: readonly unknown[] = end.prices;
  return symbols.map((symbol, number) => {
    const values = prices[number];
    return {
      symbol: textOf(symbol),
      values: Array.isArray(values) ? values.map((value) => numberOf(value) ?? null) : null,
    };
  });
}
