import { readFileSync, statSync } from 'node:fs';
import {
  commissionText,
  type InstrumentSettings,
  instrumentSchema,
  numberOrText,
} from '../../broker/index.ts';
import { settingsFaults } from '../../engine/index.ts';
import {
  AppError,
  doubledKeys,
  type Fault,
  faultsError,
  isObject,
  messageOf,
  nearest,
  parseJsonInput,
  recordOf,
} from '../../kernel/index.ts';
import { fileSheet, type LoadedPointInTime, type PointInTimeSource } from '../../market/index.ts';

const MOST_NAMES = 5;
const MOST_KNOWN = 20;

/** Side file: a file other than the bars, with the symbols of its rows. */
export interface SideFile {
  readonly file: string;
  /** Symbol of each row. An empty text for a row about all symbols. */
  readonly symbols: readonly string[];
  readonly kind?: PointInTimeSource['kind'] | 'instruments';
}

/** Returns the side files of published data: each file of documents and fundamentals, and the universe. */
export function publishedFiles({
  documents,
  fundamentals,
  universe = [],
  sources,
}: LoadedPointInTime): SideFile[] {
  const symbols = {
    // A document without symbols is about all symbols. An empty text stands for all symbols.
    documents: documents.map((one) => (one.symbols.length === 0 ? [''] : one.symbols)),
    fundamentals: fundamentals.map(({ symbol }) => [symbol]),
    universe: universe.map(({ symbol }) => [symbol]),
  };
  return (['documents', 'fundamentals', 'universe'] as const).flatMap((kind) => {
    let before = 0;
    return sources.flatMap((source): SideFile[] => {
      if (source.kind !== kind) return [];
      // The rows of all files of a kind are in one list, in the order of the files.
      const own = symbols[kind].slice(before, before + source.rows);
      before += source.rows;
      return [{ file: source.file, symbols: own.flat(), kind }];
    });
  });
}

/**
 * Compares the symbols of side files with the symbols of the data.
 *
 * @param known symbols of the data, including symbols that options exclude
 * @param context symbols that are shown and not traded
 * @returns a warning for each file with some symbols that are not in the data
 * @throws AppError `unknown_symbol` with every file whose symbols are all missing in the data
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
      faults.push({ where: file, message: `the data contain no symbol of this file: ${names}` });
    if (kind === 'universe') return universeWarnings(file, symbols, names, known);
    if (others.length === 0) return [];
    if (kind === 'instruments') return [`${file}: ignored ${meantNames(others, known)}, not in the data`];
    if (kind === 'documents') return [`${file}: documents name symbols that are not in the data: ${names}`];
    const rows = `${others.length} ${others.length === 1 ? 'row' : 'rows'}`;
    return [`${file}: ignored ${rows} of ${names}, not in the data`];
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
      : [
          `${file}: the data have no bars of ${missing}. Without delisted symbols results look better than they were (survivorship bias)`,
        ]),
    ...(never === '' ? [] : [`${file}: ${never} can never be traded, because the file has no line for it`]),
  ];
}

/** Returns symbols as text for a message. Adds a similar known symbol to each name that may be misspelt. */
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

/** Settings of instruments, by symbol. */
export type Instruments = Readonly<Record<string, InstrumentSettings>>;

/** Content of a file of instruments. */
export interface InstrumentsFile {
  readonly instruments: Instruments;
  readonly sideFile: SideFile;
}

type Reader = (text: string) => unknown;

const number: Reader = (text) => (Number.isNaN(Number(text)) ? text : Number(text));
const text: Reader = (given) => given;

/** Reader and alternative column names for each field. */
const COLUMNS = {
  symbol: [text, 'ticker', 'contract'],
  multiplier: [number, 'contract multiplier', 'point value'],
  tick: [number, 'tick size'],
  tickValue: [number],
  lot: [numberOrText, 'lot size'],
  currency: [(given) => given.toUpperCase()],
  margin: [number, 'initial margin', 'margin initial'],
  maintenanceMargin: [number, 'margin maintenance'],
  leverage: [number],
  commission: [readCommission],
  minimumNotional: [number],
  borrowRate: [number],
  hours: [text, 'trading hours'],
  timezone: [text],
  firstTrade: [text, 'first trading day'],
  expiry: [text, 'expires', 'expiration', 'last trading day'],
} as const satisfies Readonly<Record<string, readonly [read: Reader, ...spellings: string[]]>>;
type Column = keyof typeof COLUMNS;
const FIELDS = Object.keys(COLUMNS) as readonly Column[];
const SPELLINGS = recordOf(FIELDS, (field) => COLUMNS[field].slice(1) as string[]);

const HINT =
  'Example: the header symbol,multiplier,tick,margin and the line ES,50,0.25,12000. All columns are in docs/instruments.md.';

/**
 * Reads the settings of instruments. The file is JSON as in `--settings`, or a table with one line per symbol
 * in any format that is supported for bars.
 *
 * @throws AppError `bad_instruments` with every fault, by line
 */
export async function loadInstruments(file: string, unpackedLimit?: number): Promise<InstrumentsFile> {
  const faults: Fault[] = [];
  const rows = (await readKeyed(file, faults)) ?? (await readRows(file, faults, unpackedLimit));
  const instruments: Record<string, InstrumentSettings> = {};
  const places: Record<string, string> = {};
  for (const { symbol: name, place, terms } of rows) {
    const symbol = name.trim().toUpperCase();
    if (symbol === '') faults.push({ where: place, message: 'the symbol is empty' });
    else if (places[symbol] !== undefined)
      faults.push({
        where: place,
        message: `duplicate symbol ${symbol}, already defined in ${places[symbol]}`,
      });
    places[symbol] ??= place;
    for (const fault of settingsFaults(instrumentSchema, terms))
      faults.push({ ...fault, where: `${place}${fault.where === 'settings' ? '' : ` ${fault.where}`}` });
    const parsed = instrumentSchema.safeParse(terms);
    if (parsed.success) instruments[symbol] = parsed.data;
  }
  if (faults.length === 0 && rows.length === 0)
    faults.push({ where: file, message: 'the file contains no instruments' });
  if (faults.length > 0) throw failed(faults);
  return { instruments, sideFile: { file, symbols: Object.keys(places), kind: 'instruments' } };
}

interface Row {
  readonly symbol: string;
  readonly place: string;
  readonly terms: Readonly<Record<string, unknown>>;
}

/**
 * Reads JSON with one object per symbol. The objects may contain nested settings. `undefined` for other
 * files.
 */
async function readKeyed(file: string, faults: Fault[]): Promise<Row[] | undefined> {
  // Only regular files are read here, because reading a FIFO would block until another process writes to it.
  if (!/\.json$/i.test(file) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return undefined;
  let content: string;
  let given: unknown;
  try {
    content = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    given = parseJsonInput(content);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) return undefined;
    faults.push({ where: file, message: `invalid JSON (${messageOf(cause)})` });
    return [];
  }
  if (Array.isArray(given) && given.every(isObject)) {
    return given.map((one, index) => {
      const { symbol, ...terms } = one as { readonly symbol?: unknown };
      return { symbol: typeof symbol === 'string' ? symbol : '', place: `${file} row ${index + 1}`, terms };
    });
  }
  if (!isObject(given)) {
    faults.push({ where: file, message: 'expected a JSON object, for example {"ES": {"multiplier": 50}}' });
    return [];
  }
  faults.push(...doubledKeys(content, file));
  return Object.entries(given).map(([symbol, terms]) => ({
    symbol,
    place: `${file} ${symbol}`,
    terms: terms as Readonly<Record<string, unknown>>,
  }));
}

async function readRows(file: string, faults: Fault[], unpackedLimit: number | undefined): Promise<Row[]> {
  const rules = { columns: SPELLINGS, needed: ['symbol'] } as const;
  const { sheet } = await fileSheet(file, rules, failed, { unpackedLimit });
  faults.push(...sheet.faults);
  return Array.from({ length: sheet.length }, (_, row) => {
    const place = sheet.where(row);
    const terms: Record<string, unknown> = {};
    for (const field of FIELDS) {
      const cell = sheet.text(row, field);
      if (cell === '') continue;
      try {
        terms[field] = COLUMNS[field][0](cell);
      } catch (error) {
        faults.push({ where: `${place} ${field}`, message: messageOf(error) });
      }
    }
    const { symbol = '', ...rest } = terms;
    return { symbol: String(symbol), place, terms: rest };
  });
}

/** Parses a commission rate, or a model as in `--commission-model`. */
function readCommission(given: string): unknown {
  const rate = Number(given);
  if (!Number.isNaN(rate)) return { model: 'rate', rate };
  const parsed = commissionText.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new AppError({
    code: 'bad_instruments',
    message: parsed.error.issues.map(({ message }) => message).join('; '),
    hint: HINT,
  });
}

function failed(faults: readonly Fault[]): AppError {
  return faultsError('bad_instruments', 'The instruments cannot be used', faults, HINT);
}
