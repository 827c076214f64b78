/** A file of rolls or of funding rates, for a run's manifest. */
export interface FuturesSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: 'rolls' | 'funding';
  /** Those of other symbols included. */
  readonly rows: number;
}
