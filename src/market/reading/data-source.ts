import { type Fault, formatInstant } from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import type { FeatureTable } from '../features/bar-columns.ts';

/** Data file as described in a run's manifest. The number of bars includes bars outside `from` and `to`. */
export interface DataSource {
  readonly file: string;
  /** SHA-256 of the file's bytes, in hex. */
  readonly sha256: string;
  readonly symbols: readonly string[];
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
}

/** Result of reading one file, or one symbol of a catalogue. */
export interface FileReading {
  readonly file: string;
  readonly sources: readonly DataSource[];
  readonly series: readonly BarSeries[];
  /** Additional columns of the file, if requested. */
  readonly features?: FeatureTable;
  readonly faults: readonly Fault[];
  readonly adjustments: readonly string[];
  /** Notes that every user of the data must know. */
  readonly notes?: readonly string[];
  /** All symbols of the file, including symbols that the options exclude. */
  readonly known: readonly string[];
  /** True if the user's column mapping names headers, but the file contains no header that it names. */
  readonly isUnmapped?: boolean;
}

/** Describes a file's series as a data source. `undefined` without series. */
export function sourceOf(file: string, sha256: string, series: readonly BarSeries[]): DataSource | undefined {
  if (series.length === 0) return undefined;
  const firsts = series.map((one) => one.time[0]!);
  const lasts = series.map((one) => one.time.at(-1)!);
  return {
    file,
    sha256,
    symbols: series.map((one) => one.symbol).sort(),
    bars: series.reduce((total, one) => total + one.time.length, 0),
    firstBar: formatInstant(Math.min(...firsts)),
    lastBar: formatInstant(Math.max(...lasts)),
  };
}
