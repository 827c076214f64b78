import { type Fault, formatInstant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import type { FeatureTable } from './features/table.ts';

/** One file that was read, for a run's manifest; its bars are counted before `from` and `to`. */
export interface DataSource {
  readonly file: string;
  /** Hex digest of the file's bytes. */
  readonly sha256: string;
  readonly symbols: readonly string[];
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
}

/** What was read of one file, or of one symbol of a catalogue. */
export interface FileReading {
  readonly file: string;
  readonly sources: readonly DataSource[];
  readonly series: readonly BarSeries[];
  /** Its columns beside those of the bars, where they are kept. */
  readonly features?: FeatureTable;
  readonly faults: readonly Fault[];
  readonly adjustments: readonly string[];
  /** Facts that every user of the data must know. */
  readonly notes?: readonly string[];
  /** Every symbol of the file, the unwanted ones included. */
  readonly known: readonly string[];
  /** Whether the mapping of columns names none of its columns. */
  readonly isUnmapped?: boolean;
}

/** What a file's series are a source of; undefined without any. */
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
