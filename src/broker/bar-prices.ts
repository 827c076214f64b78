/** One bar's prices as the broker needs them; a symbol without a bar at this instant has `trades[symbol]` 0. */
export interface BarPrices {
  readonly trades: Uint8Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Quoted spread of the bar in money a unit, where the slippage is taken from a column. */
  readonly spread?: Float64Array;
}
