import { requestExitRefusal } from './exit-sides.ts';
import { badTerms, PRICE_FIELDS, readPrice, targetTypeRefusal } from './read-request.ts';
import { readSize } from './read-size.ts';
import { expiryRefusal } from './read-time.ts';
import { readActivation, readOffset, readTrail } from './read-trail.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

/** One reason for which every broker would refuse a request. */
export interface RequestFault {
  /** Of the request, where it is one field's. */
  readonly field: keyof OrderRequest | undefined;
  readonly refusal: Refusal;
}

const SIZES = ['quantity', 'notional', 'equityFraction', 'targetQuantity', 'targetFraction'] as const;
const TRAILS = ['trailAmount', 'trailFraction'] as const;
const EXITS = ['stopLoss', 'takeProfit'] as const;

/**
 * What is wrong with a request whatever the account, the market and the clock: every fault, by the rules that a broker
 * refuses by.
 *
 * @param request of the right shape
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
