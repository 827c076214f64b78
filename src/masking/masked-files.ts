import type { MaskTerms } from '../engine/index.ts';
import { DAY, type Fault, faultsError } from '../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS } from '../market/index.ts';
import { type GivenFiles, Vfs } from '../toolkit/vfs/index.ts';
import { DATE, escaped, type GivenClock, hiddenNames, otherNames, stampMover, textMasker } from './leaks.ts';
import { maskView } from './mask-view.ts';

const MOST_FAULTS = 50;
/** Month names, for the dates in `OTHER_DATES`. */
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY_OF_MONTH = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
/**
 * Dates in which no four-digit year is a separate number: 17/12/24, 17.12.2024, 2024.12.17, Dec 17, 17th of
 * December. `dateTest` finds separate years.
 */
const OTHER_DATES = [
  /(?<![\d./-])\d{1,2}[/.-]\d{1,2}[/.-]\d{2}(?!\d|[./-]\d)/g,
  /(?<![\d./-])(?:\d{1,2}\.\d{1,2}\.\d{4}|\d{4}\.\d{1,2}\.\d{1,2})(?!\d|\.\d)/g,
  new RegExp(String.raw`(?<![\p{L}\d])${MONTH}\.?\s+(?:the\s+)?${DAY_OF_MONTH}(?![\p{L}\d.,]*\d)`, 'giu'),
  new RegExp(String.raw`(?<![\p{L}\d.,])${DAY_OF_MONTH}\s+(?:of\s+)?${MONTH}(?![\p{L}\d])`, 'giu'),
];
/**
 * Lower-case "may" and "march" are not treated as months, because they are ordinary words, as in "you may 10
 * times …".
 */
const NO_DATE = /^(?:may|march)/;
const NUMBER = /(?<![\d.])\d[\d,_]*(?:\.\d+)?(?:e[+-]?\d+)?/gi;
/**
 * Character that replaces ISO dates and known names before a line is checked for leaks. The mask replaces
 * these dates and names later, so they reveal nothing.
 */
const REWRITTEN = '\u0000';

/**
 * Masks an agent's files. Replaces names and ISO dates in texts and paths, and converts the time at which
 * each file becomes visible. A name, date or price of the data in any other form is an error.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every line that reveals a hidden name, date or price
 */
export function maskFiles(
  given: GivenFiles,
  known: readonly BarSeries[],
  clock: GivenClock,
  mask: MaskTerms,
): GivenFiles {
  const move = stampMover(clock, maskView(mask));
  const maskText = textMasker(mask);
  const find = finderOf(known, mask);
  const files = new Vfs();
  const taken = new Set<string>();
  const faults: Fault[] = [];
  const masked = ({ path, content }: { readonly path: string; readonly content: string }) => {
    for (const leak of find(path)) faults.push({ where: path, message: `its name has ${leak}` });
    for (const [index, line] of content.split('\n').entries())
      for (const leak of find(line)) faults.push({ where: `${path}:${index + 1}`, message: `has ${leak}` });
    const name = maskText(path);
    if (taken.has(name)) faults.push({ where: path, message: `becomes ${name}, which already exists` });
    taken.add(name);
    return { path: name, content: maskText(content) };
  };
  for (const file of given.files.list()) {
    const { path, content } = masked(file);
    files.write(path, content, 'overwrite');
  }
  const dated = given.dated.map((file) => ({ ...masked(file), known: move(file.known) }));
  if (faults.length === 0) return { files, dated };
  throw faultsError(
    'mask_leaks',
    'These files would reveal what the mask hides',
    fewerFaults(faults),
    'Write symbols as in the data and dates as 2020-03-31; the mask rewrites these. Remove other dates, years and prices, or remove --vfs or --mask.',
  );
}

/**
 * Returns at most `MOST_FAULTS` faults. If there are more, one additional fault states the number of omitted
 * faults.
 */
export function fewerFaults(faults: readonly Fault[]): readonly Fault[] {
  const more = faults.length - MOST_FAULTS;
  if (more <= 0) return faults;
  return [...faults.slice(0, MOST_FAULTS), { where: 'the rest', message: `${more} more of the kind` }];
}

/**
 * Returns a function that lists the names, dates, prices and volumes in a line that the mask should hide but
 * cannot replace. Names and ISO dates that the mask replaces are not listed.
 */
export function finderOf(known: readonly BarSeries[], mask: MaskTerms): (line: string) => string[] {
  const hides = (kind: MaskTerms['kinds'][number]): boolean => mask.kinds.includes(kind);
  const rewritten = [...hiddenNames(mask).keys()].sort((one, other) => other.length - one.length);
  const sure = anyOf(rewritten, '[\\p{L}\\p{N}_]', 'gu');
  const names = hides('symbols')
    ? [
        ...new Set([
          ...known.flatMap(({ symbol }) => [symbol, tickerOf(symbol)]),
          ...otherNames(mask).map(([, other]) => other),
        ]),
      ]
    : [];
  const others = [
    anyOf(
      names.filter((name) => name.length > 2),
      '[\\p{L}\\p{N}]',
      'giu',
    ),
    // Names of one or two letters must match in the same case. Otherwise every word "it" would match a symbol
    // IT.
    anyOf(
      names.filter((name) => name.length <= 2),
      '[\\p{L}\\p{N}_]',
      'gu',
    ),
  ];
  const isDate = hides('dates') ? dateTest(known) : () => false;
  const isPrice = hides('prices') ? priceTest(known) : () => false;
  return (given) => {
    // Converts letters and digits in wide or mathematical forms to plain characters.
    const line = given.normalize('NFKC');
    const rest = (mask.calendar === undefined ? line : line.replaceAll(DATE, REWRITTEN)).replaceAll(
      sure,
      REWRITTEN,
    );
    const leaks = others.flatMap((pattern) =>
      [...rest.matchAll(pattern)].map(([name]) => `the symbol ${name}`),
    );
    if (hides('dates'))
      for (const pattern of OTHER_DATES)
        for (const [date] of rest.matchAll(pattern)) if (!NO_DATE.test(date)) leaks.push(`the date ${date}`);
    for (const [text] of rest.matchAll(NUMBER)) {
      const value = Number(text.replaceAll(/[,_]/g, ''));
      if (isDate(value)) leaks.push(`${text}, a year or a date of the data`);
      else if (isPrice(value)) leaks.push(`${text}, a price or volume of the data`);
    }
    return leaks;
  };
}

/**
 * Returns the first word of a symbol that was derived from a file name: `SPX` for `SPX-DAILY`. Returns the
 * whole symbol if the first word has fewer than three characters.
 */
function tickerOf(symbol: string): string {
  const [first = ''] = symbol.split(/[^\p{L}\p{N}]/u);
  return first.length > 2 ? first : symbol;
}

/**
 * Returns a pattern that matches any of the words, unless a character of the class `sign` is adjacent. The
 * pattern of an empty list of words matches nothing.
 */
function anyOf(words: readonly string[], sign: string, flags: string): RegExp {
  return new RegExp(
    words.length === 0 ? '(?!)' : `(?<!${sign})(?:${words.map(escaped).join('|')})(?!${sign})`,
    flags,
  );
}

/**
 * Returns a function that tests if a number identifies a time of the data: a year, a day such as 20200331, or
 * a Unix time.
 */
function dateTest(known: readonly BarSeries[]): (value: number) => boolean {
  const first = Math.min(...known.map(({ time }) => time[0] ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...known.map(({ time }) => time.at(-1) ?? Number.NEGATIVE_INFINITY)) + DAY;
  const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();
  const [from, to] = [yearOf(first), yearOf(last)];
  return (value) => {
    if (!Number.isInteger(value)) return false;
    if (value >= from && value <= to) return true;
    const [day, month] = [value % 100, Math.floor(value / 100) % 100];
    const year = Math.floor(value / 10_000);
    if (year >= from && year <= to && month >= 1 && month <= 12 && day >= 1 && day <= 31) return true;
    // A Unix time may be in seconds, milliseconds, microseconds or nanoseconds.
    return [1e3, 1, 1e-3, 1e-6].some((unit) => value * unit >= Math.max(first, DAY) && value * unit <= last);
  };
}

/**
 * Returns a function that tests if a number is a value of the data. Considers only numbers with so many
 * digits that a coincidence is unlikely.
 */
export function priceTest(known: readonly BarSeries[]): (value: number) => boolean {
  const values = new Set<number>();
  for (const series of known) {
    const columns = [...PRICE_COLUMNS.map((name) => series[name]), ...Object.values(series.extra ?? {})];
    for (const column of columns) for (const value of column) values.add(value);
  }
  return (value) => {
    const digits = String(value).replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
    return digits >= (Number.isInteger(value) ? 5 : 4) && values.has(value);
  };
}

/**
 * Pattern of a template variable such as `{{date}}`. At each decision, a variable is replaced by a masked
 * value. For the check of the text, it is replaced by `FILLED`, a character that is not part of a word or
 * number.
 */
const VARIABLE = /\{\{[^{}]*\}\}/g;
const FILLED = '\u0000';

/** Texts of a prompt's strategy file that the model receives. */
interface PromptText {
  /** Text of the prompt, with each line at its position in the file. */
  readonly inFile: string;
  /** Line of the file at which the prompt begins, from 1. */
  readonly promptLine: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Other texts that the model receives. `where` is the location for error messages. */
  readonly others?: readonly { readonly where: string; readonly text: string }[];
}

/**
 * Checks a strategy's prompts and the parameters that they show, by the same rules as an agent's initial
 * files.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every line and parameter that reveals a hidden name, date or price
 */
export function checkMaskedPrompts(
  file: string,
  prompts: readonly PromptText[],
  known: readonly BarSeries[],
  mask: MaskTerms,
): void {
  const find = finderOf(known, mask);
  const found = prompts.flatMap((prompt) => leaksOf(file, prompt, find));
  // Several prompts can share a text. Faults in a shared text are reported only once.
  const faults = [...new Map(found.map((fault) => [`${fault.where} ${fault.message}`, fault])).values()];
  if (faults.length === 0) return;
  throw faultsError(
    'mask_leaks',
    `${file} would reveal to the model what the mask hides`,
    faults,
    'Write {{symbol}} or symbols as in the data, and dates as 2020-03-31; the mask rewrites these. Remove other dates, years and prices, or remove --mask.',
  );
}

function leaksOf(
  file: string,
  { inFile, promptLine, parameters, others = [] }: PromptText,
  find: (text: string) => Iterable<string>,
): Fault[] {
  const faults: Fault[] = [];
  for (const [index, line] of inFile.split('\n').entries()) {
    for (const leak of find(line.replaceAll(VARIABLE, FILLED)))
      faults.push({ where: `${file}:${promptLine + index}`, message: `the prompt has ${leak}` });
  }
  for (const { where, text } of others)
    for (const leak of find(text.replaceAll(VARIABLE, FILLED)))
      faults.push({ where, message: `has ${leak}` });
  const shown = new Set([...inFile.matchAll(VARIABLE)].map(([text]) => text.slice(2, -2).trim()));
  for (const [name, value] of Object.entries(parameters)) {
    if (!shown.has(`parameters.${name}`)) continue;
    for (const leak of find(String(value)))
      faults.push({ where: `${file}, parameter ${name}`, message: `has ${leak}` });
  }
  return faults;
}
