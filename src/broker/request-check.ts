import { requestExitRefusal } from './exit-sides.ts';
import { badTerms, PRICE_FIELDS, readPrice, targetTypeRefusal } from './read-request.ts';
import { readSize } from './read-size.ts';
import { expiryRefusal } from './read-time.ts';
import { readActivation, readOffset, readTrail } from './read-trail.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

/** One fault of a request that does not depend on the broker's state. */
export interface RequestFault {
  /** Field of the request. `undefined` if the fault concerns several fields. */
  readonly field: keyof OrderRequest | undefined;
  readonly refusal: Refusal;
}

const SIZES = ['quantity', 'notional', 'equityFraction', 'targetQuantity', 'targetFraction'] as const;
const TRAILS = ['trailAmount', 'trailFraction'] as const;
const EXITS = ['stopLoss', 'takeProfit'] as const;

/**
 * Returns all faults of a request that do not depend on the account, the market or the clock. Uses the same
 * rules as the broker.
 *
 * @param request request with the right types
 */
export function requestFaults(request: OrderRequest): RequestFault[] {
  const found: readonly (readonly [RequestFault['field'], Refusal | undefined])[] = [
    [firstGiven(request, SIZES), refusalIn(readSize(request, false))],
    ...PRICE_FIELDS.map((name) => [name, refusalIn(readPrice(request, name))] as const),
    [firstGiven(request, TRAILS), refusalIn(readTrail(request))],
    ['limitOffset', refusalIn(readOffset(request))],
    ['activationPrice', refusalIn(readActivation(request))],
    ['timeInForce', badTerms(request)],
    [firstGiven(request, ['validBars', 'goodTill', 'timeInForce']), expiryRefusal(request)],
    ['type', targetTypeRefusal(request)],
    ...EXITS.map((name) => [name, requestExitRefusal(request, name)] as const),
  ];
  return found.flatMap(([field, refusal]) => (refusal === undefined ? [] : [{ field, refusal }]));
}

function firstGiven<Name extends keyof OrderRequest>(
  request: OrderRequest,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => request[name] !== undefined);
}

function refusalIn(answer: object | undefined): Refusal | undefined {
  return answer !== undefined && 'refusal' in answer
    ? (answer as { readonly refusal: Refusal }).refusal
    : undefined;
}
