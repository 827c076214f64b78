/** Series of a benchmark: closes from a separate file, or equity of the engine's buy-and-hold run. */
export interface BenchmarkSeries {
  readonly name: string;
  /**
   * True for the engine's buy-and-hold run of the run's data or of one of its symbols. Dividends and rates
   * are then included.
   */
  readonly held?: boolean;
  /** Times of the closes, rising. */
  readonly times: ArrayLike<number>;
  readonly closes: ArrayLike<number>;
  /** Opens at which the benchmark is bought if the run has an evaluation date. Default: the close before. */
  readonly opens?: ArrayLike<number>;
}

/** One of the run's symbols, or a separate series. Default: all symbols of the run. */
export type BenchmarkChoice = string | BenchmarkSeries | undefined;
