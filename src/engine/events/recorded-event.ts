import {
  AppError,
  DEEPEST_INPUT,
  describeValue,
  isDeeperThan,
  isObject,
  nearest,
  parseInstant,
  TOO_DEEP,
} from '../../kernel/index.ts';
import type { DeciderEvent } from './events.ts';

/** Type of an event's field. */
type Kind = 'text' | 'amount' | 'price' | 'date' | 'count' | 'array' | 'object';

type Fields = Readonly<Record<string, Kind>>;

const TRADE: Fields = {
  id: 'count',
  symbol: 'text',
  side: 'text',
  quantity: 'amount',
  entryBar: 'count',
  entryTime: 'date',
  entryPrice: 'amount',
  grossPnl: 'amount',
  commission: 'amount',
  netPnl: 'amount',
};

/** Fields that an event recorded by a decider or a tool must have, by type. */
const RECORDED = {
  note: { bar: 'count', text: 'text' },
  tool_called: { bar: 'count', name: 'text' },
  telemetry: { bar: 'count', event: 'text', code: 'text' },
  file_written: { bar: 'count', path: 'text', mode: 'text', content: 'text' },
  file_deleted: { bar: 'count', path: 'text' },
  agent_asked: { bar: 'count', decision: 'count' },
  agent_replied: { bar: 'count', number: 'count' },
  model_configured: { bar: 'count', model: 'text' },
  model_called: { bar: 'count', round: 'count', attempt: 'count' },
  limit_reached: { bar: 'count', scope: 'text' },
  model_unavailable: { bar: 'count', policy: 'text' },
  role_spoke: { bar: 'count', role: 'text', outcome: 'text' },
  decision_made: { bar: 'count', outcome: 'text' },
} satisfies Readonly<Record<DeciderEvent['type'], Fields>>;

/** Types of the events that deciders and tools record. */
export const RECORDED_TYPES: readonly string[] = Object.keys(RECORDED);

/**
 * Fields that metrics and charts need, by type of event. Other fields are not checked, because journals of
 * earlier and later versions have different ones.
 */
const NEEDED: Readonly<Record<string, Fields>> = {
  // `note` is not in this table, because no figure uses notes. A damaged note in an old journal therefore has
  // no effect.
  tool_called: RECORDED.tool_called,
  agent_asked: RECORDED.agent_asked,
  agent_replied: RECORDED.agent_replied,
  run_started: { strategy: 'object', settings: 'object', symbols: 'array' },
  bar: { bar: 'count', date: 'date', cash: 'amount', equity: 'amount' },
  order_accepted: { bar: 'count', orderId: 'count', symbol: 'text', action: 'text' },
  order_rejected: { bar: 'count', action: 'text', code: 'text' },
  order_cancelled: { bar: 'count', orderId: 'count' },
  order_adjusted: { bar: 'count', orderId: 'count' },
  order_filled: {
    bar: 'count',
    orderId: 'count',
    symbol: 'text',
    side: 'text',
    quantity: 'amount',
    price: 'amount',
    priceBeforeSlippage: 'amount',
    commission: 'amount',
  },
  trade_closed: { bar: 'count', ...TRADE, exitTime: 'date', exitPrice: 'amount', exitReason: 'text' },
  cash_entry: { bar: 'count', kind: 'text', amount: 'amount' },
  split: { bar: 'count', symbol: 'text', ratio: 'text', quantityBefore: 'amount', quantityAfter: 'amount' },
  rolled: { bar: 'count', symbol: 'text', from: 'text', to: 'text', fromPrice: 'amount', toPrice: 'amount' },
  delisted: { bar: 'count', symbol: 'text', price: 'amount' },
  features_known: { bar: 'count', rows: 'array' },
  context_known: { bar: 'count', series: 'array' },
  documents_known: { bar: 'count', documents: 'array' },
  fundamentals_known: { bar: 'count', rows: 'array' },
  universe_changed: { bar: 'count', entered: 'array', left: 'array' },
  risk_halted: { bar: 'count', code: 'text' },
  decision_missed: { bar: 'count' },
  run_finished: { outcome: 'text', openTrades: 'array', commissionPaid: 'amount' },
};

/**
 * Returns the fault of an event as a predicate, for example `has no date`. `undefined` if readers can use the
 * event.
 */
export function shapeFault(
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): string | undefined {
  if (event.type === 'bar' && isSoundBar(event)) return undefined;
  const values: Readonly<Record<string, unknown>> = event;
  const fault = fieldsFault(values, Object.hasOwn(NEEDED, event.type) ? NEEDED[event.type]! : {});
  if (fault !== undefined) return fault;
  if (event.type === 'bar') return pricesFault(values.prices);
  if (event.type === 'run_started') return startFault(values);
  if (event.type === 'run_finished') return openTradesFault(values.openTrades as unknown[]);
  return undefined;
}

/**
 * Returns the fault of an event that a decider or a tool records, as a predicate. `undefined` if all its
 * fields are present.
 */
function recordedFault(
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): string | undefined {
  return fieldsFault(event, RECORDED[event.type as DeciderEvent['type']]);
}

function fieldsFault(values: Readonly<Record<string, unknown>>, needed: Fields): string | undefined {
  for (const name in needed) {
    const fault = shapeFaultOf(values, name, needed[name]!);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

// Fast check without the table of required fields, because most events of a journal are `bar` events.
function isSoundBar({ bar, date, cash, equity, prices }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof bar === 'number' &&
    bar >= 0 &&
    Number.isSafeInteger(bar) &&
    typeof date === 'string' &&
    typeof cash === 'string' &&
    typeof equity === 'string' &&
    AMOUNT.test(cash) &&
    AMOUNT.test(equity) &&
    parseInstant(date) !== undefined &&
    pricesFault(prices) === undefined
  );
}

function shapeFaultOf(
  values: Readonly<Record<string, unknown>>,
  name: string,
  kind: Kind,
): string | undefined {
  const value = values[name];
  if (isKind(value, kind)) return undefined;
  return value === undefined ? `has no ${name}` : `has the invalid ${name} ${shown(value)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const AMOUNT = /^-?\d+(\.\d+)?$/;

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'amount':
      return typeof value === 'string' && AMOUNT.test(value);
    case 'price':
      return typeof value === 'string' && AMOUNT.test(value) && Number(value) > 0;
    case 'date':
      return typeof value === 'string' && parseInstant(value) !== undefined;
    case 'count':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
  }
}

function pricesFault(prices: unknown): string | undefined {
  if (prices === undefined) return undefined;
  const isSound =
    Array.isArray(prices) &&
    prices.every(
      (values) =>
        values === null ||
        (Array.isArray(values) && values.length === 5 && values.every((value) => typeof value === 'number')),
    );
  return isSound ? undefined : `has the invalid prices ${shown(prices)}`;
}

function startFault(values: Readonly<Record<string, unknown>>): string | undefined {
  const { strategy, settings, symbols } = values;
  if (!Array.isArray(symbols) || !symbols.every((symbol) => typeof symbol === 'string'))
    return `has the invalid symbols ${shown(symbols)}`;
  if (!isObject(strategy) || !isObject(settings)) return undefined;
  return (
    shapeFaultOf(strategy, 'name', 'text') ??
    shapeFaultOf(strategy, 'kind', 'text') ??
    shapeFaultOf(settings, 'cash', 'price')
  );
}

function openTradesFault(trades: readonly unknown[]): string | undefined {
  for (const trade of trades) {
    if (!isObject(trade)) return `has the invalid open trade ${shown(trade)}`;
    for (const [name, kind] of Object.entries({ ...TRADE, lastPrice: 'amount' } satisfies Fields)) {
      const fault = shapeFaultOf(trade, name, kind);
      if (fault !== undefined) return `has an open trade that ${fault}`;
    }
  }
  return undefined;
}

const HINT = "Record a note: turn.record({ type: 'note', bar: turn.bar, text: '…' }).";

/**
 * Largest size of a note, in characters. Fields other than `type`, `bar` and `text` are counted as JSON,
 * including their names.
 */
const LONGEST_NOTE = 262_144;
/** Largest number of notes recorded at one bar. */
const MOST_NOTES = 10_000;
/** Largest total size of the notes recorded at one bar, in characters. */
const MOST_CHARACTERS = 4_194_304;

/** Counts the notes recorded at a bar. Without a limit, a decider could fill the disk within one bar. */
export class NoteLimit {
  #bar = -1;
  #notes = 0;
  #characters = 0;

  /**
   * Counts an event that `checkRecorded` accepted. Events other than notes do not count.
   *
   * @param bar number of the current bar
   * @throws AppError `too_many_notes`
   */
  count(event: DeciderEvent, bar: number): void {
    if (event.type !== 'note') return;
    if (bar !== this.#bar) [this.#bar, this.#notes, this.#characters] = [bar, 0, 0];
    this.#notes += 1;
    this.#characters += sizeOf(event);
    if (this.#notes <= MOST_NOTES && this.#characters <= MOST_CHARACTERS) return;
    throw new AppError({
      code: 'too_many_notes',
      message: `At bar ${bar} turn.record was given ${this.#notes} notes of ${this.#characters} characters in total; at most ${MOST_NOTES} notes and ${MOST_CHARACTERS} characters are allowed at one bar.`,
      hint: 'Record fewer or shorter notes.',
      kind: 'run',
    });
  }
}

/**
 * Checks an event that a decider or a tool records, with the rules of the journal's reader. Strategies may be
 * JavaScript, so the type of `record` does not guarantee a readable event.
 *
 * @param bar number of the current bar
 * @throws AppError `bad_record`
 */
export function checkRecorded(event: unknown, bar: number): asserts event is DeciderEvent {
  const fault = faultOf(event, bar);
  if (fault === undefined) return;
  throw new AppError({
    code: 'bad_record',
    message: `The event that turn.record was given at bar ${bar} ${fault}.`,
    hint: HINT,
    kind: 'run',
  });
}

/**
 * Returns the fault of a recorded event as a predicate, for example `has no type`. `undefined` for a readable
 * event.
 */
function faultOf(event: unknown, bar: number): string | undefined {
  if (!isObject(event)) return `is ${describeValue(event)}, not an object`;
  const { type } = event;
  if (type === undefined) return `has no type; its fields are ${Object.keys(event).join(', ') || 'missing'}`;
  if (typeof type !== 'string' || !RECORDED_TYPES.includes(type)) return `has ${unknownType(type)}`;
  const fault = recordedFault(event as typeof event & { readonly type: string });
  if (fault !== undefined) return `${fault} (type ${type})`;
  if (Number(event.bar) > bar) return `is of bar ${String(event.bar)}, which has not been reached`;
  // Checked before the size is measured, because measuring a deeper event would overflow the stack.
  if (isDeeperThan(event, DEEPEST_INPUT)) return `is ${TOO_DEEP}`;
  const size = type === 'note' ? sizeOf(event) : 0;
  return size > LONGEST_NOTE
    ? `is a note of ${size} characters; at most ${LONGEST_NOTE} are allowed`
    : undefined;
}

function sizeOf(note: Readonly<Record<string, unknown>>): number {
  const isPlain = Object.keys(note).length === 3;
  return isPlain ? String(note.text).length : JSON.stringify(note).length;
}

function unknownType(type: unknown): string {
  const near = typeof type === 'string' ? nearest(type, RECORDED_TYPES) : undefined;
  return `the unknown type ${describeValue(type)}${near === undefined ? '' : ` (the nearest is ${near})`}`;
}
