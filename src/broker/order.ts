import type { Exact } from '../kernel/index.ts';
import type { FeesSoFar } from './commission.ts';
import type {
  OrderAction,
  OrderRequest,
  OrderType,
  PlacedExit,
  PlacedTarget,
  TimeInForce,
} from './request.ts';

/** Requested size. All kinds except `units` are converted to units at the fill. */
export type OrderSize =
  | { readonly kind: 'units'; readonly units: Exact }
  | { readonly kind: 'notional'; readonly notional: Exact }
  | { readonly kind: 'equity-fraction'; readonly fraction: Exact }
  | { readonly kind: 'position' }
  | { readonly kind: 'target-units'; readonly units: Exact }
  | { readonly kind: 'target-fraction'; readonly fraction: Exact };

/**
 * Origin of an order: placed by a strategy or agent, created by a parent's fill, or forced by a margin
 * breach, delisting, expiry, insolvency or roll.
 */
type OrderRole =
  | 'order'
  | 'stop-loss'
  | 'take-profit'
  | 'liquidation'
  | 'delisting'
  | 'expiry'
  | 'insolvent'
  | 'roll';

/** Distance of a trail, in price or as a fraction of the price. */
export type Trail = { readonly amount: number } | { readonly fraction: number };

/** Public view of an accepted order. */
export interface Order {
  /** 1, 2, 3 … in the order of acceptance. */
  readonly id: number;
  /** Index into the market's symbols. */
  readonly symbol: number;
  readonly action: OrderAction;
  readonly type: OrderType;
  readonly size: OrderSize;
  readonly role: OrderRole;
  /** `NaN` if the type has no limit. */
  readonly limitPrice: number;
  /** `NaN` if the type has no stop. Changes for a trailing stop. */
  readonly stopPrice: number;
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  /** Orders of one group cancel each other. */
  readonly group: string | undefined;
  /** Order whose position an exit belongs to. */
  readonly parentId: number | undefined;
  /** Bar at whose close the order was placed. It can fill from the next bar. */
  readonly placedBar: number;
  readonly reason: string | undefined;
  /** Units filled so far. */
  readonly filled: Exact;
  /** True for a stop-limit whose stop was touched. It is a limit order from then on. */
  readonly triggered: boolean;
  /** Distance of a trailing stop, in price or as a fraction of the price. */
  readonly trail: Trail | undefined;
  /** Distance of a trailing_stop_limit's limit from its stop. */
  readonly limitOffset: Exact | undefined;
  /** Price that activates a trail. `NaN` once active, and for orders without an activation price. */
  readonly activationPrice: number;
  /** If true, the order is rejected instead of filled as a taker. */
  readonly postOnly: boolean;
  /** Number of bars of its symbol in which it may still fill. `Infinity` without a limit. */
  readonly barsLeft: number;
  /** Last instant at which it may fill. `Infinity` without a limit. */
  readonly expiresAt: number;
  /** Exits to create at its fill. */
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
  /** Several take profits, instead of `takeProfit`. */
  readonly targets: readonly PlacedTarget[] | undefined;
  /** For an exit that is one of several take profits: its number, from 1. */
  readonly target: number | undefined;
}

/** State of a resting order within the broker. */
export interface RestingOrder extends Order {
  /** Original request. `undefined` for forced orders and exits. */
  request: OrderRequest | undefined;
  limitPrice: number;
  stopPrice: number;
  filled: Exact;
  size: OrderSize;
  /** 1 for a buy, −1 for a sell, 0 if the position at the fill decides. */
  side: 1 | -1 | 0;
  /** Quantity and commission of its fills. `undefined` before the first fill. */
  fees: FeesSoFar | undefined;
  /** True for a stop-limit whose stop was touched. It is a limit order from then on. */
  triggered: boolean;
  /** Distance of a trailing stop, in price or as a fraction of the price. */
  trail: Trail | undefined;
  limitOffset: Exact | undefined;
  activationPrice: number;
  /** Number of bars of its symbol in which it may still fill. `Infinity` without a limit. */
  barsLeft: number;
  /** Last instant at which it may fill. `Infinity` without a limit. */
  expiresAt: number;
  /** Day number of a DAY order's session, once known. */
  session: number;
  /** Exits to create at its fill. */
  stopLoss: PlacedExit | undefined;
  takeProfit: PlacedExit | undefined;
  targets: readonly PlacedTarget[] | undefined;
  /**
   * Id of the order that first requested this entry. Differs from `id` for replacements of an entry and for
   * exits.
   */
  entryId: number;
  /** Price of the first fill that opened a position. All exit levels are counted from it. */
  firstPrice: Exact | undefined;
  /**
   * True for orders of a rebalance. If buying power is insufficient, they are reduced instead of rejected.
   */
  cutToPower: boolean;
  done: boolean;
}
