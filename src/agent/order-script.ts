import { z } from 'zod';
import {
  ORDER_ACTIONS,
  type OrderRequest,
  orderRequestSchema,
  readGoodTill,
  requestExitRefusal,
} from '../broker/index.ts';
import { type RunSettingsInput, runSettingsFaults } from '../engine/index.ts';
import {
  doubledKeys,
  type Fault,
  faultsError,
  isObject,
  issueText,
  nearest,
  valueAt,
} from '../kernel/index.ts';

const { action: _action, ...requestFields } = orderRequestSchema.shape;

const CHANGES = ['cancel', 'replace'] as const;
const SCRIPT_ACTIONS = [...ORDER_ACTIONS, ...CHANGES] as const;
/** Fields that are never signed: the action says which way. */
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
] as const;

const orderName = z.string().min(1).max(100);

/** One line of a script: an order to place, or what to do with one that was placed before. */
export type ScriptStep =
  | { readonly bar: number; readonly id?: string; readonly request: OrderRequest }
  | { readonly bar: number; readonly cancel: string }
  | { readonly bar: number; readonly replace: string; readonly changes: Partial<OrderRequest> };

/** An order as a script writes it: an order request with the bar it is placed on, in the short words of order lists. */
const scriptOrderSchema = z
  .strictObject({
    ...requestFields,
    /** Bar at whose close the order is placed, from 0. */
    bar: z.number().int().min(0),
    side: z.enum(SCRIPT_ACTIONS).optional(),
    action: z.enum(SCRIPT_ACTIONS).optional(),
    units: requestFields.quantity,
    limit: requestFields.limitPrice,
    stop: requestFields.stopPrice,
    /** A name by which later lines cancel or replace it. */
    id: orderName.optional(),
    /** The name of the order that is cancelled or replaced. */
    order: orderName.optional(),
  })
  .transform((line, context): ScriptStep => {
    const { bar, side, action, units, limit, stop, id, order, ...rest } = line;
    const given = side ?? action;
    if (given === undefined || (side !== undefined && action !== undefined)) {
      context.addIssue({ code: 'custom', message: 'needs one of side and action' });
      return z.NEVER;
    }
    const pairs = [
      ['units', units, 'quantity', rest.quantity],
      ['limit', limit, 'limitPrice', rest.limitPrice],
      ['stop', stop, 'stopPrice', rest.stopPrice],
    ] as const;
    for (const [short, one, long, other] of pairs) {
      if (one === undefined || other === undefined) continue;
      context.addIssue({ code: 'custom', message: `has both ${short} and ${long}: give one`, path: [short] });
    }
    const sizes = { units, limit, stop, ...rest };
    for (const name of UNSIGNED) {
      const value = sizes[name];
      if (value === undefined || !(Number(value) < 0)) continue;
      const hint = name === 'units' || name === 'quantity' ? ': the action says the side' : '';
      context.addIssue({ code: 'custom', message: `${value} is below 0${hint}`, path: [name] });
    }
    const fields = defined({
      ...rest,
      quantity: units ?? rest.quantity,
      limitPrice: limit ?? rest.limitPrice,
      stopPrice: stop ?? rest.stopPrice,
    });
    const misplaced = (path: string, message: string) =>
      context.addIssue({ code: 'custom', message, path: [path] });
    if (given === 'cancel' || given === 'replace') {
      if (order === undefined) misplaced('order', `a ${given} needs the id of an order placed before`);
      if (id !== undefined) misplaced('id', `a ${given} takes no id: the order keeps its own`);
      const [excess] = Object.keys(
        given === 'cancel' ? fields : { ...(rest.symbol === undefined ? {} : { symbol: '' }) },
      );
      if (excess !== undefined) misplaced(excess, `a ${given} takes no ${excess}`);
      if (order === undefined) return z.NEVER;
      return given === 'cancel' ? { bar, cancel: order } : { bar, replace: order, changes: fields };
    }
    if (order !== undefined) misplaced('order', 'belongs to cancel and replace');
    return { bar, request: { action: given, ...fields }, ...(id === undefined ? {} : { id }) };
  });

/** An order script; `data`, `seed`, `kind` and `expected` are other tools' notes and are left alone. */
const orderScriptSchema = z.strictObject({
  name: z.string().optional(),
  cash: z
    .union([z.number(), z.string()])
    .refine(
      (cash) => runSettingsFaults({ cash }).length === 0,
      'must be a positive amount such as 100000 or 2500.50',
    )
    .optional(),
  commissionRate: z.number().min(0).lt(1).optional(),
  /** Any of a run's settings. */
  settings: z.custom<RunSettingsInput>(isObject, 'is no object such as {"leverage": 2}').optional(),
  orders: z.array(scriptOrderSchema),
  data: z.unknown().optional(),
  seed: z.unknown().optional(),
  kind: z.unknown().optional(),
  expected: z.unknown().optional(),
});

export type OrderScript = z.infer<typeof orderScriptSchema>;

/**
 * Reads an order script.
 *
 * @param file named in messages
 * @throws AppError `bad_order_script` with every fault
 */
export function parseOrderScript(text: string, file: string): OrderScript {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw faultsError(
      'bad_order_script',
      file,
      [{ where: file, message: `not JSON: ${message}` }],
      'Mend the JSON.',
    );
  }
  const parsed = orderScriptSchema.safeParse(value);
  const faults = [
    ...doubledKeys(text, file),
    ...(parsed.error?.issues ?? []).map((issue) => ({
      where: pathOf(issue.path),
      message: issueText(issue, valueAt(value, issue.path)),
    })),
    ...(parsed.success ? [...nameFaults(parsed.data.orders), ...exitFaults(parsed.data.orders)] : []),
    ...settingsFaults(value),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  throw faultsError(
    'bad_order_script',
    file,
    faults,
    'An order looks like {"bar": 3, "side": "buy", "units": 10, "type": "market"}.',
  );
}

/**
 * Checks a script against the market it will run on.
 *
 * @param bars on the market's clock
 * @param firstAsked the bar at whose close the first decision is asked
 * @param clock the market's, in milliseconds since 1970
 * @throws AppError `bad_order_script` with every order that could never be placed
 */
export function checkScriptFits(
  script: OrderScript,
  file: string,
  bars: number,
  symbols: readonly string[],
  firstAsked = 0,
  clock?: Float64Array,
): void {
  const faults: Fault[] = earlierFaults(script.orders, firstAsked);
  for (const [index, order] of script.orders.entries()) {
    if (order.bar >= bars) {
      faults.push({
        where: `orders[${index}].bar`,
        message: `${order.bar} is after the last bar, ${bars - 1}`,
      });
    }
    const now = clock?.[order.bar];
    if (now !== undefined) faults.push(...goodTillFaults(order, index, now));
    const symbol = 'request' in order ? order.request.symbol : undefined;
    if (symbol !== undefined && !symbols.includes(symbol)) {
      faults.push({
        where: `orders[${index}].symbol`,
        message: `there is no ${symbol}; there is ${symbols.join(', ')}`,
      });
    }
  }
  if (faults.length > 0)
    throw faultsError(
      'bad_order_script',
      file,
      faults,
      'Give more data, name an earlier date with --evaluate-from, or take these orders out.',
    );
}

/** A `goodTill` that is over, or no date, when its order is placed. */
function goodTillFaults(step: ScriptStep, index: number, now: number): Fault[] {
  const fields = 'request' in step ? step.request : 'replace' in step ? step.changes : {};
  if (fields.goodTill === undefined) return [];
  const read = readGoodTill(fields.goodTill, now);
  if (typeof read === 'number') return [];
  const { message, remedy } = read.refusal;
  return [{ where: `orders[${index}].goodTill`, message, remedy }];
}

export const EARLIER_REMEDY = 'Take these orders out, or name an earlier date with --evaluate-from.';

/** Orders of the history before the first decision. */
export function earlierFaults(orders: readonly ScriptStep[], firstAsked: number): Fault[] {
  return orders.flatMap(({ bar }, index) =>
    bar >= firstAsked
      ? []
      : [
          {
            where: `orders[${index}].bar`,
            message: `${bar} is before bar ${firstAsked}, at whose close the first decision is asked`,
          },
        ],
  );
}

/** Exits on the wrong side of an entry that has a price of its own. */
function exitFaults(steps: readonly ScriptStep[]): Fault[] {
  return steps.flatMap((step, index) => {
    const refused = 'request' in step ? requestExitRefusal(step.request) : undefined;
    if (refused === undefined) return [];
    return [{ where: `orders[${index}]`, message: refused.message, remedy: refused.remedy }];
  });
}

/** A name stands for one order, and is used only after it was placed. */
function nameFaults(steps: readonly ScriptStep[]): Fault[] {
  const faults: Fault[] = [];
  const placed = new Map<string, number>();
  const names = steps.flatMap((step) => ('request' in step && step.id !== undefined ? [step.id] : []));
  const inTime = steps
    .map((step, index) => ({ step, index }))
    .sort((a, b) => a.step.bar - b.step.bar || a.index - b.index);
  for (const { step, index } of inTime) {
    if ('request' in step) {
      if (step.id === undefined) continue;
      const other = placed.get(step.id);
      if (other === undefined) placed.set(step.id, index);
      else
        faults.push({
          where: `orders[${index}].id`,
          message: `"${step.id}" is the id of orders[${other}] already`,
        });
      continue;
    }
    const name = 'cancel' in step ? step.cancel : step.replace;
    if (placed.has(name)) continue;
    const where = `orders[${index}].order`;
    const meant = nearest(name, names);
    if (names.includes(name)) faults.push({ where, message: `"${name}" is placed only later` });
    else if (meant === undefined) faults.push({ where, message: `no order has the id "${name}"` });
    else faults.push({ where, message: `no order has the id "${name}"`, remedy: `did you mean ${meant}?` });
  }
  return faults;
}

/** What is wrong with a script's settings, and what it says in two places. */
function settingsFaults(script: unknown): Fault[] {
  const settings = valueAt(script, ['settings']);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [];
  const twice = [
    ['cash', 'cash'],
    ['commissionRate', 'commissionRate'],
    ['commissionRate', 'commission'],
  ] as const;
  return [
    ...runSettingsFaults(settings).map((fault) => ({ ...fault, where: `settings.${fault.where}` })),
    ...twice
      .filter(([own, other]) => valueAt(script, [own]) !== undefined && Object.hasOwn(settings, other))
      .map(([own, other]) => ({ where: own, message: `settings.${other} says it too: give one of them` })),
  ];
}

function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

function pathOf(path: readonly PropertyKey[]): string {
  return (
    path.reduce<string>(
      (text, key) =>
        typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
      '',
    ) || 'the script'
  );
}
