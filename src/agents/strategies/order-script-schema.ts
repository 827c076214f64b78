import { z } from 'zod';
import {
  ORDER_ACTIONS,
  type OrderRequest,
  orderRequestSchema,
  type RebalanceRequest,
  rebalanceFaults,
  requestFaults,
} from '../../broker/index.ts';
import { type RunSettingsInput, runSettingsFaults } from '../../engine/index.ts';
import {
  DAY,
  type Fault,
  formatInstant,
  type Instant,
  isObject,
  parseInstant,
  valueAt,
} from '../../kernel/index.ts';

const { action: _action, ...requestFields } = orderRequestSchema.shape;

const CHANGES = ['cancel', 'replace'] as const;
const SCRIPT_ACTIONS = [...ORDER_ACTIONS, ...CHANGES, 'rebalance'] as const;

/** Fields that must be positive. The direction of an order follows from its action, for example `sell`. */
const UNSIGNED = [
  'units',
  'quantity',
  'notional',
  'equityFraction',
  'limit',
  'limitPrice',
  'stop',
  'stopPrice',
  'trailAmount',
  'trailFraction',
  'activationPrice',
] as const;

const orderName = z.string().min(1).max(100);

/** Line of a script: an order to place, or an action on an earlier order. */
export type ScriptStep = {
  /** Number of the bar at whose close the line is executed, from 0. `NaN` while only the date is known. */
  readonly bar: number;
  /** Date or time of the bar, as written in the script. */
  readonly date?: string;
} & (
  | { readonly id?: string; readonly request: OrderRequest }
  | { readonly cancel: string }
  | { readonly rebalance: RebalanceRequest }
  | { readonly replace: string; readonly changes: Partial<OrderRequest> }
);

/**
 * Line in the file: an order request and the bar at which the order is placed. Short field names are also
 * accepted, for example `side` and `units`.
 */
const scriptOrderSchema = z
  .strictObject({
    ...requestFields,
    /** Number of the bar at whose close the order is placed, from 0. Either `bar` or `date` is required. */
    bar: z.number().int().min(0).optional(),
    /** Date of the bar, instead of `bar`. */
    date: z.string().optional(),
    side: z.enum(SCRIPT_ACTIONS).optional(),
    action: z.enum(SCRIPT_ACTIONS).optional(),
    units: requestFields.quantity,
    limit: requestFields.limitPrice,
    stop: requestFields.stopPrice,
    /** Name by which later lines cancel or replace the order. */
    id: orderName.optional(),
    /** Name of the order to cancel or replace. */
    order: orderName.optional(),
    /** Target weights of a rebalance. `rebalanceFaults` checks them and the next three fields later. */
    weights: z.unknown().optional(),
    tolerance: z.unknown().optional(),
    cash: z.unknown().optional(),
    others: z.unknown().optional(),
  })
  .transform((line, context): ScriptStep => {
    const {
      bar: number,
      date,
      side,
      action,
      units,
      limit,
      stop,
      id,
      order,
      weights,
      tolerance,
      cash,
      others,
      ...rest
    } = line;
    const given = side ?? action;
    // A missing bar becomes `NaN`. `barFaults` reports it.
    const at = { bar: number ?? Number.NaN, ...(date === undefined ? {} : { date }) };
    if (given === undefined || (side !== undefined && action !== undefined)) {
      context.addIssue({ code: 'custom', message: 'needs one of side and action' });
      return z.NEVER;
    }
    const faulty = new Set<string>();
    const misplaced = (path: string, message: string, hint?: string): void => {
      faulty.add(path);
      context.addIssue({ code: 'custom', message, path: [path], params: { hint } });
    };
    const pairs = [
      ['units', units, 'quantity', rest.quantity],
      ['limit', limit, 'limitPrice', rest.limitPrice],
      ['stop', stop, 'stopPrice', rest.stopPrice],
    ] as const;
    for (const [short, one, long, other] of pairs) {
      if (one === undefined || other === undefined) continue;
      misplaced(short, `has both ${short} and ${long}: give one`);
    }
    const sizes = { units, limit, stop, ...rest };
    for (const name of UNSIGNED) {
      const value = sizes[name];
      if (value === undefined || Number(value) > 0) continue;
      const hint = name === 'units' || name === 'quantity' ? ': the action defines the side' : '';
      if (Number(value) < 0) misplaced(name, `${value} is below 0${hint}`);
      else if (given === 'replace') misplaced(name, `${JSON.stringify(value)} is not a positive number`);
    }
    const fields = defined({
      ...rest,
      quantity: units ?? rest.quantity,
      limitPrice: limit ?? rest.limitPrice,
      stopPrice: stop ?? rest.stopPrice,
    });
    const portfolio = defined({ weights, tolerance, cash, others });
    if (given === 'rebalance') {
      const { reason, ...excess } = defined({ ...fields, id, order });
      for (const name of Object.keys(excess)) misplaced(name, `a rebalance has no ${name}`);
      const asked = { ...portfolio, ...defined({ reason }) };
      for (const message of rebalanceFaults(asked)) context.addIssue({ code: 'custom', message });
      return { ...at, rebalance: asked as RebalanceRequest };
    }
    for (const name of Object.keys(portfolio)) misplaced(name, 'belongs to rebalance');
    if (given === 'cancel' || given === 'replace') {
      if (order === undefined) misplaced('order', `a ${given} needs the id of an order placed before`);
      if (id !== undefined) misplaced('id', `a ${given} has no id: the order retains its id`);
      const [excess] = Object.keys(
        given === 'cancel' ? fields : { ...(rest.symbol === undefined ? {} : { symbol: '' }) },
      );
      if (excess !== undefined) misplaced(excess, `a ${given} has no ${excess}`);
      if (order === undefined) return z.NEVER;
      return given === 'cancel' ? { ...at, cancel: order } : { ...at, replace: order, changes: fields };
    }
    if (order !== undefined) misplaced('order', 'belongs to cancel and replace');
    const request = { action: given, ...fields };
    for (const { field, refusal } of requestFaults(request)) {
      const { message, remedy: hint } = refusal;
      const short = pairs.find(([, value, long]) => long === field && value !== undefined)?.[0];
      const path = short ?? field;
      if (path === undefined) context.addIssue({ code: 'custom', message, params: { hint } });
      else if (!faulty.has(path)) misplaced(path, message, hint);
    }
    return { ...at, request, ...(id === undefined ? {} : { id }) };
  });

/** Content of an order script. */
export interface OrderScript {
  /** Name of the script. Default: the name of the file. */
  readonly name?: string | undefined;
  readonly cash?: number | string | undefined;
  readonly commissionRate?: number | undefined;
  readonly settings?: RunSettingsInput | undefined;
  readonly orders: readonly ScriptStep[];
}

/**
 * Schema of an order script. The fields `data`, `seed`, `kind` and `expected` are allowed because other tools
 * use them. They have no effect here.
 */
export const orderScriptSchema: z.ZodType<OrderScript> = z.strictObject({
  name: z.string().optional(),
  cash: z
    .union([z.number(), z.string()])
    .refine(
      (cash) => runSettingsFaults({ cash }).length === 0,
      'must be a positive amount such as 100000 or 2500.50',
    )
    .optional(),
  commissionRate: z.number().min(0).lt(1).optional(),
  /** Settings of a run. `runSettingsFaults` checks them later. */
  settings: z
    .custom<RunSettingsInput>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'is not an object such as {"leverage": 2}',
    )
    .optional(),
  orders: z.array(scriptOrderSchema),
  data: z.unknown().optional(),
  seed: z.unknown().optional(),
  kind: z.unknown().optional(),
  expected: z.unknown().optional(),
});

function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** Returns true if a line gives the date of its bar instead of the number. */
export function isDated({ date }: ScriptStep): boolean {
  return date !== undefined;
}

/**
 * Returns faults of lines that have neither a bar nor a date, have both, or have a text that is not a date.
 *
 * @param script content of the file
 */
export function barFaults(script: unknown): Fault[] {
  const orders = valueAt(script, ['orders']);
  return (Array.isArray(orders) ? orders : []).flatMap((line: unknown, index): Fault[] => {
    if (!isObject(line)) return [];
    const { bar, date } = line as { readonly bar?: unknown; readonly date?: unknown };
    const where = `orders[${index}].${date === undefined ? 'bar' : 'date'}`;
    if (bar === undefined && date === undefined) return [{ where, message: 'is missing. Give bar or date' }];
    if (bar !== undefined && date !== undefined)
      return [{ where, message: 'has both bar and date: give one' }];
    return typeof date === 'string' && parseInstant(date) === undefined
      ? [{ where, message: noDate(date) }]
      : [];
  });
}

function noDate(text: string): string {
  return `"${text}" is not a date. Expected YYYY-MM-DD or YYYY-MM-DDTHH:MM, for example 2020-01-31`;
}

/** Returns the path of a line's bar or date for error messages, for example `orders[3].date`. */
export function placeOfBar(step: ScriptStep, index: number): string {
  return `orders[${index}].${isDated(step) ? 'date' : 'bar'}`;
}

/**
 * Replaces dates of lines by bar numbers. A date without a time stands for the last bar of that day in UTC.
 *
 * @param clock times of the market's bars
 * @returns the lines, and a fault for each date without a bar
 */
export function onClock(
  steps: readonly ScriptStep[],
  clock: Float64Array,
): { readonly steps: readonly ScriptStep[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const resolved = steps.map((step, index) => {
    if (step.date === undefined) return step;
    const bar = barAt(step.date, clock);
    if (typeof bar === 'number') return { ...step, bar };
    faults.push({ where: placeOfBar(step, index), ...bar });
    return step;
  });
  return { steps: resolved, faults };
}

function barAt(text: string, clock: Float64Array): number | Omit<Fault, 'where'> {
  // `NaN` never matches a bar. `barFaults` reports a text that is not a date.
  const instant = parseInstant(text) ?? Number.NaN;
  const isDay = text.trim().length === 10;
  const until = isDay ? instant + DAY : instant + 1;
  // Binary search for the number of bars before the end of the day, or up to and including the given time.
  let [low, high] = [0, clock.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (clock[middle]! < until) low = middle + 1;
    else high = middle;
  }
  const found = clock[low - 1];
  if (found !== undefined && found >= instant) return low - 1;
  const near = [found, clock[low]].filter((time) => time !== undefined).map((time) => shown(time, isDay));
  return {
    message: `the data have no bar ${isDay ? 'on' : 'at'} ${text}`,
    hint: near.length === 0 ? 'the data have no bars' : `nearest: ${near.join(', ')}`,
  };
}

function shown(time: Instant, isDay: boolean): string {
  return isDay ? formatInstant(time).slice(0, 10) : formatInstant(time);
}
