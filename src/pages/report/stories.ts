import type { EventOf, RunRecord } from '../../journal/index.ts';
import type { DecidedBar, FilledOrder } from './model/page-data.ts';

/** Characters of a model's words, and of a call, that a page tells of one bar. */
const MOST_WORDS = 1200;
const MOST_CALL = 500;
/** Characters of all of them: the rest is in the trace. */
const MOST_TOLD = 400_000;

/** The orders that filled, and what was said and asked on the bars they were placed on. */
export function storiesOf(
  record: RunRecord,
  secondsOf: (bar: number) => number,
): { readonly orders: readonly FilledOrder[]; readonly decided: readonly DecidedBar[] } {
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
  return { orders, decided: decidedOf(record, new Set(own.map(({ bar }) => bar))) };
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

function decidedOf({ decisions, toolCalls }: RunRecord, bars: ReadonlySet<number>): DecidedBar[] {
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
  for (const { bar, text } of decisions) if (bars.has(bar)) tell(at(bar).words, text, MOST_WORDS);
  for (const { bar, name, arguments: given, result } of toolCalls)
    if (bars.has(bar))
      tell(at(bar).calls, `${name}(${argumentText(given)}) → ${JSON.stringify(result)}`, MOST_CALL);
  return [...found].map(([bar, { words, calls }]) => ({ bar, words: words.join('\n'), calls }));
}

function argumentText(given: unknown): string {
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 1) {
    const [value] = Object.values(given);
    if (typeof value === 'string') return value.trim();
  }
  return JSON.stringify(given);
}
