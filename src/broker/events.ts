/** What the broker writes down; money and quantities are decimal strings, times are in the bar's own event. */
export type BrokerEvent =
  | {
      readonly type: 'order_accepted';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly action: 'buy' | 'sell' | 'close' | 'target';
      readonly orderType: string;
      readonly quantity?: string;
      readonly notional?: string;
      readonly equityFraction?: string;
      readonly targetQuantity?: string;
      readonly targetFraction?: string;
      readonly limitPrice?: string;
      readonly stopPrice?: string;
      /** Of a trailing_stop_limit. */
      readonly limitOffset?: string;
      /** The price that wakes a trail, while it sleeps. */
      readonly activationPrice?: string;
      readonly postOnly?: true;
      /** Left out for GTC. */
      readonly timeInForce?: string;
      readonly validBars?: number;
      readonly group?: string;
      /** The order whose position an exit belongs to. */
      readonly parentId?: number;
      /** `stop-loss`, `take-profit`, `liquidation`, `delisting`, `expiry`, `insolvent` or `roll`; left out for an order somebody placed. */
      readonly role?: string;
      readonly reason?: string;
    }
  | {
      readonly type: 'order_cancelled';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: 'order_rejected';
      readonly bar: number;
      /** Null when it was refused before it got a number. */
      readonly orderId: number | null;
      readonly symbol: string | null;
      readonly action: string;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    }
  | {
      readonly type: 'order_filled';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly side: 'buy' | 'sell';
      readonly quantity: string;
      /** Units that the size came to, where buying power carried less: of the order's first fill. */
      readonly requestedQuantity?: string;
      readonly price: string;
      /** The rule's price before slippage. */
      readonly priceBeforeSlippage: string;
      /** In the account's currency, as is the cash; prices are in the instrument's. */
      readonly commission: string;
      readonly cash: string;
      /** Account currency a unit of the instrument's; left out where they are the same. */
      readonly rate?: string;
      /** Money for a point of the price, in the instrument's currency; left out for shares. */
      readonly multiplier?: string;
      readonly reason?: string;
      /** Time of the finer bar that shows when it filled. */
      readonly detailTime?: string;
      /** Another outcome that the bar allows does not have this fill. */
      readonly ambiguous?: true;
      /** On a bar's last ambiguous fill: what its better outcome would have gained by the close, in account currency. */
      readonly gainIfOther?: string;
    }
  | {
      /** A limit on losses was reached at a bar's close: nothing more is opened, today or for good. */
      readonly type: 'risk_halted';
      readonly bar: number;
      readonly code: 'risk_drawdown' | 'risk_daily_loss';
      /** As a fraction of the equity it is counted from. */
      readonly limit: number;
      readonly from: string;
      readonly equity: string;
    }
  | {
      readonly type: 'trade_closed';
      readonly bar: number;
      readonly id: number;
      readonly symbol: string;
      readonly side: 'long' | 'short';
      readonly quantity: string;
      readonly entryBar: number;
      readonly entryTime: string;
      readonly entryPrice: string;
      readonly exitTime: string;
      readonly exitPrice: string;
      readonly grossPnl: string;
      readonly commission: string;
      readonly netPnl: string;
      readonly exitReason: string;
      /** Money for a point of the prices, in the instrument's currency; left out for shares. */
      readonly multiplier?: string;
      /** Entered or left by an ambiguous fill, or closed by another outcome of a bar while it was open. */
      readonly ambiguous?: true;
      /** Of an instrument in another currency: the rates then, and the part of the gross profit that they made. */
      readonly entryRate?: string;
      readonly exitRate?: string;
      readonly fxPnl?: string;
    }
  | {
      /** A split or roll has re-based a resting order; what it does not have is left out. */
      readonly type: 'order_adjusted';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly quantity?: string;
      readonly limitPrice?: string;
      readonly stopPrice?: string;
    };
