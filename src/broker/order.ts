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

/** What a quantity was asked as; all but `units` become units at the fill. */
export type OrderSize =
  | { readonly kind: 'units'; readonly units: Exact }
  | { readonly kind: 'notional'; readonly notional: Exact }
  | { readonly kind: 'equity-fraction'; readonly fraction: Exact }
  | { readonly kind: 'position' }
  | { readonly kind: 'target-units'; readonly units: Exact }
  | { readonly kind: 'target-fraction'; readonly fraction: Exact };

/** Why an order exists: placed by a decider, created by a parent's fill, forced by a margin breach, a delisting, an expiry, insolvency or a roll. */
type OrderRole =
  | 'order'
  | 'stop-loss'
  | 'take-profit'
  | 'liquidation'
  | 'delisting'
  | 'expiry'
  | 'insolvent'
  | 'roll';

/** Distance of a trail, in price or as a fraction of it. */
export type Trail = { readonly amount: number } | { readonly fraction: number };

/** An accepted order, as everyone may see it. */
export interface Order {
  /** 1, 2, 3 … in the order of acceptance. */
  readonly id: number;
  /** Index into the market's symbols. */
  readonly symbol: number;
  readonly action: OrderAction;
  readonly type: OrderType;
  readonly size: OrderSize;
  readonly role: OrderRole;
  /** NaN where the type has none. */
  readonly limitPrice: number;
  /** NaN where the type has none; a trailing stop's moves. */
  readonly stopPrice: number;
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  /** Orders of one group cancel each other. */
  readonly group: string | undefined;
  /** The order whose position an exit belongs to. */
  readonly parentId: number | undefined;
  /** The bar at whose close it was placed; it can fill from the next. */
  readonly placedBar: number;
  readonly reason: string | undefined;
  /** Units filled so far. */
  readonly filled: Exact;
  /** A stop-limit whose stop was touched: a limit order from then on. */
  readonly triggered: boolean;
  /** Distance of a trailing stop, in price or as a fraction of it. */
  readonly trail: Trail | undefined;
  /** Of a trailing_stop_limit: how far its limit lies beyond its stop. */
  readonly limitOffset: Exact | undefined;
  /** The price that wakes a trail; NaN once awake, and where there is none. */
  readonly activationPrice: number;
  /** Refused rather than filled at once as a taker. */
  readonly postOnly: boolean;
  /** Bars of its symbol it may still fill in; Infinity without a limit. */
  readonly barsLeft: number;
  /** Last instant it may fill at; Infinity without one. */
  readonly expiresAt: number;
  /** Exits to create at its fill. */
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
  /** Several take profits, in place of one. */
  readonly targets: readonly PlacedTarget[] | undefined;
  /** Of one of several take profits: which of them, from 1. */
  readonly target: number | undefined;
}

/** What the broker keeps of an order while it rests. */
export interface RestingOrder extends Order {
  /** As it was asked for; undefined for orders nobody placed. */
  request: OrderRequest | undefined;
  limitPrice: number;
  stopPrice: number;
  filled: Exact;
  size: OrderSize;
  /** +1 buys, −1 sells; 0 where the position at the fill decides. */
  side: 1 | -1 | 0;
  /** What has filled of it and was charged; undefined before its first fill. */
  fees: FeesSoFar | undefined;
  /** A stop-limit whose stop was touched: a limit order from then on. */
  triggered: boolean;
  /** Distance of a trailing stop, in price or as a fraction of it. */
  trail: Trail | undefined;
  limitOffset: Exact | undefined;
  activationPrice: number;
  /** Bars of its symbol it may still fill in; Infinity without a limit. */
  barsLeft: number;
  /** Last instant it may fill at; Infinity without one. */
  expiresAt: number;
  /** Day number of a DAY order's session, once it has one. */
  session: number;
  /** Exits to create at its fill. */
  stopLoss: PlacedExit | undefined;
  takeProfit: PlacedExit | undefined;
  targets: readonly PlacedTarget[] | undefined;
  /** Id of the order that first asked for this entry: its own id, except for replacements of an entry, and for exits. */
  entryId: number;
  /** Price of the first fill that opened a position: the levels of all its exits are counted from it. */
  firstPrice: Exact | undefined;
  /** Filled for what buying power carries where that is less, rather than refused: an order of a rebalance. */
  cutToPower: boolean;
  done: boolean;
}
