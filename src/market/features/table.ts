import type { Interval } from '../interval.ts';
import type { Stamp } from '../stamps.ts';

/** What a cell of a feature says; null where it says nothing. */
export type FeatureValue = number | string | boolean | null;
export type FeatureType = 'number' | 'text' | 'boolean';

export interface FeatureColumn {
  readonly name: string;
  readonly type: FeatureType;
  /** By row; no number in it is infinite or NaN. */
  readonly values: readonly FeatureValue[];
}

/** Rows of what could be known beside the bars, each with what it is about and when it was known. */
export interface FeatureTable {
  /** Its file, for messages. */
  readonly source: string;
  readonly columns: readonly FeatureColumn[];
  /** What each row is about. */
  readonly dates: readonly Stamp[];
  /** When each row was known; undefined for the end of the bar of its date, and the lag after that. */
  readonly known: readonly (Stamp | undefined)[];
  /** Of each row; undefined for rows that are about all symbols. */
  readonly symbols: readonly string[] | undefined;
  readonly lag?: Interval;
  /** Columns of a file of bars: what they say is in that file, and known with its bar. */
  readonly isOfBars?: boolean;
}

/** A file of features, for a run's manifest. */
export interface FeatureSource {
  readonly file: string;
  readonly sha256: string;
  readonly features: readonly string[];
  readonly rows: number;
}

/** The features of some tables by name, with their types, each name once. */
export function featureSchema(
  tables: readonly FeatureTable[],
): readonly { readonly name: string; readonly type: FeatureType }[] {
  const found = new Map<string, FeatureType>();
  for (const { columns } of tables)
    for (const { name, type } of columns) if (!found.has(name)) found.set(name, type);
  return [...found].map(([name, type]) => ({ name, type }));
}
