import type { OrderSize } from './order.ts';
import { bad, readAmount, shown } from './read-amount.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

const PLAIN_SIZES = ['quantity', 'notional', 'equityFraction'] as const;
const TARGET_SIZES = ['targetQuantity', 'targetFraction'] as const;
type SizeName = (typeof PLAIN_SIZES)[number] | (typeof TARGET_SIZES)[number];
const WHOLE_POSITION: OrderSize = { kind: 'position' };

/** Reads the size of a request. Requests that `scanRequest` classified as plain take a faster way. */
export function readSize(request: OrderRequest, plain: boolean): OrderSize | { readonly refusal: Refusal } {
  const { action, quantity, equityFraction } = request;
  if (
    plain &&
    action !== 'close' &&
    action !== 'target' &&
    (quantity === undefined) !== (equityFraction === undefined)
  ) {
    const value = readAmount(quantity ?? equityFraction);
    if (value?.isPositive()) {
      return quantity === undefined
        ? { kind: 'equity-fraction', fraction: value }
        : { kind: 'units', units: value };
    }
  }
  if (plain && action === 'close' && quantity === undefined && equityFraction === undefined)
    return WHOLE_POSITION;
  const given = PLAIN_SIZES.filter((name) => request[name] !== undefined) as SizeName[];
  for (const name of TARGET_SIZES) if (request[name] !== undefined) given.push(name);
  if (action === 'close') {
    if (given.length === 0) return WHOLE_POSITION;
    return bad(
      'bad_quantity',
      'A close takes no quantity: it closes what there is.',
      'Leave the quantity out, or use sell or buy for a part.',
    );
  }
  const allowed: readonly SizeName[] = action === 'target' ? TARGET_SIZES : PLAIN_SIZES;
  const [only] = given;
  if (given.length === 0 && action !== 'target') {
    const choices = `Give exactly one of ${allowed.join(', ')}; equityFraction 0.5 is half the equity.`;
    return bad('bad_quantity', `A ${action} needs a quantity.`, choices);
  }
  if (given.length !== 1 || only === undefined || !allowed.includes(only)) {
    const found = given.length === 0 ? 'none was given' : `given: ${given.join(', ')}`;
    return bad(
      'bad_quantity',
      `A ${action} needs exactly one of ${allowed.join(', ')}; ${found}.`,
      'equityFraction 0.5 is half the equity.',
    );
  }
  const name = only;
  const amount = request[name];
  const value = readAmount(amount);
  if (value === undefined || (action !== 'target' && !value.isPositive())) {
    return bad(
      'bad_quantity',
      `The ${name} is ${shown(amount)}, which is not a ${action === 'target' ? '' : 'positive '}number.`,
      'Give a positive number; the action says the side.',
    );
  }
  if (name === 'quantity') return { kind: 'units', units: value };
  if (name === 'notional') return { kind: 'notional', notional: value };
  if (name === 'equityFraction') return { kind: 'equity-fraction', fraction: value };
  return name === 'targetQuantity'
    ? { kind: 'target-units', units: value }
    : { kind: 'target-fraction', fraction: value };
}
