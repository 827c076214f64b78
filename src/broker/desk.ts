import type { Order } from './orders/order.ts';
import type { RebalanceReceipt, RebalanceRequest } from './orders/rebalance-request.ts';
import type { Refusal } from './orders/refusals.ts';
import type { Amount, OrderRequest } from './orders/request.ts';

/** Result of placing an order: accepted with its number, or rejected with the reason. */
export type OrderReceipt =
  | {
      readonly accepted: true;
      readonly order: Order;
      /**
       * Size reduction, if buying power at the last close does not allow the requested `equityFraction`. The
       * final size is determined at the price of the fill.
       */
      readonly cut?: OrderCut | undefined;
    }
  | { readonly accepted: false; readonly refusal: Refusal };

/**
 * Size reduction of an order for a fraction of equity (`equityFraction`). `asked` is the number of units for
 * the full fraction. `carried` is the smaller number of units that buying power allows after commission.
 */
export interface OrderCut {
  readonly asked: string;
  readonly carried: string;
}

export type CancelReceipt =
  | { readonly cancelled: true }
  | { readonly cancelled: false; readonly refusal: Refusal };

/** Options of an order in addition to action and quantity. */
export type OrderOptions = Omit<OrderRequest, 'action' | 'quantity'>;

/** Places orders for a strategy or agent. Orders can fill from the next bar's open. */
export interface OrderDesk {
  /**
   * True if market orders fill at the close at which they are placed. False if they fill at the next open.
   */
  readonly fillsAtClose: boolean;
  /**
   * Places an order of any kind. A rejection states the reason with its numbers, and how to fix the order.
   */
  submit(request: OrderRequest): OrderReceipt;
  /** Buys `quantity` units, at the next open unless the options select another order type. */
  buy(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Sells `quantity` units. Units beyond the position open a short. */
  sell(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Closes the whole position. */
  close(options?: OrderOptions): OrderReceipt;
  /** Cancels a resting order. The exits of its filled part remain. */
  cancel(orderId: number): CancelReceipt;
  /**
   * Replaces a resting order: cancels it and places a new order with these changes. The new order gets the
   * next number, so it counts as newer than all other resting orders.
   */
  replace(orderId: number, changes: Partial<OrderRequest>): OrderReceipt;
  /**
   * Places a set of market orders that bring the account to the given weights of its equity. Sales come
   * first.
   *
   * All orders are sized from the account's equity and the prices at the current close. The receipt lists
   * weights that cannot be reached and positions that are unchanged.
   */
  rebalance(request: RebalanceRequest): RebalanceReceipt;
  /** Returns the accepted orders that are not completely filled, oldest first. */
  pending(): readonly Order[];
}
