/** File of rolls or funding rates, for a run's manifest. */
export interface FuturesSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: 'rolls' | 'funding';
  /** Number of rows, including those of other symbols. */
  readonly rows: number;
}
