import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, createRandom, fileProblem } from '../../kernel/index.ts';
import { addInterval, type BarNumbers, type Interval, type Market } from '../index.ts';

/**
 * One item that a feed yields: a document (received JSON value or table row), a problem, a change of the
 * connection, or `idle`.
 */
export type FeedInput =
  | { readonly kind: 'document'; readonly document: unknown; readonly serverTime?: number | undefined }
  /** Description of received content that is not a document. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'connection'; readonly state: 'lost' | 'restored'; readonly problem?: string }
  /** Everything that is available at this moment has been received. */
  | { readonly kind: 'idle' };

/** Properties of a forward run (a run on bars that arrive while it is running) that its feed needs. */
export interface FeedTerms {
  readonly market: Market;
  readonly interval: Interval;
  /**
   * If true, the feed ends when its source has no more content. Otherwise the feed waits for more content.
   */
  readonly ends: boolean;
  readonly signal: AbortSignal;
}

/** Source of new bars. All feeds implement this interface. */
export interface FeedSource {
  (terms: FeedTerms): AsyncIterable<FeedInput>;
  /**
   * Checks the source before a run is started.
   *
   * @throws AppError `feed_unreadable` if the source cannot be read
   */
  readonly check?: () => void;
}

/** Milliseconds between two checks of a file for new content. */
const LOOK_MS = 200;
const PIECE = 1 << 16;

/** Reads a file or the files of a folder. The files may grow, and further files may appear. */
export function fileFeed(path: string): FeedSource {
  async function* read({ ends, signal }: FeedTerms): AsyncGenerator<FeedInput> {
    const tails = new Map<string, Tail>();
    while (!signal.aborted) {
      for (const file of filesOf(path)) {
        let tail = tails.get(file);
        if (tail === undefined) {
          tail = new Tail(file);
          tails.set(file, tail);
        }
        for (const line of tail.lines(ends)) yield readLine(line, tail);
      }
      yield { kind: 'idle' };
      if (ends) return;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return Object.assign(read, { check: () => void filesOf(path) });
}

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((name) => /\.(csv|jsonl|ndjson)$/i.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    throw new AppError({
      code: 'feed_unreadable',
      message: `Cannot read the feed ${path}: ${fileProblem(cause)}.`,
      hint: 'Create the file or the folder before the run starts.',
      cause,
    });
  }
}

/** Column names from the header line of a text. `undefined` before the header line has been read. */
interface Header {
  columns?: readonly string[] | undefined;
}

/** Reads the lines that are appended to a growing file. */
class Tail implements Header {
  readonly #file: string;
  columns?: readonly string[] | undefined;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Yields the complete lines that were appended to the file since the last call. The first call yields all
   * complete lines.
   *
   * @param whole if true, a last line without a line end is yielded too
   */
  *lines(whole: boolean): Generator<string> {
    const descriptor = openSync(this.#file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size < this.#offset) [this.#offset, this.#rest] = [0, Buffer.alloc(0)];
      const piece = Buffer.alloc(PIECE);
      for (;;) {
        const bytes = readSync(descriptor, piece, 0, PIECE, this.#offset);
        if (bytes === 0) break;
        this.#offset += bytes;
        this.#rest = Buffer.concat([this.#rest, piece.subarray(0, bytes)]);
        for (let end = this.#rest.indexOf(10); end >= 0; end = this.#rest.indexOf(10)) {
          const line = this.#rest.subarray(0, end).toString('utf8');
          this.#rest = this.#rest.subarray(end + 1);
          yield line;
        }
      }
      if (whole && this.#rest.length > 0) {
        const line = this.#rest.toString('utf8');
        this.#rest = Buffer.alloc(0);
        yield line;
      }
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Reads lines of standard input. When a run is resumed, the lines that it already read are not available. */
export const stdinFeed: FeedSource = async function* read({ signal }) {
  const header: Header = {};
  const lines = createInterface({ input: process.stdin });
  const close = (): void => lines.close();
  signal.addEventListener('abort', close, { once: true });
  yield { kind: 'idle' };
  for await (const line of lines) yield readLine(line, header);
};

const NAMES: Readonly<Record<string, string>> = {
  date: 'time',
  timestamp: 'time',
  datetime: 'time',
  ticker: 'symbol',
};

/**
 * Parses a line: a JSON document, or a comma-separated row. The first row is the header with the column
 * names.
 */
function readLine(text: string, header: Header): FeedInput {
  const line = text.trim();
  if (line === '') return { kind: 'document', document: [] };
  if (line.startsWith('{') || line.startsWith('[')) {
    try {
      return { kind: 'document', document: JSON.parse(line) as unknown };
    } catch {
      return { kind: 'problem', problem: `not JSON: ${line.slice(0, 80)}` };
    }
  }
  const cells = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  if (header.columns === undefined || isHeader(cells)) {
    header.columns = cells.map((cell) => NAMES[cell.toLowerCase()] ?? cell.toLowerCase());
    return { kind: 'document', document: [] };
  }
  const { columns } = header;
  if (cells.length !== columns.length)
    return {
      kind: 'problem',
      problem: `${cells.length} cells instead of ${columns.length}: ${line.slice(0, 80)}`,
    };
  return { kind: 'document', document: Object.fromEntries(columns.map((name, at) => [name, cells[at]])) };
}

function isHeader(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.toLowerCase() === 'close');
}

/** Standard deviation of a simulated bar's log return from open to close. */
const STEP = 0.01;
const DAY_MS = 86_400_000;

/**
 * Simulates new bars as a random walk that continues the market's history. Each bar depends only on the seed,
 * the symbol, the time and the previous close.
 */
export function simulatedFeed(seed: number): FeedSource {
  return async function* read({ market, interval, signal, ends }) {
    const last = new Map(market.series.map(({ symbol, close }) => [symbol, close.at(-1)!]));
    const isWeekend = (time: number): boolean => [0, 6].includes(new Date(time).getUTCDay());
    const weekdays = interval.milliseconds >= DAY_MS && !market.clock.slice(-20).some(isWeekend);
    let time = market.clock.at(-1)!;
    while (!signal.aborted) {
      do time = addInterval(time, interval);
      while (weekdays && isWeekend(time));
      const end = addInterval(time, interval);
      if (!ends && end > Date.now()) {
        yield { kind: 'idle' };
        await sleep(end - Date.now(), undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
      const bars = market.symbols.map((symbol) => {
        const [open, high, low, close, volume] = simulatedBar(last.get(symbol)!, `${seed}/${symbol}/${time}`);
        last.set(symbol, close);
        return { symbol, time, open, high, low, close, volume, final: true };
      });
      yield { kind: 'document', document: bars };
    }
  };
}

function simulatedBar(before: number, name: string): BarNumbers {
  const random = createRandom(0, name);
  const round = (price: number): number => Math.max(0.0001, Number(price.toPrecision(8)));
  const open = round(before * Math.exp(STEP * 0.2 * random.normal()));
  const close = round(open * Math.exp(STEP * random.normal()));
  const high = round(Math.max(open, close) * (1 + STEP * 0.3 * Math.abs(random.normal())));
  const low = round(Math.min(open, close) * (1 - STEP * 0.3 * Math.abs(random.normal())));
  return [open, high, low, close, 1_000 + random.integer(0, 9_000)];
}
