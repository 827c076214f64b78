import { readFileSync, statSync } from 'node:fs';
import { commissionText, type InstrumentSettings, instrumentSchema, numberOrText } from '../broker/index.ts';
import { settingsFaults } from '../engine/index.ts';
import {
  AppError,
  doubledKeys,
  type Fault,
  faultsError,
  isObject,
  messageOf,
  parseJsonInput,
  recordOf,
} from '../kernel/index.ts';
import { fileSheet } from '../market/index.ts';
import type { SideFile } from './unmatched-symbols.ts';

/** Instrument settings by symbol. */
export type Instruments = Readonly<Record<string, InstrumentSettings>>;

/** Parsed file of instruments. */
export interface InstrumentsFile {
  readonly instruments: Instruments;
  readonly sideFile: SideFile;
}

type Reader = (text: string) => unknown;

const number: Reader = (text) => (Number.isNaN(Number(text)) ? text : Number(text));
const text: Reader = (given) => given;

/** Reader and alternative column names of each field. */
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
  'A line looks like ES,50,0.25,12000 under symbol,multiplier,tick,margin; docs/instruments.md has every column.';

/**
 * Reads instrument settings: a table with one line per symbol in any format supported for bars, or JSON as in
 * `--settings`.
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
      faults.push({ where: place, message: `repeats ${symbol} of ${places[symbol]}` });
    places[symbol] ??= place;
    for (const fault of settingsFaults(instrumentSchema, terms))
      faults.push({ ...fault, where: `${place}${fault.where === 'settings' ? '' : ` ${fault.where}`}` });
    const parsed = instrumentSchema.safeParse(terms);
    if (parsed.success) instruments[symbol] = parsed.data;
  }
  if (faults.length === 0 && rows.length === 0)
    faults.push({ where: file, message: 'there is no instrument in it' });
  if (faults.length > 0) throw failed(faults);
  return { instruments, sideFile: { file, symbols: Object.keys(places), kind: 'instruments' } };
}

interface Row {
  readonly symbol: string;
  readonly place: string;
  readonly terms: Readonly<Record<string, unknown>>;
}

/** Reads JSON with one object per symbol, which may contain nested settings. `undefined` for other files. */
async function readKeyed(file: string, faults: Fault[]): Promise<Row[] | undefined> {
  // Reading a FIFO would block until something is written to it.
  if (!/\.json$/i.test(file) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return undefined;
  let content: string;
  let given: unknown;
  try {
    content = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    given = parseJsonInput(content);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) return undefined;
    faults.push({ where: file, message: `it is not JSON (${messageOf(cause)})` });
    return [];
  }
  if (Array.isArray(given) && given.every(isObject)) {
    return given.map((one, index) => {
      const { symbol, ...terms } = one as { readonly symbol?: unknown };
      return { symbol: typeof symbol === 'string' ? symbol : '', place: `${file} row ${index + 1}`, terms };
    });
  }
  if (!isObject(given)) {
    faults.push({ where: file, message: 'it is no JSON object such as {"ES": {"multiplier": 50}}' });
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

/** Parses a rate, or a model as in `--commission-model`. */
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
