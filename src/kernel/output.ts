/**
 * The one way to a terminal. Names and texts come from files, models and damaged folders, and a terminal obeys what it
 * finds in them: it changes its title, hides or rewrites lines, turns the order of letters round. So everything that is
 * printed comes through here, and what a terminal would obey is shown as its code instead.
 */
import { randomBytes } from 'node:crypto';

/** Standard output or error, or what stands for one. */
export interface TextOutput {
  readonly isTTY?: boolean;
  write(text: string): boolean;
}

// Controls but tab and newline; marks that turn or end the order of letters; separators of lines that are no newline;
// annotations and tags, which nobody sees.
const OBEYED =
  /(?![\t\n])\p{Control}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|[\u{e0001}\u{e0020}-\u{e007f}]/gu;

const ESCAPE = '\u001b';

// In our own texts colours are marked with what no file can know, until they are written.
// Drawn when it is first needed: a sealed strategy imports this layer too, where there is no `node:crypto`.
let drawnKey: string | undefined;
function key(): string {
  drawnKey ??= randomBytes(12).toString('hex');
  return drawnKey;
}

/** What a console of Node puts round values on a terminal. */
const STRATEGY_COLOURS = new RegExp(`(${ESCAPE}\\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m)`);

/** Our own streams as they were before `guardOutput`. */
const unguarded = new WeakMap<TextOutput, TextOutput>();

/**
 * Shows what a terminal would obey as `\u001b` and the like. JSON stays the same document: there such characters stand
 * only within strings, where this is how they are written.
 */
export function escapeControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(OBEYED, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Turns a colour or weight of ANSI on or off in a text that is written by `writeText`. */
export function colourMark(code: number): string {
  return `${ESCAPE}[${key()}:${code}m`;
}

/** @returns false where the other side is slow to take it */
export function writeText(output: TextOutput, text: string): boolean {
  return raw(output).write(shown(text));
}

/** Data for another program, byte for byte; a terminal gets them as all other text. */
export function writeData(output: TextOutput, text: string): boolean {
  return output.isTTY === true ? writeText(output, text) : raw(output).write(text);
}

/** Writes over the line that the cursor of a terminal is in. */
export function redrawLine(output: TextOutput, text: string, columns?: number): void {
  raw(output).write(`\r\u001b[2K${escapeControls(text.replaceAll('\n', ' ')).slice(0, columns)}`);
}

/**
 * Has everything that anybody writes into a stream come this way, such as what a strategy prints. Colours stay, since a
 * console shows values in them.
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
