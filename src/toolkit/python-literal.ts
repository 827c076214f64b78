import type { Json } from '../engine/index.ts';

/** Python function call with keyword arguments, such as `market_history(bars=5)`. */
export interface PythonCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

const CONSTANTS: Readonly<Record<string, Json>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' };
/** Maximum nesting depth. Protects the stack from hostile texts. No tool needs this depth. */
const DEEPEST = 64;

/**
 * Parses one value in Python's `repr` format: a dict, list, tuple, string, number or constant. `undefined`
 * for other texts.
 */
export function pythonLiteral(text: string): Json | undefined {
  return readWhole(text, (reader) => reader.value());
}

/** Parses calls such as `[f(a=1), g(b='x')]`, or a single call. `undefined` for other texts. */
export function pythonCalls(text: string): PythonCall[] | undefined {
  return readWhole(text, (reader) => reader.calls());
}

function readWhole<Value>(text: string, read: (reader: Reader) => Value): Value | undefined {
  const reader = new Reader(text);
  try {
    const value = read(reader);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

class NotPython extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#token(/\s*$/y) !== undefined;
  }

  value(): Json {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new NotPython();
    const value = this.#read();
    this.#depth -= 1;
    return value;
  }

  calls(): PythonCall[] {
    if (!this.#take('[')) return [this.#call()];
    return this.#listed(']', () => this.#call());
  }

  #read(): Json {
    if (this.#take('{')) return Object.fromEntries(this.#listed('}', () => this.#entry()));
    if (this.#take('[')) return this.#listed(']', () => this.value());
    if (this.#take('(')) return this.#listed(')', () => this.value());
    const number = this.#token(/\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y);
    if (number !== undefined) return Number(number.replaceAll('_', ''));
    const word = this.#token(/\s*([A-Za-z]+)\b(?!['"])/y);
    const constant = word === undefined ? undefined : CONSTANTS[word];
    if (constant !== undefined) return constant;
    if (word !== undefined) throw new NotPython();
    return this.#string();
  }

  #entry(): readonly [string, Json] {
    const key = this.#string();
    this.#need(':');
    return [key, this.value()];
  }

  #call(): PythonCall {
    const name = this.#token(/\s*([A-Za-z_][\w.]*)\s*\(/y);
    if (name === undefined) throw new NotPython();
    const given = this.#listed(')', (): readonly [string, Json] => {
      const key = this.#token(/\s*([A-Za-z_]\w*)\s*=(?!=)/y);
      if (key === undefined) throw new NotPython();
      return [key, this.value()];
    });
    return { name, arguments: Object.fromEntries(given) };
  }

  #listed<Item>(end: string, read: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#take(end)) {
      if (items.length > 0) {
        this.#need(',');
        if (this.#take(end)) break;
      }
      items.push(read());
    }
    return items;
  }

  #string(): string {
    const quote = this.#token(/\s*(?:[rbuf]?)('''|"""|'|")/y);
    if (quote === undefined) throw new NotPython();
    let text = '';
    while (!this.#text.startsWith(quote, this.#at)) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new NotPython();
      this.#at += 1;
      text += character === '\\' ? this.#escape() : character;
    }
    this.#at += quote.length;
    return text;
  }

  #escape(): string {
    const code = this.#token(/(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/y);
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const character = this.#text[this.#at] ?? '';
    this.#at += 1;
    return ESCAPES[character] ?? character;
  }

  #need(mark: string): void {
    if (!this.#take(mark)) throw new NotPython();
  }

  #take(mark: string): boolean {
    const after = /\s*/y;
    after.lastIndex = this.#at;
    after.test(this.#text);
    if (!this.#text.startsWith(mark, after.lastIndex)) return false;
    this.#at = after.lastIndex + mark.length;
    return true;
  }

  /**
   * Matches a sticky pattern at the current position. Returns its first group, or the whole match if the
   * pattern has no group. `undefined` if the pattern does not match.
   */
  #token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match[1] ?? match[0];
  }
}
