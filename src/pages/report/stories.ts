import type { EventOf, RunRecord } from '../../journal/index.ts';
import type { DecidedBar, FilledOrder, OrderEvent } from './model/page-data.ts';

/**
 * Maximum numbers of characters that the page shows: `MOST_WORDS` for the texts of one bar, `MOST_CALL` for
 * one tool call.
 */
const MOST_WORDS = 1200;
const MOST_CALL = 500;
/**
 * Maximum total number of characters of texts and tool calls in the page. The trace page contains them
 * completely.
 */
const MOST_TOLD = 400_000;

/** Returns the filled orders, and the texts and tool calls of the bars on which these orders were placed. */
export function storiesOf(
  record: RunRecord,
  secondsOf: (bar: number) => number,
): {
  readonly orders: readonly FilledOrder[];
  readonly orderEvents: readonly OrderEvent[];
  readonly decided: readonly DecidedBar[];
} {
  const filled = new Set(record.fills.map(({ orderId }) => orderId));
  const own = record.orders.filter(({ orderId }) => filled.has(orderId));
  const orders = own.map((order) => ({
    id: order.orderId,
    bar: order.bar,
    time: secondsOf(order.bar),
    text: orderText(order),
    role: order.role ?? '',
    reason: order.reason ?? '',
  }));
  return {
    orders,
    orderEvents: eventsOf(record, filled, secondsOf),
    decided: decidedOf(record, new Set(own.map(({ bar }) => bar))),
  };
}

/** Returns the events of filled orders other than their fills. */
function eventsOf(
  { adjustments, cancellations, rejections }: RunRecord,
  filled: ReadonlySet<number>,
  secondsOf: (bar: number) => number,
): OrderEvent[] {
  const changed = adjustments.map(({ orderId, bar, quantity, limitPrice, stopPrice }) => {
    const to = [
      quantity === undefined ? undefined : `quantity ${quantity}`,
      limitPrice === undefined ? undefined : `limit ${limitPrice}`,
      stopPrice === undefined ? undefined : `stop ${stopPrice}`,
    ].filter((part) => part !== undefined);
    return { id: orderId, bar, text: `changed by a split: ${to.join(', ')}` };
  });
  const ended = cancellations.map(({ orderId, bar, message }) => ({
    id: orderId,
    bar,
    text: `the rest was cancelled: ${message}`,
  }));
  const refused = rejections.flatMap(({ orderId, bar, message }) =>
    orderId === null ? [] : [{ id: orderId, bar, text: `the rest was refused: ${message}` }],
  );
  return [...changed, ...ended, ...refused]
    .filter(({ id }) => filled.has(id))
    .map(({ id, bar, text }) => ({ id, time: secondsOf(bar), text }));
}

function orderText(order: EventOf<'order_accepted'>): string {
  const { action, symbol, orderType, quantity, notional, equityFraction, targetQuantity, targetFraction } =
    order;
  const size =
    quantity ??
    (notional === undefined ? undefined : `${notional} in money`) ??
    (equityFraction === undefined ? undefined : `${equityFraction} of equity`) ??
    (targetQuantity === undefined ? undefined : `to ${targetQuantity}`) ??
    (targetFraction === undefined ? undefined : `to ${targetFraction} of equity`);
  return [
    action,
    size,
    symbol,
    orderType,
    order.limitPrice === undefined ? undefined : `limit ${order.limitPrice}`,
    order.stopPrice === undefined ? undefined : `stop ${order.stopPrice}`,
    order.timeInForce,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

function decidedOf(
  { decisions, speeches, notes, toolCalls }: RunRecord,
  bars: ReadonlySet<number>,
): DecidedBar[] {
  const found = new Map<number, { words: string[]; calls: string[] }>();
  let told = 0;
  const at = (bar: number) => {
    const known = found.get(bar) ?? { words: [], calls: [] };
    found.set(bar, known);
    return known;
  };
  const tell = (list: string[], text: string, most: number): void => {
    const cut = text.length > most ? `${text.slice(0, most)} …` : text;
    told += cut.length;
    if (told <= MOST_TOLD && cut !== '') list.push(cut);
  };
  const say = (bar: number, who: string, text: string): void => {
    if (bars.has(bar) && text.trim() !== '') tell(at(bar).words, `${who}${text}`, MOST_WORDS);
  };
  for (const { bar, text } of notes) say(bar, 'Note: ', text);
  for (const { bar, role, text } of speeches) say(bar, `${role}: `, text);
  // In a strategy with several roles, the text of the decision is often equal to the text of the last role.
  // Equal texts are added only once.
  const spoken = new Set(speeches.map(({ bar, text }) => `${bar} ${text}`));
  for (const { bar, text } of decisions) if (!spoken.has(`${bar} ${text}`)) say(bar, '', text);
  for (const { bar, name, arguments: given, result } of toolCalls)
    if (bars.has(bar))
      tell(at(bar).calls, `${name}(${argumentText(given)}) → ${JSON.stringify(result)}`, MOST_CALL);
  return [...found].map(([bar, { words, calls }]) => ({ bar, words: words.join('\n\n'), calls }));
}

function argumentText(given: unknown): string {
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 1) {
    const [value] = Object.values(given);
    if (typeof value === 'string') return value.trim();
  }
  return JSON.stringify(given);
}
