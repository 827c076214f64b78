import { openDoorsOf } from '../engine/index.ts';
import { type JournalEvent, readEnds } from '../journal/index.ts';
import { isObject, numberOf, textOf } from '../kernel/index.ts';
import { unmasker } from '../masking/index.ts';

/** Summary of the first and last lines of a journal of any size. */
export interface JournalEnds {
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly planned: number;
  /** Number of finished bars. */
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
  readonly equity: string;
  readonly totalReturn: number | null;
  readonly openDoors: readonly string[];
  /** Empty until the run has ended. */
  readonly outcome: string;
  /** First event, `run_started`, in real (unmasked) terms. `undefined` if missing. */
  readonly opening: JournalEvent | undefined;
}

/** Reads the first and last lines of a journal. Fields that cannot be read are empty. */
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
