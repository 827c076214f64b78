import { decimal } from './decimal.ts';
import { colourMark } from './output.ts';

/** How a terminal shows text. */
export interface TextStyle {
  /** Columns. */
  readonly width: number;
  /** ANSI colours; false where NO_COLOR is set or the output is no terminal. */
  readonly colour: boolean;
  /** Only ASCII characters. */
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

/** For `writeText`, which knows our colours from those of a file. */
export function paint(text: string, kind: Paint | undefined, style: TextStyle): string {
  if (!style.colour || kind === undefined || text === '') return text;
  const [on, off] = ANSI[kind];
  return colourMark(on) + text + colourMark(off);
}

/** Text that may come from a file or a model, on one line, with nothing in it that a terminal would obey. */
export function printable(text: string, style: TextStyle): string {
  const clean = text.replaceAll(/[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}]+/gu, ' ');
  return style.ascii ? asciiText(clean) : clean;
}

/** What typography is in ASCII. */
const ASCII: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '—': '-',
  '‑': '-',
  '·': '-',
  '→': '->',
  // Of pictures in text.
  '─': '-',
  '│': '|',
  '●': 'o',
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
};

/** Lines in ASCII alone, for a terminal that has no more: signs as their nearest, a question mark for other letters. */
export function asciiText(text: string): string {
  return text.replaceAll(/[^\n -~]/gu, (character) => ASCII[character] ?? '?');
}

// East Asian wide characters and emoji take two columns, combining marks none.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** Columns that uncoloured text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += /\p{Mark}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Shortens text to a number of columns: at its end, or in the middle for paths, whose two ends tell the most. */
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

/** Breaks text at spaces into lines of at most so many columns; a longer word is shortened. */
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

/** Sentences, each beginning on a line of its own and with its own indent; no wider than is easy to read. */
export function paragraph(sentences: readonly string[], style: TextStyle): string {
  const width = Math.min(style.width, WIDEST_PROSE);
  return sentences
    .flatMap((text) => {
      const indent = /^ */.exec(text)![0];
      return wrap(printable(text, style), width - indent.length, style).map((line) => indent + line);
    })
    .join('\n');
}

/** Longer lines are hard to read. */
const WIDEST_PROSE = 100;

/** `−56,263.52`, rounded half-even; never `−0.00`. */
export function grouped(value: number | string, places: number): string {
  const fixed = decimal(value).toFixed(places);
  const [whole = '0', fraction] = fixed.replace('-', '').split('.');
  const digits = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const sign = fixed.startsWith('-') && /[1-9]/.test(fixed) ? '−' : '';
  return `${sign}${digits}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `462.64%` of a fraction. */
export function percentage(fraction: number): string {
  return `${grouped(decimal(fraction).times(100).toString(), 2)}%`;
}
