import type { z } from 'zod';
import { type OrderRequest, readGoodTill, requestFaults } from '../../broker/index.ts';
import { type Decider, runSettingsFaults } from '../../engine/index.ts';
import {
  doubledKeys,
  type Fault,
  faultsError,
  issueText,
  nearest,
  parseJsonInput,
  valueAt,
} from '../../kernel/index.ts';
import {
  barFaults,
  isDated,
  type OrderScript,
  onClock,
  orderScriptSchema,
  placeOfBar,
  type ScriptStep,
} from './order-script-schema.ts';

/**
 * Parses an order script.
 *
 * @param file file name for error messages
 * @param clock times of the market's bars, in milliseconds since 1970. Required for a script with dates
 * @throws AppError `bad_order_script` with every fault
 */
export function parseOrderScript(text: string, file: string, clock?: Float64Array): OrderScript {
  return scriptOn(readOrderScript(text, file), file, clock);
}

/**
 * Replaces the dates of a script by bar numbers. Then checks the order names and the replacements, which need
 * the chronological order of the lines.
 *
 * @throws AppError `bad_order_script` with every fault
 */
export function scriptOn(script: OrderScript, file: string, clock: Float64Array | undefined): OrderScript {
  if (!script.orders.some(isDated)) return script;
  const { steps: orders, faults: undated } =
    clock === undefined
      ? {
          steps: script.orders,
          faults: script.orders.flatMap((step, index) =>
            isDated(step)
              ? [
                  {
                    where: placeOfBar(step, index),
                    message: 'needs the times of the bars',
                    hint: 'pass market.clock',
                  },
                ]
              : [],
          ),
        }
      : onClock(script.orders, clock);
  const faults = undated.length > 0 ? undated : [...nameFaults(orders), ...replaceFaults(orders)];
  if (faults.length > 0)
    throw faultsError('bad_order_script', file, faults, 'Use dates of bars, or bar numbers from 0.');
  return { ...script, orders };
}

/**
 * Parses an order script. Dates are not replaced by bar numbers.
 *
 * @throws AppError `bad_order_script` with every fault
 */
export function readOrderScript(text: string, file: string): OrderScript {
  let value: unknown;
  try {
    value = parseJsonInput(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw faultsError(
      'bad_order_script',
      file,
      [{ where: file, message: `not JSON: ${message}` }],
      'Fix the JSON.',
    );
  }
  const parsed = orderScriptSchema.safeParse(value);
  const faults = [
    ...doubledKeys(text, file),
    ...barFaults(value),
    ...(parsed.error?.issues ?? []).map((issue) => ({
      where: pathOf(issue.path),
      message: issueText(issue, valueAt(value, issue.path)),
      ...hintOf(issue),
    })),
    ...(parsed.success && !parsed.data.orders.some(isDated)
      ? [...nameFaults(parsed.data.orders), ...replaceFaults(parsed.data.orders)]
      : []),
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
 * Checks an order script against the market of a run.
 *
 * @param bars number of bars on the market's clock
 * @param firstAsked number of the bar at whose close the first decision is made
 * @param clock times of the market's bars, in milliseconds since 1970
 * @throws AppError `bad_order_script` with every order that can never be placed
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
        where: placeOfBar(order, index),
        message: `${order.bar} is after the last bar, ${bars - 1}`,
      });
    }
    const now = clock?.[order.bar];
    if (now !== undefined) faults.push(...goodTillFaults(order, index, now));
    const symbol = 'request' in order ? order.request.symbol : undefined;
    const named =
      'rebalance' in order
        ? Object.keys(order.rebalance.weights).map((name) => ({ name, path: `weights.${name}` }))
        : symbol === undefined
          ? []
          : [{ name: symbol, path: 'symbol' }];
    for (const { name, path } of named) {
      if (symbols.includes(name)) continue;
      faults.push({
        where: `orders[${index}].${path}`,
        message: `unknown symbol ${name}. Symbols: ${symbols.join(', ')}`,
      });
    }
  }
  if (faults.length > 0)
    throw faultsError(
      'bad_order_script',
      file,
      faults,
      'Use more data, set an earlier date with --evaluate-from, or remove these orders.',
    );
}

/** Returns faults of a `goodTill` that is not a date, or has passed when the order is placed. */
function goodTillFaults(step: ScriptStep, index: number, now: number): Fault[] {
  const fields = 'request' in step ? step.request : 'replace' in step ? step.changes : {};
  if (fields.goodTill === undefined) return [];
  const read = readGoodTill(fields.goodTill, now);
  if (typeof read === 'number') return [];
  const { message, remedy } = read.refusal;
  return [{ where: `orders[${index}].goodTill`, message, hint: remedy }];
}

const EARLIER_HINT = 'Remove these orders, or set an earlier date with --evaluate-from.';

/** Returns faults of orders that are placed before the first decision. */
function earlierFaults(orders: readonly ScriptStep[], firstAsked: number): Fault[] {
  return orders.flatMap((step, index) =>
    step.bar >= firstAsked
      ? []
      : [
          {
            where: placeOfBar(step, index),
            message: `${step.date ?? step.bar} is before bar ${firstAsked}, the bar of the first decision`,
          },
        ],
  );
}

/** Returns the hint for an invalid order, if the check provides one. */
function hintOf(issue: z.core.$ZodIssue): { readonly hint?: string } {
  const hint = issue.code === 'custom' ? (issue.params?.hint as unknown) : undefined;
  return typeof hint === 'string' ? { hint } : {};
}

/**
 * Returns faults of replacements that make an order invalid. Considers how the order was placed and all
 * earlier changes.
 */
function replaceFaults(steps: readonly ScriptStep[]): Fault[] {
  const latest = new Map<string, OrderRequest>();
  return inTime(steps).flatMap(({ step, index }) => {
    if ('request' in step && step.id !== undefined) latest.set(step.id, step.request);
    const placed = 'replace' in step ? latest.get(step.replace) : undefined;
    if (placed === undefined || !('replace' in step)) return [];
    const request = { ...placed, ...step.changes };
    latest.set(step.replace, request);
    return requestFaults(request).map(({ refusal: { message, remedy } }) => ({
      where: `orders[${index}]`,
      message,
      hint: remedy,
    }));
  });
}

/** Returns the lines in the order of their execution in a run. */
function inTime(
  steps: readonly ScriptStep[],
): readonly { readonly step: ScriptStep; readonly index: number }[] {
  return steps
    .map((step, index) => ({ step, index }))
    .sort((a, b) => a.step.bar - b.step.bar || a.index - b.index);
}

/** Returns faults of duplicate order names, and of names that are used before their order is placed. */
function nameFaults(steps: readonly ScriptStep[]): Fault[] {
  const faults: Fault[] = [];
  const placed = new Map<string, number>();
  const names = steps.flatMap((step) => ('request' in step && step.id !== undefined ? [step.id] : []));
  for (const { step, index } of inTime(steps)) {
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
    if ('rebalance' in step) continue;
    const name = 'cancel' in step ? step.cancel : step.replace;
    if (placed.has(name)) continue;
    const where = `orders[${index}].order`;
    const meant = nearest(name, names);
    if (names.includes(name)) faults.push({ where, message: `"${name}" is placed only later` });
    else if (meant === undefined) faults.push({ where, message: `no order has the id "${name}"` });
    else faults.push({ where, message: `no order has the id "${name}"`, hint: `did you mean ${meant}?` });
  }
  return faults;
}

/**
 * Returns faults of a script's `settings`, including values that a top-level field of the script also sets.
 */
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
      .map(([own, other]) => ({
        where: own,
        message: `settings.${other} sets the same value. Use one of them`,
      })),
  ];
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

/**
 * Checks that no order is at a bar before the first decision.
 *
 * @throws AppError `bad_order_script`
 */
function checkNotBefore({ orders }: OrderScript, bar: number): void {
  const faults = earlierFaults(orders, bar);
  if (faults.length > 0) throw faultsError('bad_order_script', 'The order script', faults, EARLIER_HINT);
}

/** Creates a decider that executes each line at the close of its bar, in the order of the script. */
export function orderScriptDecider(script: OrderScript): Decider {
  const byBar = new Map<number, ScriptStep[]>();
  for (const step of script.orders) {
    const steps = byBar.get(step.bar) ?? [];
    steps.push(step);
    byBar.set(step.bar, steps);
  }
  /** Ids of the placed orders, by their names in the script. A rejected order is not included. */
  const numbers = new Map<string, number>();
  let asked = false;
  return {
    decide({ bar, orders, record }) {
      if (!asked) checkNotBefore(script, bar);
      asked = true;
      for (const step of byBar.get(bar) ?? []) {
        if ('request' in step) {
          const receipt = orders.submit(step.request);
          if (step.id !== undefined && receipt.accepted) numbers.set(step.id, receipt.order.id);
          continue;
        }
        if ('rebalance' in step) {
          const receipt = orders.rebalance(step.rebalance);
          const texts = receipt.accepted
            ? receipt.shortfall.map(({ symbol, weight, reaches, message }) => {
                return `The rebalance brings ${symbol} to ${reaches} and not to ${weight}: ${message}`;
              })
            : [`The rebalance was refused: ${receipt.refusal.message} ${receipt.refusal.remedy}`];
          for (const text of texts) record({ type: 'note', bar, text });
          continue;
        }
        const name = 'cancel' in step ? step.cancel : step.replace;
        const number = numbers.get(name);
        const missed = `The order "${name}" was refused: there is nothing to ${'cancel' in step ? 'cancel' : 'replace'}.`;
        if (number === undefined) {
          record({ type: 'note', bar, text: missed });
        } else if ('cancel' in step) {
          const receipt = orders.cancel(number);
          if (!receipt.cancelled) record({ type: 'note', bar, text: receipt.refusal.message });
        } else {
          const receipt = orders.replace(number, step.changes);
          if (receipt.accepted) numbers.set(name, receipt.order.id);
        }
      }
      return undefined;
    },
  };
}
