import type { LoadedPointInTime, PointInTimeSource } from '../market/index.ts';

const MOST_NAMES = 5;

/** Says of a file which rows were left out, for their symbols are not in the data. */
export function leftOutText(file: string, symbols: readonly string[]): string {
  return `${file}: left out ${symbols.length} of ${namesOf([...new Set(symbols)].sort())}, not in the data`;
}

function namesOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** What is worth knowing of documents, fundamentals and a universe beside the symbols of the data. */
export function notesOn(
  { fundamentals, universe, sources }: LoadedPointInTime,
  symbols: ReadonlySet<string>,
): string[] {
  const fileOf = (kind: PointInTimeSource['kind']): string =>
    sources.flatMap((source) => (source.kind === kind ? [source.file] : [])).join(', ');
  const notes: string[] = [];
  const others = fundamentals.filter(({ symbol }) => !symbols.has(symbol)).map(({ symbol }) => symbol);
  if (others.length > 0) notes.push(leftOutText(fileOf('fundamentals'), others));
  if (universe === undefined) return notes;
  const members = new Set(universe.map(({ symbol }) => symbol));
  const missing = [...members].filter((symbol) => !symbols.has(symbol)).sort();
  if (missing.length > 0)
    notes.push(
      `${fileOf('universe')}: the data have no bars of ${namesOf(missing)}; a choice among survivors looks better than it was`,
    );
  const never = [...symbols].filter((symbol) => !members.has(symbol)).sort();
  if (never.length > 0)
    notes.push(
      `${fileOf('universe')}: ${namesOf(never)} can be traded at no time, for the file has no line of it`,
    );
  return notes;
}
