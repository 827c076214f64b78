import { openDoorsOf } from '../engine/index.ts';
import { type JournalEvent, readEnds } from '../journal/index.ts';
import { isObject, numberOf, textOf } from '../kernel/index.ts';
import { unmasker } from '../masking/index.ts';

/** What the first and last lines of a journal hold, whatever its size. */
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
  /** The first event, `run_started`, in the run's real terms; undefined where it is missing. */
  readonly opening: JournalEvent | undefined;
}

/** Looks at both ends of a journal; what cannot be read is left empty. */
export function journalEnds(file: string): JournalEnds {
  const { head, tail } = readEnds(file);
  const opening = head.find((event) => event.type === 'run_started');
  const real = unmasker(opening ?? {});
  const realOf = (event: JournalEvent | undefined): JournalEvent | undefined => event && real(event);
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
    opening: started,
  };
}
