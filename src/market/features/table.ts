import type { Interval } from '../interval.ts';
import type { Stamp } from '../stamps.ts';

/** Value of a feature. `null` if missing. */
export type FeatureValue = number | string | boolean | null;
export type FeatureType = 'number' | 'text' | 'boolean';

export interface FeatureColumn {
  readonly name: string;
  readonly type: FeatureType;
  /** Values by row. Numbers are always finite. */
  readonly values: readonly FeatureValue[];
}

/** Rows of other time series, with their dates and publication times. */
export interface FeatureTable {
  /** File name for messages. */
  readonly source: string;
  readonly columns: readonly FeatureColumn[];
  /** Date of each row. */
  readonly dates: readonly Stamp[];
  /** Publication time of each row. `undefined` for the end of the bar of its date plus the lag. */
  readonly known: readonly (Stamp | undefined)[];
  /** Symbol of each row. `undefined` if all rows are about all symbols. */
  readonly symbols: readonly string[] | undefined;
  readonly lag?: Interval;
  /**
   * True for columns of a file of bars. Their values are already in that file and become visible with their
   * bar.
   */
  readonly isOfBars?: boolean;
}

/** File of features, for a run's manifest. */
export interface FeatureSource {
  readonly file: string;
  readonly sha256: string;
  readonly features: readonly string[];
  readonly rows: number;
}

/** Returns the features of some tables with their types. Each name occurs once. */
export function featureSchema(
  tables: readonly FeatureTable[],
): readonly { readonly name: string; readonly type: FeatureType }[] {
  const found = new Map<string, FeatureType>();
  for (const { columns } of tables)
    for (const { name, type } of columns) if (!found.has(name)) found.set(name, type);
  return [...found].map(([name, type]) => ({ name, type }));
}
