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
