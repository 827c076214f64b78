import { seriesFrom } from '../bars/bar-columns.ts';
import type { Columns } from '../columns/mapping.ts';
import { furtherColumns } from '../features/bar-columns.ts';
import { type FileReading, sourceOf } from './data-source.ts';
import { dayBarsIn } from './day-bars.ts';
import { isPlainName, mostColumns } from './file-bytes.ts';
import { symbolOfFile } from './find-files.ts';
import { type ColumnPlan, type HeaderReading, readHeader } from './headers.ts';
import { readPlainBars } from './plain-text.ts';

/** Read options that determine whether and how a file can be read this way. */
interface PlainOptions {
  readonly timezone?: string;
  readonly noVolume?: boolean;
  readonly keepColumns?: boolean;
  readonly extraColumns?: readonly string[];
  readonly unpackedLimit?: number | undefined;
}

/**
 * Reads a file of one symbol without a database. `undefined` if the database is needed, for example for any
 * fault.
 */
export async function readPlainFile(
  file: string,
  options: PlainOptions,
  wanted: readonly string[],
  only: string | undefined,
  columns: Columns | undefined,
): Promise<FileReading | undefined> {
  const symbol = only ?? symbolOfFile(file);
  const isOther = wanted.length > 0 && !wanted.includes(symbol);
  const isUnusual =
    options.timezone !== undefined || columns?.isBare === true || columns?.preset !== undefined;
  if (isOther || isUnusual || !isPlainName(file)) return undefined;
  let found:
    | (Pick<HeaderReading, 'adjustments' | 'notes'> & {
        readonly plan: ColumnPlan;
        readonly isUnmapped: boolean;
      })
    | undefined;
  const bars = await readPlainBars(file, (header) => {
    if (header.length > mostColumns(options.unpackedLimit)) return undefined;
    const noVolume = options.noVolume === true;
    const read = readHeader(header, noVolume, options.extraColumns, columns);
    const { plan, isUnmapped } = read;
    if (plan === undefined || plan.symbol !== undefined || plan.clock !== undefined) return undefined;
    if (plan.unadjusted !== undefined) return undefined;
    const further =
      options.keepColumns === true ? furtherColumns(file, header, plan) : { named: [], adjustments: [] };
    const named = (texts: readonly string[]): string[] => texts.map((text) => `${file}: ${text}`);
    const adjustments = [...named(read.adjustments), ...further.adjustments];
    found = { plan, adjustments, notes: named(read.notes), isUnmapped: isUnmapped === true };
    return further.named.length === 0 ? plan : undefined;
  });
  if (bars === undefined || found === undefined) return undefined;
  const series = seriesFrom(
    symbol,
    bars.columns,
    found.plan.extra.map(({ name }) => name),
  );
  if (dayBarsIn(series).length > 0) return undefined;
  const source = sourceOf(file, bars.sha256, [series]);
  return {
    file,
    series: [series],
    faults: [],
    ...(found.isUnmapped ? { isUnmapped: true } : {}),
    known: [symbol],
    adjustments: found.adjustments,
    notes: found.notes,
    sources: source === undefined ? [] : [source],
  };
}
