import type { MaskTerms } from '../engine/index.ts';
import { DAY, type Fault, faultsError, type Instant } from '../kernel/index.ts';
import type { BarSeries, GivenDocument, PointInTimeData } from '../market/index.ts';
import { type GivenClock, stampMover } from './known-stamps.ts';
import { textMasker } from './leaks.ts';
import { maskView, shownDay } from './mask-view.ts';
import { fewerFaults, finderOf } from './masked-files.ts';

/**
 * Masks documents, fundamentals and the universe. Moves dates, and rewrites symbols and ISO dates in texts.
 * Symbols without data are removed from the subjects of a document. Values of fundamentals are unchanged.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every revealing line of a document
 */
export function maskPointInTime(
  given: PointInTimeData,
  known: readonly BarSeries[],
  clock: GivenClock,
  mask: MaskTerms,
): PointInTimeData {
  const { documents, fundamentals, universe } = given;
  const view = maskView(mask);
  const nameOf = view.names;
  const move = stampMover(clock, view);
  // The membership of bars shorter than a day depends on their start, of other bars on their stamps.
  const byStart = (clock.market.interval?.milliseconds ?? DAY) < 0.8 * DAY;
  const moved = (instant: Instant | null): Instant | null =>
    instant === null || view.calendar === undefined
      ? instant
      : view.calendar[byStart ? 'starts' : 'stamps'].shown(instant);
  faultsOfFields(fundamentals, known, mask);
  return {
    documents: maskDocuments(documents, known, mask, nameOf).map((document) => ({
      ...document,
      known: move(document.known),
    })),
    fundamentals: fundamentals.flatMap((row) => {
      const symbol = nameOf.get(row.symbol);
      if (symbol === undefined) return [];
      return [{ ...row, symbol, periodEnd: shownDay(row.periodEnd, view), known: move(row.known) }];
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

/**
 * @throws AppError `mask_leaks` for names of fields that reveal masked facts
 */
function faultsOfFields(
  rows: PointInTimeData['fundamentals'],
  known: readonly BarSeries[],
  mask: MaskTerms,
): void {
  const find = finderOf(known, mask);
  const faults = [...new Set(rows.map(({ field }) => field))].flatMap((field) =>
    find(field).map((leak): Fault => ({ where: `the field ${field}`, message: `has ${leak}` })),
  );
  if (faults.length === 0) return;
  throw faultsError(
    'mask_leaks',
    'These fundamentals would reveal what the mask hides',
    faults,
    'Name the field otherwise, or leave --fundamentals or --mask out.',
  );
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
