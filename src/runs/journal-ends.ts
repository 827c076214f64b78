import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { openDoorsOf } from '../engine/index.ts';
import { unmasker } from '../masking/index.ts';
import { isObject, numberOf, parseEvent, type TraceEvent, textOf } from './journal-event.ts';

/** What the first and last lines of a journal tell, whatever its size. */
export interface JournalEnds {
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly planned: number;
  /** Bars that ended. */
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
  readonly equity: string;
  readonly totalReturn: number | null;
  readonly openDoors: readonly string[];
  /** Empty while the journal does not say. */
  readonly outcome: string;
}

const HEAD = 64 * 1024;
const TAIL = 256 * 1024;

/** Looks at both ends of a journal; what cannot be read is left empty. */
export function journalEnds(file: string): JournalEnds {
  const { head, tail } = ends(file);
  const opening = head.find((event) => event.type === 'run_started');
  const real = unmasker(opening ?? {});
  const realOf = (event: TraceEvent | undefined): TraceEvent | undefined => event && real(event);
  const started = realOf(opening);
  const first = realOf(head.find((event) => event.type === 'bar'));
  const last = realOf(tail.findLast((event) => event.type === 'bar')) ?? first;
  const finished = tail.findLast((event) => event.type === 'run_finished');
  const strategy = isObject(started?.strategy) ? textOf(started.strategy.name) : '';
  const settings = isObject(started?.settings) ? started.settings : {};
  const equity = textOf(last?.equity);
  const change = Number(equity) / Number(textOf(settings.cash)) - 1;
  return {
    strategy,
    symbols: Array.isArray(started?.symbols) ? started.symbols.map(textOf) : [],
    planned: numberOf(started?.bars) ?? 0,
    bars: last?.bar === undefined ? 0 : last.bar + 1,
    firstBar: textOf(first?.date),
    lastBar: textOf(last?.date),
    equity,
    totalReturn: equity !== '' && Number.isFinite(change) ? change : null,
    openDoors: opening === undefined ? [] : openDoorsOf(opening),
    outcome: textOf(finished?.outcome),
  };
}

function ends(file: string): { readonly head: TraceEvent[]; readonly tail: TraceEvent[] } {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      return {
        head: eventsIn(pieceOf(descriptor, 0, Math.min(HEAD, size))),
        tail: eventsIn(pieceOf(descriptor, Math.max(0, size - TAIL), Math.min(TAIL, size))),
      };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return { head: [], tail: [] };
  }
}

function pieceOf(descriptor: number, start: number, length: number): string {
  const piece = Buffer.alloc(length);
  const read = readSync(descriptor, piece, 0, length, start);
  return piece.subarray(0, read).toString('utf8');
}

// The first and last lines of a piece may be cut: they are no events then.
function eventsIn(piece: string): TraceEvent[] {
  return piece
    .split('\n')
    .filter((line) => /^\s*\{\s*"type"\s*:\s*"(?:run_started|run_finished|bar)"/.test(line))
    .map(parseEvent)
    .filter((event) => event !== undefined);
}
