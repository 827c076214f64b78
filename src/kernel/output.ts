/**
 * The only module that writes to a terminal.
 *
 * Names and texts come from files, models and damaged folders. Control characters in them could change the
 * title of the terminal, hide or rewrite lines, or reverse the order of letters. All printed text passes
 * through this module, which shows such characters as escape codes.
 */
import { randomBytes } from 'node:crypto';

/** Standard output, standard error or a substitute. */
export interface TextOutput {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

// Characters that a terminal interprets: control characters except tab and newline, marks that change the
// text direction, line separators other than newline, and invisible annotations and tags.
const OBEYED =
  /(?![\t\n])\p{Control}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|[\u{e0001}\u{e0020}-\u{e007f}]/gu;

const ESCAPE = '\u001b';

// In the program's own texts, colours are marked with a random key that no file can contain. `writeText`
// replaces the marks. The key is generated on first use because a sealed strategy also imports this module
// and has no `node:crypto`.
let drawnKey: string | undefined;
function key(): string {
  drawnKey ??= randomBytes(12).toString('hex');
  return drawnKey;
}

/** ANSI colours that the console of Node uses when it prints values to a terminal. */
const STRATEGY_COLOURS = new RegExp(`(${ESCAPE}\\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m)`);

/** Streams of the process as they were before `guardOutput`. */
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
