import type { Order } from './order.ts';
import type { RebalanceReceipt, RebalanceRequest } from './rebalance-request.ts';
import type { Refusal } from './refusals.ts';
import type { Amount, OrderRequest } from './request.ts';

/** What became of an order that was placed: accepted with its number, or refused with the reason. */
export type OrderReceipt =
  | {
      readonly accepted: true;
      readonly order: Order;
      /** Of an `equityFraction` that buying power does not carry at the last close; the fill is sized by its own price. */
      readonly cut?: OrderCut | undefined;
    }
  | { readonly accepted: false; readonly refusal: Refusal };

/** Units that a share of the equity comes to, and those that buying power carries, commission counted. */
export interface OrderCut {
  readonly asked: string;
  readonly carried: string;
}

export type CancelReceipt =
  | { readonly cancelled: true }
  | { readonly cancelled: false; readonly refusal: Refusal };

/** What an order may say beside its action and quantity. */
export type OrderOptions = Omit<OrderRequest, 'action' | 'quantity'>;

/** Where a decider places orders; they can fill from the next bar's open. */
export interface OrderDesk {
  /** Market orders fill at the close they were decided on, not at the next open. */
  readonly fillsAtClose: boolean;
  /** Places an order of any kind; refuses one that cannot be placed, with numbers. */
  submit(request: OrderRequest): OrderReceipt;
  /** Buys `quantity` units; at the next open unless the options say another type. */
  buy(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Sells `quantity` units, short beyond what is held. */
  sell(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Closes the whole position. */
  close(options?: OrderOptions): OrderReceipt;
  /** Takes a resting order back; its exits, if it has filled, stay. */
  cancel(orderId: number): CancelReceipt;
  /** Takes a resting order back and places it anew with these changes; it goes to the end of the queue. */
  replace(orderId: number, changes: Partial<OrderRequest>): OrderReceipt;
  /**
   * Brings the account to weights of its equity by one set of market orders, netted against what is held, sales first.
   *
   * Sized at this close from one valuation; what could not be reached, and what was left alone, is in the receipt.
   */
  rebalance(request: RebalanceRequest): RebalanceReceipt;
  /** Accepted orders that have not filled yet, oldest first. */
  pending(): readonly Order[];
}
