import { StringDecoder } from 'node:string_decoder';

/**
 * Collects text that arrives in pieces, up to a number of UTF-16 units. Further text is counted and dropped.
 */
export class CappedText {
  readonly #decoder = new StringDecoder('utf8');
  readonly #limit: number;
  #kept = '';
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Buffer): void {
    this.#take(this.#decoder.write(bytes));
  }

  /** Returns the collected text. A last line states how much was dropped. */
  end(): string {
    this.#take(this.#decoder.end());
    if (this.#dropped === 0) return this.#kept;
    // Avoids cutting a surrogate pair in half.
    const kept = this.#kept.replace(/[\ud800-\udbff]$/, '');
    return `${kept}\n… (cut here: ${this.#dropped.toLocaleString('en-US')} more characters)\n`;
  }

  #take(text: string): void {
    const room = this.#limit - this.#kept.length;
    this.#kept += room >= text.length ? text : text.slice(0, Math.max(room, 0));
    this.#dropped += Math.max(text.length - Math.max(room, 0), 0);
  }
}
