import { z } from 'zod';
import type { Decimal, Exact } from '../kernel/index.ts';

/** A quantity as users and models write it: a number or a decimal string. */
export type Amount = number | string | Decimal;

export const ORDER_ACTIONS = ['buy', 'sell', 'close'] as const;
export const ORDER_TYPES = ['market'] as const;

/**
 * What a decider asks for.
 *
 * `buy` and `sell` need exactly one of `quantity` (units) and `equityFraction` (a fraction of the equity at the fill,
 * commission included, in whole lots); `close` takes neither and closes what there is.
 */
export interface OrderRequest {
  readonly action: (typeof ORDER_ACTIONS)[number];
  readonly symbol?: string | undefined;
  readonly quantity?: Amount | undefined;
  readonly equityFraction?: Amount | undefined;
  readonly type?: (typeof ORDER_TYPES)[number] | undefined;
  /** Shown in the journal; becomes the exit reason of the trades it closes. */
  readonly reason?: string | undefined;
}

const amountSchema = z.union([z.number(), z.string()]);

/** The request as it comes from JSON: an order script or a model. */
export const orderRequestSchema = z.strictObject({
  action: z.enum(ORDER_ACTIONS),
  symbol: z.string().optional(),
  quantity: amountSchema.optional(),
  equityFraction: amountSchema.optional(),
  type: z.enum(ORDER_TYPES).optional(),
  reason: z.string().max(500).optional(),
});

export type OrderSize =
  | { readonly kind: 'units'; readonly units: Exact }
  | { readonly kind: 'equity-fraction'; readonly fraction: Exact }
  | { readonly kind: 'position' };

/** An accepted order. */
export interface Order {
  /** 1, 2, 3 … in the order of acceptance. */
  readonly id: number;
  /** Index into the market's symbols. */
  readonly symbol: number;
  readonly action: OrderRequest['action'];
  readonly type: (typeof ORDER_TYPES)[number];
  readonly size: OrderSize;
  /** The bar at whose close it was placed; it can fill from the next. */
  readonly placedBar: number;
  readonly reason: string | undefined;
}

/** Why an order was refused, with the numbers and what would have been accepted. */
export interface Refusal {
  readonly code:
    | 'bad_order'
    | 'unknown_symbol'
    | 'no_price'
    | 'bad_quantity'
    | 'below_lot'
    | 'not_a_lot_multiple'
    | 'nothing_to_close'
    | 'buying_power'
    | 'short_not_allowed';
  readonly message: string;
  readonly remedy: string;
  /** The largest quantity that would have been accepted, where that is the question. */
  readonly largestAccepted?: string;
}

export type OrderReceipt =
  | { readonly accepted: true; readonly order: Order }
  | { readonly accepted: false; readonly refusal: Refusal };

export interface OrderOptions {
  readonly symbol?: string;
  readonly reason?: string;
}

/** Where a decider places orders; they can fill from the next bar's open. */
export interface OrderDesk {
  submit(request: OrderRequest): OrderReceipt;
  /** Buys `quantity` units at the next open. */
  buy(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Sells `quantity` units at the next open, short beyond what is held. */
  sell(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Closes the whole position at the next open. */
  close(options?: OrderOptions): OrderReceipt;
  /** Accepted orders that have not filled yet, oldest first. */
  pending(): readonly Order[];
}
