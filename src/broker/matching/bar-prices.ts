/** Prices of one bar for all symbols. `trades[symbol]` is 0 for a symbol without a bar at this instant. */
export interface BarPrices {
  readonly trades: Uint8Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Quoted spread of the bar in money per unit, if slippage is configured with a column. */
  readonly spread?: Float64Array;
}

/** Bars in which the auctions of a symbol's sessions take place. */
export interface Auctions {
  /** True if orders for the open fill at the open of a bar. */
  isOpening(symbol: number, bar: number): boolean;
  /** True if orders for the close fill at the close of a bar. */
  isClosing(symbol: number, bar: number): boolean;
}

/** Every bar has both auctions: the rule if sessions are unknown. */
export const EVERY_BAR: Auctions = { isOpening: () => true, isClosing: () => true };
