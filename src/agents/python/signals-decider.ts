import { type BarContext, type Decider, DecisionFault } from '../../engine/index.ts';
import { createRandom, formatInstant } from '../../kernel/index.ts';
import { type BarSeries, SeriesCursor, type Window } from '../../market/index.ts';
import { RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import type { PythonDecisions } from './decider.ts';
import { callError } from './failure.ts';
import { giveBack, type Held } from './interpreters.ts';
import { openStrategy } from './program.ts';
import { readBegun, readSignals } from './replies.ts';

/** Most bars with a changed signal at which a run is checked. */
export const MOST_CHANGES = 200;
/** Random bars at which a run is checked. */
export const RANDOM_BARS = 200;
/** Bars of each kind at which a trial is checked. Its strategy is checked fully in a run. */
export const TRIAL_BARS = 2;
/** Bars that are computed in one call. */
const BATCH = 16;
/** Largest difference of two equal signals, for sums in another order. */
const TOLERANCE = 1e-9;

/** Number of bars at which signals are checked for look-ahead. */
type Extent = 'all' | 'sample' | 'trial';

interface SignalsSource {
  /** All bars of the symbol. */
  readonly series: BarSeries | undefined;
  readonly extent: Extent;
}

/**
 * Decider whose signals are computed once on all bars, and then traded bar by bar. Before the first decision they are
 * computed again on shorter histories: a difference is look-ahead, and ends the run.
 */
export class SignalsDecider implements Decider {
  readonly decisionTimeout = RULE_TIMEOUT_SECONDS;
  readonly #own: PythonDecisions;
  readonly #source: SignalsSource;
  #signals: readonly (number | null)[] | undefined;
  #target = 0;
  #waitedMs = 0;

  constructor(own: PythonDecisions, source: SignalsSource) {
    this.#own = own;
    this.#source = source;
  }

  decide(turn: BarContext): undefined | Promise<undefined> {
    if (turn.bar + 1 < this.#own.warmUp) return undefined;
    if (this.#signals === undefined) return this.#begin(turn);
    return this.#trade(turn, this.#signals);
  }

  waitedMs(): number {
    return this.#waitedMs;
  }

  #trade(turn: BarContext, signals: readonly (number | null)[]): undefined {
    const signal = signals[turn.bar] ?? null;
    if (signal === null || signal === this.#target) return;
    this.#target = signal;
    turn.orders.submit({ action: 'target', targetFraction: signal, reason: `signal ${signal}` });
  }

  async #begin(turn: BarContext): Promise<undefined> {
    const { program, runtime, seed } = this.#own;
    const startedAt = performance.now();
    const held = await openStrategy(program, runtime, seed);
    held.loaded = undefined;
    try {
      await this.#compute(held, turn);
    } finally {
      giveBack(held);
      // The limit applies to each call of the strategy, not to their sum.
      this.#waitedMs += performance.now() - startedAt;
    }
    this.#trade(turn, this.#signals!);
    return undefined;
  }

  async #compute(held: Held, turn: BarContext): Promise<void> {
    const { series } = this.#source;
    if (series === undefined) throw new Error('signals need the bars of the run');
    const { program, parameters, seconds, seed } = this.#own;
    const failed = (failure: Parameters<typeof callError>[0]): Error =>
      callError(failure, program.folder, turn.bar, seconds);
    const begun = readBegun(
      await held.interpreter.call({
        operation: 'strategy_begin',
        request: { parameters: program.forPython(parameters) },
        time: turn.time,
        timeoutMs: seconds * 1000,
      }),
    );
    if (!begun.ok) throw failed(begun);
    const window = wholeWindow(series);
    const call = async (all: boolean, lengths: readonly number[]) => {
      const reply = readSignals(
        await held.interpreter.call({
          operation: 'strategy_signals',
          request: { all, lengths, seed, timeoutMs: seconds * 1000 },
          time: turn.time,
          windows: [window],
          timeoutMs: seconds * 1000,
        }),
      );
      if (!reply.ok) throw failed(reply);
      if (reply.printed !== '')
        turn.record({ type: 'note', bar: turn.bar, text: reply.printed.replace(/\n$/, '') });
      return reply;
    };
    const { signals = [] } = await call(true, []);
    const bars = barsToCheck(signals, this.#source.extent, seed);
    for (let from = 0; from < bars.length; from += BATCH) {
      const batch = bars.slice(from, from + BATCH);
      const { checks } = await call(
        false,
        batch.map((bar) => bar + 1),
      );
      for (const [place, bar] of batch.entries()) {
        const [onAll, then] = [signals[bar] ?? null, checks[place] ?? null];
        if (!isSame(onAll, then)) throw lookAhead(bar, series.time[bar]!, onAll, then);
      }
    }
    turn.record({
      type: 'note',
      bar: turn.bar,
      text: `signals checked for look-ahead at ${bars.length} of ${signals.length} bars`,
    });
    this.#signals = signals;
  }
}

/** Returns the bars at which signals are computed again, in order. */
function barsToCheck(signals: readonly (number | null)[], extent: Extent, seed: number): number[] {
  const random = createRandom(seed, 'look-ahead');
  const changed = signals.flatMap((signal, bar) => (bar > 0 && signal !== signals[bar - 1] ? [bar] : []));
  const most = extent === 'trial' ? TRIAL_BARS : MOST_CHANGES;
  const chosen = new Set(extent === 'all' ? changed : drawn(changed, most, random));
  const others = extent === 'trial' ? TRIAL_BARS : RANDOM_BARS;
  for (const bar of drawn([...signals.keys()], others, random)) chosen.add(bar);
  return [...chosen].sort((one, other) => one - other);
}

/** Returns `count` elements, or all if there are not more. */
function drawn(
  from: readonly number[],
  count: number,
  random: ReturnType<typeof createRandom>,
): readonly number[] {
  if (from.length <= count) return from;
  const pool = [...from];
  for (let place = 0; place < count; place++) {
    const other = random.integer(place, pool.length - 1);
    [pool[place], pool[other]] = [pool[other]!, pool[place]!];
  }
  return pool.slice(0, count);
}

function isSame(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other;
  return Math.abs(one - other) <= TOLERANCE;
}

function lookAhead(bar: number, time: number, onAll: number | null, then: number | null): DecisionFault {
  const shown = (value: number | null): string => (value === null ? 'NaN' : String(value));
  return new DecisionFault(
    'look_ahead',
    `look-ahead: at bar ${bar} (${formatInstant(time)}) signals is ${shown(onAll)} computed on all bars, and ${shown(then)} computed on the bars up to this one.`,
    'Use values of this bar and earlier ones only: no shift(-1), no mean or maximum of the whole history, no centred windows, no bfill.',
  );
}

/** Returns a window with all bars of a series. */
function wholeWindow(series: BarSeries): Window {
  const cursor = new SeriesCursor(series);
  for (const time of series.time) cursor.advanceTo(time);
  return cursor.window;
}
