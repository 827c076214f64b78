import { isJsonObject, isResult, type Json } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { type Alarm, counted } from './alarm.ts';

/**
 * Maximum number of characters that an alarm shows of an error, or of a remedy (advice that comes with an
 * error).
 */
const SHOWN = 200;

/** Kinds of strategies that read the error of a failed call and can correct the call: prompts and agents. */
const CORRECT_THEMSELVES: ReadonlySet<string> = new Set(['llm', 'agent', 'mcp']);

/**
 * True if code makes the orders and calls of a run. Code repeats its mistakes, unlike a model or an agent.
 */
function isFixedCode({ started }: RunRecord): boolean {
  return !CORRECT_THEMSELVES.has(started.strategy.kind);
}

/** Returns the first line of the error of a failed tool call. `undefined` for a call that succeeded. */
function errorOf(result: Json): string | undefined {
  return isJsonObject(result) && 'error' in result ? firstLine(result.error) : undefined;
}

/**
 * Returns one alarm per tool with failed calls. If a strategy is code, one failed call causes an alarm. For a
 * model or an agent, at least half of the calls must have failed.
 */
export function failedCalls(record: RunRecord): Alarm[] {
  const least = isFixedCode(record) ? 0 : 0.5;
  return [...groupBy(record.toolCalls, ({ name }) => name)].flatMap(([name, calls]) => {
    const failed = calls.filter(({ result }) => errorOf(result) !== undefined);
    if (failed.length === 0 || failed.length < calls.length * least) return [];
    return [failedCallsOf(record, name, failed, calls.length)];
  });
}

/** Returns an alarm for decisions of an external agent that failed and therefore had no answer. */
export function failedDecisions({ decisions, bars }: RunRecord): Alarm[] {
  const failed = decisions.filter(({ outcome }) => outcome === 'agent_failed');
  if (failed.length === 0) return [];
  const first = bars.find(({ bar }) => bar === failed[0]!.bar)?.date ?? `bar ${failed[0]!.bar}`;
  return [
    {
      kind: 'failed_decisions',
      count: failed.length,
      problem: `${failed.length.toLocaleString('en-US')} of ${counted(decisions.length, 'decision')} failed: the agent crashed, did not answer or sent an invalid answer. First on ${first}.`,
      meaning: 'On these bars the run continued without a decision.',
      nextStep:
        'Fix the agent. `npx sandtable trace`, with the run folder, shows each failure and its reason.',
    },
  ];
}

type Calls = RunRecord['toolCalls'];

function failedCallsOf({ bars }: RunRecord, name: string, failed: Calls, calls: number): Alarm {
  const first = failed[0]!;
  const kinds = groupBy(failed, ({ result }) => errorOf(result)!);
  const [error, same] = [...kinds].reduce((most, one) => (one[1].length > most[1].length ? one : most));
  const share =
    failed.length === calls
      ? `All ${counted(calls, `call`)}`
      : `${failed.length.toLocaleString('en-US')} of ${counted(calls, 'call')}`;
  const date = bars.find(({ bar }) => bar === first.bar)?.date;
  const often = kinds.size === 1 ? '' : `, ${same.length.toLocaleString('en-US')} times`;
  const [{ result }] = same as unknown as [Calls[number]];
  const remedy = isJsonObject(result) ? firstLine(result.remediation ?? '') : '';
  return {
    kind: 'failed_calls',
    count: failed.length,
    problem: `${share} of ${name} failed${often}: ${withStop(error)} First on ${date ?? `bar ${first.bar}`}.`,
    meaning: 'The decisions on these bars were made without the result of the call.',
    nextStep: `${remedy === '' ? 'Fix the call.' : withStop(capital(remedy))} Check \`answer.error\` after each call.`,
  };
}

function firstLine(value: Json | undefined): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value ?? '')).split('\n', 1)[0] ?? '';
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

function withStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Fraction of rejected orders among all orders of a run, above which an alarm is raised. */
const MOST_REFUSED = 0.5;

/** Error codes of rejected orders whose fields are wrong, for example a quantity that is NaN. */
const INVALID: ReadonlySet<string> = new Set([
  'bad_quantity',
  'bad_weights',
  'bad_price',
  'bad_order',
  'unknown_symbol',
]);

/**
 * Remedies with a command line flag, by error code of the rejected order. For other codes, the alarm shows
 * the broker's remedy.
 */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  below_lot: 'Allow parts of a unit with `--lot 0.01`, or start with more money: `--cash`.',
  not_a_lot_multiple: 'Round quantities to the lot, or allow smaller steps with `--lot 0.01`.',
  buying_power: 'Order less, for example a share of the equity, or change `--cash` or `--leverage`.',
  short_not_allowed: 'Sell at most what is held, or allow short positions: leave `--no-short` out.',
  not_in_universe: 'Order only symbols of turn.universe(), or correct the file of `--universe`.',
  risk_max_position: 'Order less, or change the limit `--max-position`.',
  risk_gross_exposure: 'Order less, or change the limit `--max-gross`.',
  risk_net_exposure: 'Order less, or change the limit `--max-net`.',
  risk_open_positions: 'Close a position first, or change the limit `--max-open-positions`.',
  risk_order_notional: 'Order less at a time, or change the limit `--max-order-notional`.',
  risk_daily_loss: 'Trade smaller positions, or change the limit `--max-daily-loss`.',
  risk_drawdown: 'Trade smaller positions, or change the limit `--max-drawdown`.',
  risk_cooldown: 'Wait after a losing exit, or change the limit `--cooldown-bars`.',
};

type Rejections = RunRecord['rejections'];

/**
 * Returns alarms for a run that placed no orders, for orders that the broker rejected, and for a run whose
 * orders never filled.
 */
export function orderAlarms(record: RunRecord): Alarm[] {
  const placed = new Set(
    record.orders.filter(({ role }) => role === undefined).map(({ orderId }) => orderId),
  );
  // An order can be rejected before it has a number (`orderId` is `null`), or later at its fill.
  const refused = record.rejections.filter(({ orderId }) => orderId === null || placed.has(orderId));
  const requested = placed.size + refused.filter(({ orderId }) => orderId === null).length;
  if (requested === 0) {
    const isIdle = isResult(record.outcome) && record.bars.length > 0 && record.fills.length === 0;
    return isIdle && record.trades.length === 0 ? [noOrders(record)] : [];
  }
  const invalid = isFixedCode(record) ? refused.filter(({ code }) => INVALID.has(code)) : [];
  const isMostly = invalid.length * 2 > refused.length;
  const isRefused = refused.length > requested * MOST_REFUSED;
  const accepted = requested - refused.length;
  const isUnfilled = isResult(record.outcome) && record.fills.length === 0 && record.trades.length === 0;
  return [
    ...(isUnfilled && !isRefused && accepted > 0 ? [noFills(record, accepted)] : []),
    ...(invalid.length === 0 ? [] : [invalidOrders(record, invalid, requested)]),
    ...(isMostly || !isRefused ? [] : [refusals(refused, requested)]),
  ];
}

/** True if the run limits fills to a share of the volume of a bar. */
export function hasParticipation({ started: { settings } }: RunRecord): boolean {
  return isJsonObject(settings) && typeof settings.participation === 'number';
}

/** Position of the volume in the prices of a symbol in a `bar` event. */
const VOLUME = 4;

/** True if every bar has this volume. False if the journal has no prices. */
export function everyVolumeIs({ bars }: RunRecord, volume: number): boolean {
  return bars.every(({ prices }) => prices?.every((row) => row === null || row[VOLUME] === volume) ?? false);
}

function noFills(record: RunRecord, orders: number): Alarm {
  return {
    kind: 'no_fills',
    count: orders,
    problem: `${orders === 1 ? '1 order was' : `${orders.toLocaleString('en-US')} orders were`} accepted, and no order was filled.`,
    meaning: 'The result is that of an account that was never invested.',
    nextStep: everyVolumeIs(record, 0)
      ? 'All bars have the volume 0, and such a bar fills no order. Ignore the column with `--columns volume=none`.'
      : hasParticipation(record)
        ? 'Allow a larger share of the volume: change `--participation`. It may be less than one lot in each bar.'
        : 'Check prices, types and time in force of the orders. `npx sandtable trace`, with the run folder, shows every order.',
  };
}

function noOrders({ bars }: RunRecord): Alarm {
  return {
    kind: 'no_orders',
    count: bars.length,
    problem: `No orders were placed in ${counted(bars.length, 'bar')}.`,
    meaning: 'The result is that of an account that was never invested.',
    nextStep:
      'Check that the condition for an order can become true. `npx sandtable trace`, with the run folder, shows every decision.',
  };
}

function invalidOrders({ bars }: RunRecord, invalid: Rejections, requested: number): Alarm {
  const { bar, message, remedy } = invalid[0]!;
  const date = bars.find((one) => one.bar === bar)?.date ?? `bar ${bar}`;
  return {
    kind: 'invalid_orders',
    count: invalid.length,
    problem: `${shareOf(invalid.length, requested)} had invalid values. First on ${date}: ${message}`,
    meaning: 'The broker refused these orders. The figures are of the remaining orders.',
    // An invalid value such as NaN usually comes from a failed calculation, so the next step is to check the
    // calculation. For other values, the broker's remedy is shown.
    nextStep: !/\b(NaN|Infinity|null|undefined|text)\b/.test(message)
      ? remedy
      : 'Check the calculation: NaN and missing values often come from an indicator that needs more bars, from a failed call, or from a parameter that is a text.',
  };
}

function refusals(refused: Rejections, requested: number): Alarm {
  const codes = new Map<string, number>();
  for (const { code } of refused) codes.set(code, (codes.get(code) ?? 0) + 1);
  const [[code, times]] = [...codes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)) as [
    [string, number],
  ];
  return {
    kind: 'refusals',
    count: refused.length,
    problem: `${shareOf(refused.length, requested)} ${refused.length === 1 ? 'was' : 'were'} refused, most often with ${code} (${counted(times, 'time')}).`,
    meaning: 'The figures are of the remaining orders.',
    nextStep: NEXT_STEPS[code] ?? refused.find((one) => one.code === code)!.remedy,
  };
}

function shareOf(some: number, all: number): string {
  return some === all && all > 1
    ? `All ${all.toLocaleString('en-US')} orders`
    : `${some.toLocaleString('en-US')} of ${counted(all, 'order')}`;
}

/** Returns groups in the order of their first members. Equivalent of Map.groupBy for Node 20. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Smallest plausible price of an exit, as a fraction of the entry price. A lower price is probably a fraction
 * or percentage that was given as a price.
 */
const LEAST_EXIT_SHARE = 0.01;

/**
 * Returns an alarm for stop losses and take profits whose prices are so low that the market practically never
 * reaches these prices.
 */
export function unreachableExits({ orders, fills, bars }: RunRecord): Alarm[] {
  // The stop loss and take profit of an entry order are created at its first fill. The price of this fill is
  // therefore the entry price.
  const entries = new Map<number, number>();
  for (const { orderId, price } of fills) if (!entries.has(orderId)) entries.set(orderId, Number(price));
  const exits = orders.flatMap(({ role, parentId, stopPrice, limitPrice, bar }) => {
    const isExit = role === 'stop-loss' || role === 'take-profit';
    const entry = parentId === undefined ? undefined : entries.get(parentId);
    const price = role === 'stop-loss' ? stopPrice : limitPrice;
    return isExit && entry !== undefined && price !== undefined ? [{ bar, role, price, entry }] : [];
  });
  const low = exits.filter(({ price, entry }) => Number(price) < entry * LEAST_EXIT_SHARE);
  const [first] = low;
  if (first === undefined) return [];
  const date = bars.find(({ bar }) => bar === first.bar)?.date ?? `bar ${first.bar}`;
  const [name, member, order] =
    first.role === 'stop-loss'
      ? ['stop loss', 'stop_loss', 'stopLoss']
      : ['take profit', 'take_profit', 'takeProfit'];
  const fraction = Number(first.price) < 1 ? Number(first.price) : 0.05;
  return [
    {
      kind: 'unreachable_exits',
      count: low.length,
      problem: `${low.length.toLocaleString('en-US')} of ${counted(exits.length, 'stop loss or take profit', 'stop losses and take profits')} had a price below 1 % of the entry’s price. The first: a ${name} at ${first.price} for an entry at ${first.entry}, on ${date}.`,
      meaning: 'The market practically never reaches such a price, so the positions had no such exit.',
      nextStep: `A number is a price. For a fraction of the entry’s price write \`{"fraction": ${fraction}}\`: \`${member}={"fraction": ${fraction}}\` in Python, \`${order}: { fraction: ${fraction} }\` in TypeScript.`,
    },
  ];
}
