const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
/** Maximum length of a stored member name and id, in bytes. */
const KEPT = 256;

/**
 * Finds the `id` of a JSON-RPC request in its bytes without buffering the request. The id may come before or
 * after hundreds of megabytes of arguments. Scanning continues after invalid JSON, based on quotes and
 * brackets.
 */
export class RequestIdScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /**
   * Bytes of the name or value of the current top-level member. `undefined` once they are longer than any id.
   */
  #text: number[] | undefined = [];
  #isId = false;
  #id: string | number | undefined;

  /** Id of the request, once its member has been read. */
  get id(): string | number | undefined {
    return this.#id;
  }

  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#inString) this.#readString(byte);
      else this.#readStructure(byte);
    }
  }

  #readString(byte: number): void {
    if (this.#depth === 1) this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #readStructure(byte: number): void {
    if (byte === QUOTE) this.#inString = true;
    if (OPENING.has(byte)) {
      if (this.#depth === 1) this.#text = undefined;
      this.#depth += 1;
    } else if (CLOSING.has(byte)) {
      if (this.#depth === 1) this.#endMember();
      this.#depth = Math.max(this.#depth - 1, 0);
    } else if (this.#depth !== 1) {
      return;
    } else if (byte === COLON && !this.#isId) {
      this.#isId = this.#value() === 'id';
      this.#text = [];
    } else if (byte === COMMA) this.#endMember();
    else this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#text === undefined) return;
    if (this.#text.length < KEPT) this.#text.push(byte);
    else this.#text = undefined;
  }

  #endMember(): void {
    const value = this.#isId ? this.#value() : undefined;
    if (typeof value === 'string' || Number.isSafeInteger(value)) this.#id = value as string | number;
    this.#isId = false;
    this.#text = [];
  }

  #value(): unknown {
    if (this.#text === undefined) return undefined;
    try {
      return JSON.parse(Buffer.from(this.#text).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}
