import { z } from 'zod';
import { ORDER_ACTIONS, type OrderRequest, orderRequestSchema } from '../broker/index.ts';
import type { Decider } from '../engine/index.ts';
import { type Fault, faultsError, issueText, valueAt } from '../kernel/index.ts';

const { action: _action, ...requestFields } = orderRequestSchema.shape;

/** An order as a script writes it: an order request with the bar it is placed on, in the short words of order lists. */
const scriptOrderSchema = z
  .strictObject({
    ...requestFields,
    /** Bar at whose close the order is placed, from 0. */
    bar: z.number().int().min(0),
    side: z.enum(ORDER_ACTIONS).optional(),
    action: z.enum(ORDER_ACTIONS).optional(),
    units: requestFields.quantity,
    limit: requestFields.limitPrice,
    stop: requestFields.stopPrice,
  })
  .transform(({ bar, side, action, units, limit, stop, ...rest }, context) => {
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
    const request: OrderRequest = {
      ...rest,
      action: given,
      quantity: units ?? rest.quantity,
      limitPrice: limit ?? rest.limitPrice,
      stopPrice: stop ?? rest.stopPrice,
    };
    return { bar, request };
  });

/** An order script; `data`, `seed`, `kind` and `expected` are other tools' notes and are left alone. */
const orderScriptSchema = z.strictObject({
  name: z.string().optional(),
  cash: z.union([z.number(), z.string()]).optional(),
  commissionRate: z.number().min(0).lt(1).optional(),
  /** Any of a run's settings. */
  settings: z.record(z.string(), z.unknown()).optional(),
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
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => ({
    where: pathOf(issue.path),
    message: issueText(issue, valueAt(value, issue.path)),
  }));
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
 * @throws AppError `bad_order_script` with every order that could never be placed
 */
export function checkScriptFits(
  script: OrderScript,
  file: string,
  bars: number,
  symbols: readonly string[],
): void {
  const faults: Fault[] = [];
  for (const [index, order] of script.orders.entries()) {
    if (order.bar >= bars) {
      faults.push({
        where: `orders[${index}].bar`,
        message: `${order.bar} is after the last bar, ${bars - 1}`,
      });
    }
    if (order.request.symbol !== undefined && !symbols.includes(order.request.symbol)) {
      faults.push({
        where: `orders[${index}].symbol`,
        message: `there is no ${order.request.symbol}; there is ${symbols.join(', ')}`,
      });
    }
  }
  if (faults.length > 0)
    throw faultsError('bad_order_script', file, faults, 'Give more data, or take these orders out.');
}

/** Places each order at the close of its bar, in the script's order. */
export function orderScriptDecider(script: OrderScript): Decider {
  const byBar = new Map<number, OrderRequest[]>();
  for (const { bar, request } of script.orders) {
    const requests = byBar.get(bar) ?? [];
    requests.push(request);
    byBar.set(bar, requests);
  }
  return {
    decide(turn) {
      const orders = byBar.get(turn.bar);
      return orders === undefined ? undefined : { orders };
    },
  };
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
