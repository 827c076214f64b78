import { type Fault, faultsError, nearest } from '../kernel/index.ts';
import type { LoadedPointInTime, PointInTimeSource } from '../market/index.ts';

const MOST_NAMES = 5;
const MOST_KNOWN = 20;

/** File other than the bars, with the symbols of its rows. */
export interface SideFile {
  readonly file: string;
  /** Symbol of each row. Empty for a row about all symbols. */
  readonly symbols: readonly string[];
  readonly kind?: PointInTimeSource['kind'] | 'instruments';
}

/** Documents, fundamentals and the universe as side files: one per kind. */
export function publishedFiles({
  documents,
  fundamentals,
  universe = [],
  sources,
}: LoadedPointInTime): SideFile[] {
  const symbols = {
    // A document about all symbols has no symbol.
    documents: documents.flatMap((one) => (one.symbols.length === 0 ? [''] : one.symbols)),
    fundamentals: fundamentals.map(({ symbol }) => symbol),
    universe: universe.map(({ symbol }) => symbol),
  };
  return (['documents', 'fundamentals', 'universe'] as const).flatMap((kind): SideFile[] => {
    const files = sources.flatMap((source) => (source.kind === kind ? [source.file] : []));
    return files.length === 0 ? [] : [{ file: files.join(', '), symbols: symbols[kind], kind }];
  });
}

/**
 * Compares the symbols of side files with those of the data.
 *
 * @param known symbols of the data, including those that options omit
 * @param context symbols that are shown and not traded
 * @returns a warning for each file with symbols that are not in the data
 * @throws AppError `unknown_symbol` with every file without any symbol of the data
 */
export function unmatchedWarnings(
  files: readonly SideFile[],
  known: ReadonlySet<string>,
  context: readonly string[],
): string[] {
  const faults: Fault[] = [];
  const warnings = files.flatMap(({ file, symbols, kind }) => {
    const isKnown = (symbol: string): boolean =>
      symbol === '' || known.has(symbol) || (kind === 'documents' && context.includes(symbol));
    const others = symbols.filter((symbol) => !isKnown(symbol));
    const names = namesOf(others);
    if (others.length > 0 && others.length === symbols.length)
      faults.push({ where: file, message: `none of its symbols are in the data: ${names}` });
    if (kind === 'universe') return universeWarnings(file, symbols, names, known);
    if (others.length === 0) return [];
    if (kind === 'instruments') return [`${file}: left out ${meantNames(others, known)}, not in the data`];
    if (kind === 'documents') return [`${file}: documents name symbols that are not in the data: ${names}`];
    return [`${file}: left out ${others.length} of ${names}, not in the data`];
  });
  if (faults.length === 0) return warnings;
  throw faultsError(
    'unknown_symbol',
    'Files do not fit the data',
    faults,
    `Spell symbols as in the data: ${namesOf([...known], MOST_KNOWN)}.`,
  );
}

function universeWarnings(
  file: string,
  members: readonly string[],
  missing: string,
  known: ReadonlySet<string>,
): string[] {
  const never = namesOf([...known].filter((symbol) => !members.includes(symbol)));
  return [
    ...(missing === ''
      ? []
      : [`${file}: the data have no bars of ${missing}; a choice among survivors looks better than it was`]),
    ...(never === '' ? [] : [`${file}: ${never} can be traded at no time, for the file has no line of it`]),
  ];
}

/** Names with the symbol that was probably meant. */
function meantNames(symbols: readonly string[], known: ReadonlySet<string>): string {
  const names = symbols.map((symbol) => {
    const meant = nearest(symbol, [...known]);
    return meant === undefined ? symbol : `${symbol} (did you mean ${meant}?)`;
  });
  return namesOf(names);
}

function namesOf(symbols: readonly string[], most = MOST_NAMES): string {
  const names = [...new Set(symbols)].sort();
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}
