import { createHash, hash } from 'node:crypto';
import { linePieces } from './lines.ts';

/**
 * Maximum number of bars that one hash of the chain covers. With many bars per hash, a run with few events
 * other than `bar` needs few hashes.
 */
const MOST_BARS = 256;
/**
 * Value of `type` in a journal line that contains a hash of the lines before it. Such a line is a link of the
 * hash chain, and not an event of the run.
 */
export const LINK_TYPE = 'link';
const LINK = '{"type":"link","bar":';
const LINK_LINE = /^\{"type":"link","bar":(\d+),"sha256":"([0-9a-f]{64})"\}$/;

/** True if a line of a journal is a link of its hash chain. False if the line is an event. */
export function isLink(line: string): boolean {
  return line.startsWith(LINK);
}

/**
 * Hash chain over the lines of a journal.
 *
 * Lines are grouped by bars. A group ends with the first bar that has an event other than `bar`, or with its
 * 256th bar. After each group, the journal has a link line with a SHA-256. The hash covers the previous
 * link's hash (in hexadecimal digits) and the lines of the group, each with its newline. A changed, added or
 * removed line therefore changes all later hashes.
 */
export class Chain {
  #hash = '';
  #text = '';
  #bars = 0;
  #hasEvent = false;

  /** Returns an independent copy, whose later lines do not affect this chain. */
  copy(): Chain {
    const copy = new Chain();
    copy.#hash = this.#hash;
    copy.#text = this.#text;
    copy.#bars = this.#bars;
    copy.#hasEvent = this.#hasEvent;
    return copy;
  }

  /**
   * SHA-256 over the last link's hash and all lines after that link. The last link's hash covers all earlier
   * lines, so the head identifies the whole journal.
   */
  get head(): string {
    return hash('sha256', this.#hash + this.#text);
  }

  /**
   * Adds the next line that is not a link.
   *
   * @param line without its newline
   * @returns the link line to write next, without its newline; `undefined` if the line does not end a group
   */
  take(line: string): string | undefined {
    this.#text += `${line}\n`;
    if (!line.startsWith('{"type":"bar",')) {
      this.#hasEvent = true;
      return undefined;
    }
    this.#bars += 1;
    if (!this.#hasEvent && this.#bars < MOST_BARS) return undefined;
    this.#hash = this.head;
    this.#text = '';
    this.#bars = 0;
    this.#hasEvent = false;
    return `${LINK}${barOf(line)},"sha256":"${this.#hash}"}`;
  }
}

function barOf(line: string): string {
  return /"bar":(\d+)/.exec(line)?.[1] ?? '0';
}

/** Result of checking the hash chain of a journal. */
export interface ChainCheck {
  /** Number of links whose hash is correct. */
  readonly links: number;
  /**
   * Head of the hash chain (see `Chain.head`), for comparison with the head that the manifest states.
   * `undefined` if the journal has no links.
   */
  readonly head: string | undefined;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /**
   * `lines` is the number of all lines. `unlinked` is the number of lines after the last link, which the hash
   * chain does not cover.
   */
  readonly lines: number;
  readonly unlinked: number;
  /**
   * Lines of the first group whose link is missing or has a wrong hash. Line numbers start at 1. `undefined`
   * if the chain is intact.
   */
  readonly broken:
    | { readonly firstLine: number; readonly lastLine: number; readonly problem: string }
    | undefined;
}

/**
 * Checks the hash chain of a journal.
 *
 * @throws AppError `journal_unreadable`
 */
export function checkChain(file: string): ChainCheck {
  const chain = new Chain();
  const whole = createHash('sha256');
  let [lines, links, firstLine] = [0, 0, 1];
  let due: string | undefined;
  let broken: ChainCheck['broken'];
  const breakAt = (problem: string): void => {
    broken ??= { firstLine, lastLine: lines, problem };
  };
  for (const { text, isCut } of linePieces(file)) {
    whole.update(isCut ? text : `${text}\n`);
    for (const line of text.split('\n')) {
      lines += 1;
      if (isCut || broken !== undefined) continue;
      if (due !== undefined || isLink(line)) {
        // A missing link is a fault only after the first link, because journals of early versions have no
        // links.
        if (line !== due && (links > 0 || isLink(line)))
          breakAt(
            due === undefined
              ? 'contain a link where none belongs'
              : LINK_LINE.test(line)
                ? 'do not have the hash of their link'
                : 'are not followed by their link',
          );
        if (line === due) links += 1;
        if (isLink(line)) {
          due = undefined;
          firstLine = lines + 1;
          continue;
        }
        due = undefined;
      }
      due = chain.take(line);
    }
  }
  return {
    links,
    head: links === 0 ? undefined : chain.head,
    sha256: whole.digest('hex'),
    lines,
    unlinked: lines - firstLine + 1,
    broken,
  };
}
