import { randomBytes } from 'node:crypto';
import { decimal } from './exact.ts';

/**
 * The only module that writes to a terminal.
 *
 * Names and texts come from files, models and damaged folders. Control characters in them could change the
 * title of the terminal, hide or rewrite lines, or reverse the order of letters. All printed text passes
 * through this module, which shows such characters as escape codes.
 */

/** Standard output, standard error or a substitute. */
export interface TextOutput {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

// Characters that change the display of a terminal: control characters except tab and newline, marks that
// change the text direction, line separators other than newline, and invisible annotations and tags.
const OBEYED =
  /(?![\t\n])\p{Control}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|[\u{e0001}\u{e0020}-\u{e007f}]/gu;

const ESCAPE = '\u001b';

// Colours in texts of the program are marked with a random key, so that text from files cannot contain such
// marks. `writeText` replaces the marks by colour codes. The key is generated on first use because a
// sandboxed strategy also imports this module and has no `node:crypto`.
let drawnKey: string | undefined;
function key(): string {
  drawnKey ??= randomBytes(12).toString('hex');
  return drawnKey;
}

/** ANSI colours that the console of Node uses when it prints values to a terminal. */
const STRATEGY_COLOURS = new RegExp(`(${ESCAPE}\\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m)`);

/** Functions that write to a stream without escaping, by the stream that `guardOutput` changed. */
const unguarded = new WeakMap<TextOutput, TextOutput>();

/**
 * Replaces control characters with codes such as `\u001b`. The value of JSON text does not change: JSON
 * contains such characters only within strings, where these escape codes have the same meaning.
 */
export function escapeControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(OBEYED, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Returns a mark that turns an ANSI colour or weight on or off in a text for `writeText`. */
export function colourMark(code: number): string {
  return `${ESCAPE}[${key()}:${code}m`;
}

/**
 * Writes text with control characters escaped.
 *
 * @returns false if the reader is slow, as `stream.write` of Node does
 */
export function writeText(output: TextOutput, text: string): boolean {
  return raw(output).write(shown(text));
}

/** Writes data for another program unchanged. If the output is a terminal, control characters are escaped. */
export function writeData(output: TextOutput, text: string): boolean {
  return output.isTTY === true ? writeText(output, text) : raw(output).write(text);
}

/** Overwrites the current line of a terminal. */
export function redrawLine(output: TextOutput, text: string, columns?: number): void {
  raw(output).write(`\r\u001b[2K${escapeControls(text.replaceAll('\n', ' ')).slice(0, columns)}`);
}

/**
 * Escapes everything that is written to a stream, including what a strategy prints. Colours are preserved
 * because a console prints values in colour.
 */
export function guardOutput(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  unguarded.set(stream, { write: (text) => write(text) });
  const bytes = new TextDecoder();
  const guarded = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const isText = typeof chunk === 'string' && !isBinary(rest[0]);
    const text = isText ? chunk : bytes.decode(bytesOf(chunk, rest[0]), { stream: true });
    const done = rest.find((one) => typeof one === 'function') as
      | ((error?: Error | null) => void)
      | undefined;
    const parts = text.split(STRATEGY_COLOURS);
    return write(parts.map((part, index) => (index % 2 === 1 ? part : escapeControls(part))).join(''), done);
  };
  stream.write = guarded;
}

function isBinary(encoding: unknown): encoding is BufferEncoding {
  return typeof encoding === 'string' && !/^utf-?8$/i.test(encoding);
}

function bytesOf(chunk: string | Uint8Array, encoding: unknown): Uint8Array {
  if (typeof chunk !== 'string') return chunk;
  return Buffer.from(chunk, isBinary(encoding) ? encoding : 'utf8');
}

function raw(output: TextOutput): TextOutput {
  return unguarded.get(output) ?? output;
}

function shown(text: string): string {
  if (drawnKey === undefined) return escapeControls(text);
  const parts = text.split(new RegExp(`${ESCAPE}\\[${drawnKey}:(\\d+)m`));
  return parts.map((part, index) => (index % 2 === 1 ? `\u001b[${part}m` : escapeControls(part))).join('');
}

/** Width, colours and character set of a terminal. */
export interface TextStyle {
  /** Width in columns. */
  readonly width: number;
  /** True for ANSI colours. False if NO_COLOR is set or the output is not a terminal. */
  readonly colour: boolean;
  /** True if only ASCII characters may be printed. */
  readonly ascii: boolean;
}

const ANSI = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = keyof typeof ANSI;

/**
 * Marks text with a colour or weight. Print the result with `writeText`, which distinguishes these marks from
 * colour codes in files.
 */
export function paint(text: string, kind: Paint | undefined, style: TextStyle): string {
  if (!style.colour || kind === undefined || text === '') return text;
  const [on, off] = ANSI[kind];
  return colourMark(on) + text + colourMark(off);
}

/** Returns text of a file or model on one line, without control characters. */
export function printable(text: string, style: TextStyle): string {
  const clean = text.replaceAll(/[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}]+/gu, ' ');
  return style.ascii ? asciiText(clean) : clean;
}

/** ASCII replacements of typographic characters. */
const ASCII: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '—': '-',
  '‑': '-',
  '·': '-',
  '→': '->',
  '…': '...',
  '×': 'x',
  '±': '+/-',
  '≤': '<=',
  '≥': '>=',
  '†': '*',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  // Characters of text charts.
  '─': '-',
  '│': '|',
  '●': 'o',
};

/**
 * Converts text to ASCII for terminals that support nothing else. Letters without a replacement become
 * question marks.
 */
export function asciiText(text: string): string {
  return text.replaceAll(/[^\n -~]/gu, (character) => ASCII[character] ?? '?');
}

// East Asian wide characters and emoji are two columns wide, combining marks zero.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** Returns the width of uncoloured text in columns. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += /\p{Mark}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/**
 * Shortens text to a number of columns. `middle` suits paths, because their start and end are the most
 * informative parts.
 */
export function shorten(
  text: string,
  columns: number,
  style: TextStyle,
  cut: 'end' | 'middle' = 'end',
): string {
  if (columnsOf(text) <= columns) return text;
  const mark = (style.ascii ? '...' : '…').slice(0, Math.max(columns, 0));
  const room = Math.max(columns - mark.length, 0);
  const head = cut === 'end' ? room : Math.floor(room / 3);
  return (
    firstColumns([...text], head) +
    mark +
    [...firstColumns([...text].reverse(), room - head)].reverse().join('')
  );
}

function firstColumns(characters: readonly string[], columns: number): string {
  let taken = '';
  let used = 0;
  for (const character of characters) {
    used += columnsOf(character);
    if (used > columns) break;
    taken += character;
  }
  return taken;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - columnsOf(text), 0));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(columns - columnsOf(text), 0)) + text;
}

/** Breaks text at spaces into lines of at most `columns` columns. A longer word is shortened. */
export function wrap(text: string, columns: number, style: TextStyle): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = shorten(word, columns, style);
  }
  return line === '' ? lines : [...lines, line];
}

/**
 * Formats sentences, each on a new line with its own indent. Lines are at most `WIDEST_PROSE` columns wide.
 */
export function paragraph(sentences: readonly string[], style: TextStyle): string {
  const width = Math.min(style.width, WIDEST_PROSE);
  return sentences
    .flatMap((text) => {
      const indent = /^ */.exec(text)![0];
      return wrap(printable(text, style), width - indent.length, style).map((line) => indent + line);
    })
    .join('\n');
}

/** Maximum width of a paragraph in columns. Longer lines are hard to read. */
const WIDEST_PROSE = 100;

/** Formats a number as `−56,263.52`, rounded half-even. Never returns `−0.00`. */
export function grouped(value: number | string, places: number): string {
  const fixed = decimal(value).toFixed(places);
  const [whole = '0', fraction] = fixed.replace('-', '').split('.');
  const digits = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const sign = fixed.startsWith('-') && /[1-9]/.test(fixed) ? '−' : '';
  return `${sign}${digits}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Formats a fraction as a percentage, for example `462.64%`. */
export function percentage(fraction: number): string {
  return `${grouped(decimal(fraction).times(100).toString(), 2)}%`;
}

const GAP = 2;
/** Matches a formatted number or an interval of two numbers. Matching cells are aligned to the right. */
const FIGURE = /^(?:[<+−-]?[\d,]+(?:\.\d+)?(?:%| pp)?|\[.*\]|–)$/;
/** Maximum width of a table cell in columns. Wide enough for the name of a run. */
const WIDEST_CELL = 64;

/**
 * Formats rows as a table for a terminal. Numbers are aligned to the right. Long cells, and lines wider than
 * the terminal, are shortened.
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
  style: TextStyle,
): string {
  const texts = rows.map((row) =>
    row.map((value) => shorten(printable(String(value ?? '–'), style), WIDEST_CELL, style)),
  );
  const names = head.map((name) => shorten(printable(name, style), WIDEST_CELL, style));
  const widths = names.map((name, column) =>
    texts.reduce((widest, row) => Math.max(widest, columnsOf(row[column] ?? '')), columnsOf(name)),
  );
  const numeric = names.map((_, column) =>
    rows.every((row) => {
      const value = row[column] ?? null;
      return value === null || typeof value === 'number' || FIGURE.test(String(value));
    }),
  );
  const line = (cells: readonly string[]): string =>
    shorten(
      cells
        .map((cell, column) => (numeric[column] === true ? padStart : padEnd)(cell, widths[column]!))
        .join(' '.repeat(GAP))
        .trimEnd(),
      style.width,
      style,
    );
  return [paint(line(names), 'bold', style), ...texts.map(line)].join('\n');
}

/** Formats rows as a table for a terminal, with the number of rows below it. */
export function countedTable(...[head, rows, style]: Parameters<typeof textTable>): string {
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return `${textTable(head, rows, style)}\n${paint(count, 'dim', style)}`;
}
