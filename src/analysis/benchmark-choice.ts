/** Values that a benchmark is made of: closes of a file that is no data of the run, or what the engine bought and held. */
export interface BenchmarkSeries {
  readonly name: string;
  /** True where the engine bought and held the run's own data, or one symbol of it, dividends and rates included. */
  readonly held?: boolean;
  /** Instants, rising. */
  readonly times: ArrayLike<number>;
  readonly closes: ArrayLike<number>;
  /** What a run with a date that figures begin at is bought at; the close before where left out. */
  readonly opens?: ArrayLike<number>;
}

/** One of the run's symbols, or a series of its own; all of the run's symbols where left out. */
export type BenchmarkChoice = string | BenchmarkSeries | undefined;
