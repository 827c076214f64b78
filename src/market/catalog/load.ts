import type { Fault } from '../../kernel/index.ts';
import type { FileReading } from '../data-source.ts';
import type { Database } from '../database.ts';
import type { Range } from '../select.ts';
import type { CatalogReference } from './place.ts';
import { findInCatalog, readFromCatalog } from './read.ts';

interface Needed {
  readonly range: Range;
  /** Symbols in capitals. Empty for all symbols. */
  readonly wanted: readonly string[];
  readonly interval?: string;
  readonly extraColumns?: readonly string[];
}

/** Reads catalogue references such as `@AAPL`, limited to the needed symbols and period. */
export async function readReferences(
  database: Database,
  references: readonly CatalogReference[],
  { range, wanted, interval, extraColumns }: Needed,
): Promise<{ readonly readings: FileReading[]; readonly faults: Fault[] }> {
  const readings: FileReading[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const reference of references) {
    const found = await findInCatalog(reference, interval?.toLowerCase());
    if (!Array.isArray(found)) {
      faults.push(found as Fault);
      continue;
    }
    for (const entry of found) {
      const { folder, manifest } = entry;
      if (seen.has(folder)) continue;
      seen.add(folder);
      const nothing = { file: folder, faults: [], adjustments: [], known: [manifest.symbol] };
      if (wanted.length > 0 && !wanted.includes(manifest.symbol)) {
        readings.push({ ...nothing, sources: [], series: [] });
        continue;
      }
      const { series, sources } = await readFromCatalog(database, entry, range, extraColumns);
      const isEmpty = series.time.length === 0;
      const note = `${manifest.symbol} has no bar in the period and was omitted`;
      readings.push({
        ...nothing,
        sources,
        series: isEmpty ? [] : [series],
        adjustments: isEmpty ? [note] : [],
      });
    }
  }
  return { readings, faults };
}
