import { AppError, describeValue } from '../kernel/index.ts';
import type { Decision } from './decider.ts';

/** Largest number of orders of one decision. A larger number is certainly a mistake in the strategy. */
const MOST_ORDERS = 100_000;

/** Violation of the decider's interface. The run fails, and its journal contains the code. */
export class DecisionFault extends AppError {
  constructor(code: string, message: string, hint: string) {
    super({ code, message, hint, kind: 'run' });
  }
}

/**
 * Returns the orders in the result of a decider.
 *
 * @param answer any value, because a strategy may be JavaScript
 * @throws AppError `bad_decision`
 */
export function ordersOf(answer: unknown, bar: number): NonNullable<Decision['orders']> {
  if (answer === undefined || answer === null) return [];
  const refuse = (what: string): never => {
    throw new DecisionFault(
      'bad_decision',
      `The decision at bar ${bar} ${what}.`,
      'Return { orders: [{ action: "buy", quantity: 10 }] }, or nothing.',
    );
  };
  if (typeof answer !== 'object') return refuse(`is ${describeValue(answer)}, which is no decision`);
  if (Array.isArray(answer)) return refuse('is a list, which is no decision');
  const stray = Object.keys(answer).find((key) => key !== 'orders');
  if (stray !== undefined) return refuse(`has ${describeValue(stray)}, and a decision has orders only`);
  const { orders } = answer as { readonly orders?: unknown };
  if (orders === undefined) return [];
  if (!Array.isArray(orders)) return refuse(`has orders that are ${describeValue(orders)}, which is no list`);
  if (orders.length > MOST_ORDERS)
    return refuse(`holds ${orders.length} orders, and at most ${MOST_ORDERS} are taken`);
  return orders as NonNullable<Decision['orders']>;
}
