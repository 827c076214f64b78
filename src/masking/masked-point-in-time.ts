import type { MaskTerms } from '../engine/index.ts';
import { DAY, type Fault, faultsError } from '../kernel/index.ts';
import type { BarSeries, GivenDocument, PointInTimeData, Stamp } from '../market/index.ts';
import { textMasker } from './leaks.ts';
import { fewerFaults, finderOf } from './masked-files.ts';

/**
 * Documents, fundamentals and the universe as they are behind a mask: dates are moved, symbols and ISO dates in texts
 * rewritten. Symbols that are not in the data are left out of what a document is about. Figures of fundamentals pass.
 *
 * @param known every series that a run is given, as it really is
 * @throws AppError `mask_leaks` with every line of a document that would tell what the mask hides
 */
export function maskPointInTime(
  given: PointInTimeData,
  known: readonly BarSeries[],
  mask: MaskTerms,
): PointInTimeData {
  const { documents, fundamentals, universe } = given;
  const nameOf = new Map(Object.entries(mask.symbols).map(([name, real]) => [real, name]));
  const shift = mask.days * DAY;
  const move = ({ instant, wholeDay }: Stamp): Stamp => ({ instant: instant + shift, wholeDay });
  const moved = (instant: number | null): number | null => (instant === null ? null : instant + shift);
  return {
    documents: maskDocuments(documents, known, mask, nameOf).map((document) => ({
      ...document,
      known: move(document.known),
    })),
    fundamentals: fundamentals.flatMap((row) => {
      const symbol = nameOf.get(row.symbol);
      if (symbol === undefined) return [];
      return [{ ...row, symbol, periodEnd: row.periodEnd + shift, known: move(row.known) }];
    }),
    ...(universe === undefined
      ? {}
      : {
          universe: universe.flatMap(({ symbol: real, from, until }) => {
            const symbol = nameOf.get(real);
            return symbol === undefined ? [] : [{ symbol, from: moved(from), until: moved(until) }];
          }),
        }),
  };
}

const PARTS = ['id', 'source', 'kind', 'title', 'text'] as const;

function maskDocuments(
  documents: readonly GivenDocument[],
  known: readonly BarSeries[],
  mask: MaskTerms,
  nameOf: ReadonlyMap<string, string>,
): GivenDocument[] {
  if (documents.length === 0) return [];
  const maskText = textMasker(mask);
  const find = finderOf(known, mask);
  const hidesNames = mask.kinds.includes('symbols');
  const faults: Fault[] = [];
  const ids = new Map<string, string>();
  const masked = documents.map((document) => {
    for (const part of PARTS)
      for (const [index, line] of document[part].split('\n').entries())
        for (const leak of find(line))
          faults.push({
            where: `${document.where}, ${part}${part === 'text' ? ` line ${index + 1}` : ''}`,
            message: `has ${leak}`,
          });
    const id = maskText(document.id);
    const before = ids.get(id);
    if (before !== undefined)
      faults.push({ where: document.where, message: `its id becomes ${id}, as that of ${before} does` });
    ids.set(id, document.where);
    return {
      ...document,
      id,
      source: maskText(document.source),
      kind: maskText(document.kind),
      title: maskText(document.title),
      text: maskText(document.text),
      symbols: document.symbols.flatMap((symbol) => {
        const name = nameOf.get(symbol);
        if (name !== undefined) return [name];
        return hidesNames ? [] : [symbol];
      }),
    };
  });
  if (faults.length === 0) return masked;
  throw faultsError(
    'mask_leaks',
    'These documents would reveal what the mask hides',
    fewerFaults(faults),
    'Write symbols as the data do and dates as 2020-03-31: those are rewritten. Take out other dates, years and prices, or leave --documents or --mask out.',
  );
}
