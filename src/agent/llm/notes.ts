import type { BarContext } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';

/** Maximum number of characters of an earlier decision that a later decision is shown. */
const MOST = 500;

/** Conclusion of an earlier decision. */
export interface Note {
  readonly date: string;
  readonly text: string;
}

/** Stores the conclusions of the last decisions. */
export class Notes {
  readonly #most: number;
  readonly #notes: Note[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get all(): readonly Note[] {
    return this.#notes;
  }

  add({ time }: BarContext, text: string): void {
    if (this.#most === 0) return;
    this.#notes.push({ date: formatInstant(time), text: conclusionOf(text) });
    if (this.#notes.length > this.#most) this.#notes.shift();
  }
}

/** Matches a line that starts with a word such as "Conclusion", with any Markdown marks around the word. */
const CONCLUSION =
  /^[ \t]*(?:[#>*_-]+[ \t]*)*(?:final (?:answer|decision|summary)|conclusion|decision|summary|verdict|in (?:short|summary|conclusion)|to (?:sum up|conclude))\b[*_]*[ \t]*[:.,–—-]?[ \t]*[*_]*[ \t]*/gim;

/**
 * Returns the conclusion of a decision's text, in at most 500 characters.
 *
 * A short text is returned whole. A longer text is cut to the part after its last "Conclusion", "Decision" or
 * similar word, or else to its end. Cuts are made at paragraphs or sentences if possible.
 */
export function conclusionOf(text: string, most = MOST): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const mark = [...whole.matchAll(CONCLUSION)].at(-1);
  const said = mark === undefined ? '' : whole.slice(mark.index + mark[0].length).trim();
  if (said === '') return endOf(whole, most);
  return said.length <= most ? said : beginningOf(said, most);
}

function endOf(text: string, most: number): string {
  const end = text.slice(1 - most);
  for (const border of [/\n\s*\n\s*/, /[.!?]["')\]]*\s+|\n/, /\s+/]) {
    const found = border.exec(end);
    if (found !== null && found.index + found[0].length < end.length)
      return `…${end.slice(found.index + found[0].length)}`;
  }
  return `…${end}`;
}

function beginningOf(text: string, most: number): string {
  const beginning = text.slice(0, most - 1);
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(beginning);
  return sentence === null ? `${beginning}…` : sentence[0];
}
