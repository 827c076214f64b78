import type { BarContext, Decider } from '../../engine/index.ts';
import { type BarSeries, SeriesCursor, type Window } from '../../market/index.ts';
import type { RunServices } from '../run-services.ts';
import { RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import type { PythonDecisions } from './decider.ts';
import { giveBack, type Held } from './interpreters.ts';
import { barsToCheck, compareSignals, type Extent, floatsOf, type SignalTable } from './look-ahead.ts';
import { openStrategy, reloadStrategy } from './program.ts';
import { callError, readSignals } from './replies.ts';

interface SignalsSource {
  /** All bars of the traded symbols, including bars later than the current one. */
  readonly series: readonly BarSeries[];
  /** Times of the market's bars. */
  readonly clock: Float64Array;
  readonly extent: Extent;
  /**
   * Accepts a check that continues while signals are traded (see `RunServices`). Omitted: the first decision
   * waits for the check.
   */
  readonly inBackground?: RunServices['inBackground'];
}

/** Bar of the first decision, at which signals are computed and checked. */
interface Begin {
  readonly bar: number;
  readonly time: number;
  /** Text that the strategy printed while its signals were computed. */
  printed: string;
}

/**
 * Decider of a Python strategy with `signals`. The signals are computed once on all bars and then traded bar
 * by bar. To detect look-ahead, they are computed again on shorter histories. If the two results differ, the
 * run ends at its first decision. With `inBackground`, this check continues during trading. If the check
 * fails, the run is repeated with `failingAt`, which ends it at the first decision.
 */
export class SignalsDecider implements Decider {
  readonly decisionTimeout = RULE_TIMEOUT_SECONDS;
  readonly #own: PythonDecisions;
  readonly #source: SignalsSource;
  #signals: SignalTable | undefined;
  /** Error of a check that failed while the signals were already traded. */
  #fault: { readonly error: unknown } | undefined;
  readonly #targets: number[];
  #waitedMs = 0;

  constructor(own: PythonDecisions, source: SignalsSource) {
    this.#own = own;
    this.#source = source;
    this.#targets = source.series.map(() => 0);
  }

  decide(turn: BarContext): undefined | Promise<undefined> {
    if (turn.bar + 1 < this.#own.warmUp) return undefined;
    if (this.#fault !== undefined) throw this.#fault.error;
    if (this.#signals === undefined) return this.#start(turn);
    return this.#trade(turn, this.#signals);
  }

  waitedMs(): number {
    return this.#waitedMs;
  }

  #trade({ bar, orders }: BarContext, { values, symbols }: SignalTable): undefined {
    const targets = this.#targets;
    const first = bar * symbols.length;
    const changes: number[] = [];
    for (let place = 0; place < symbols.length; place++) {
      const signal = values[first + place]!;
      // A NaN signal leaves the position unchanged.
      if (signal !== targets[place] && !Number.isNaN(signal)) changes.push(place);
    }
    if (changes.length === 0) return;
    // Changes that reduce a position come first, because they free buying power for changes that increase
    // one.
    const growth = (place: number): number => Math.abs(values[first + place]!) - Math.abs(targets[place]!);
    changes.sort((one, other) => growth(one) - growth(other));
    for (const place of changes) {
      const signal = values[first + place]!;
      targets[place] = signal;
      orders.submit({
        action: 'target',
        targetFraction: signal,
        ...(symbols.length > 1 ? { symbol: symbols[place]! } : {}),
        reason: `signal ${signal}`,
      });
    }
  }

  async #start(turn: BarContext): Promise<undefined> {
    const startedAt = performance.now();
    try {
      this.#signals = await this.#compute(turn);
    } finally {
      // Counted as waiting time, to which the time limit of a decision does not apply. Each call of the
      // strategy has its own time limit, and this decision makes many calls.
      this.#waitedMs += performance.now() - startedAt;
    }
    this.#trade(turn, this.#signals);
    return undefined;
  }

  async #compute(turn: BarContext): Promise<SignalTable> {
    const { series, extent, clock, inBackground } = this.#source;
    const { program, runtime, seed, parameters } = this.#own;
    const isClean = extent === 'trial' && program.leavesNothing;
    const held = await openStrategy(program, runtime, seed, isClean ? series : undefined);
    const { loaded } = held;
    held.loaded = undefined;
    const begin: Begin = { bar: turn.bar, time: turn.time, printed: '' };
    let check: Promise<void> | undefined;
    try {
      held.bars ??= { series, windows: series.map(wholeWindow) };
      const { parts, printed } = await this.#call(held, begin, held.bars.windows, [null], true);
      begin.printed = printed;
      recordPrinted(turn, begin);
      const table = {
        symbols: series.map(({ symbol }) => symbol),
        values: floatsOf(parts[0]!.values),
        times: clock,
      };
      if (table.values.length !== clock.length * series.length)
        throw new Error('signals do not match the bars');
      const bars = barsToCheck(table, extent, `${seed} ${JSON.stringify(parameters)}`);
      if (isClean) {
        await this.#checkSlices(held, begin, table, bars);
        held.trials += 1;
        held.loaded = loaded;
      } else {
        let onSent = (): void => undefined;
        const sent = new Promise<void>((resolve) => {
          onSent = resolve;
        });
        check = this.#checkAgain(held, begin, table, bars, onSent).finally(() => giveBack(held));
        if (inBackground === undefined) await check;
        else {
          const failing = check.then(
            () => undefined,
            (error: unknown) => {
              this.#fault = { error };
              return failingAt(begin, error);
            },
          );
          inBackground(failing);
          await Promise.race([sent, failing]);
        }
      }
      const text = `signals checked for look-ahead at ${bars.length} of ${clock.length} bars`;
      turn.record({ type: 'note', bar: turn.bar, text });
      return table;
    } finally {
      if (check === undefined) giveBack(held);
    }
  }

  /**
   * Checks the signals of a strategy that leaves no state in the interpreter. For each checked bar, Python
   * computes the signals of the bars up to that bar. The bars are not sent again.
   */
  async #checkSlices(held: Held, begin: Begin, table: SignalTable, bars: readonly number[]): Promise<void> {
    const counts = bars.map((bar) => bar + 1).reverse();
    const { parts } = await this.#call(held, begin, held.bars!.windows, counts);
    for (const [place, part] of parts.entries()) compareSignals(table, part, counts[place]! - 1);
  }

  /**
   * Checks signals for look-ahead in a reset interpreter. For each checked bar, the interpreter has received
   * only the bars up to that bar.
   */
  async #checkAgain(
    held: Held,
    begin: Begin,
    table: SignalTable,
    bars: readonly number[],
    onSent: () => void,
  ): Promise<void> {
    const { program, seed, seconds } = this.#own;
    await reloadStrategy(held, program, seed);
    const cursors = this.#source.series.map((each) => new SeriesCursor(each));
    const windows = cursors.map(({ window }) => window);
    const own = this;
    let next = 0;
    function* calls(from: number) {
      for (const bar of bars.slice(from, from + BATCH)) {
        for (; next <= bar; next++) for (const cursor of cursors) cursor.advanceTo(table.times[next]!);
        yield own.#callOf(begin, windows, [null]);
      }
    }
    for (let from = 0; from < bars.length; from += BATCH) {
      let place = from;
      const take = (body: unknown): void => {
        const { parts } = this.#read(body, begin);
        compareSignals(table, parts[0]!, bars[place++]!);
      };
      await held.interpreter.callInTurn(calls(from), seconds * 1000, take, onSent);
    }
  }

  async #call(
    { interpreter }: Held,
    begin: Begin,
    windows: readonly Window[],
    counts: readonly (number | null)[],
    isFirst = false,
  ) {
    const { seconds } = this.#own;
    const call = this.#callOf(begin, windows, counts, isFirst);
    return this.#read(await interpreter.call({ ...call, timeoutMs: seconds * 1000 }), begin);
  }

  #callOf({ time }: Begin, windows: readonly Window[], counts: readonly (number | null)[], isFirst = false) {
    const { program, parameters, seconds, seed } = this.#own;
    return {
      operation: 'strategy_signals' as const,
      request: {
        counts,
        isFirst,
        parameters: program.forPython(parameters),
        seed,
        timeoutMs: seconds * 1000,
      },
      time,
      windows,
    };
  }

  #read(body: unknown, { bar }: Begin) {
    const reply = readSignals(body);
    if (!reply.ok) throw callError(reply, this.#own.program.folder, bar, this.#own.seconds);
    return reply;
  }
}

/**
 * Returns a decider for the repetition of a run whose look-ahead check has failed in the background. The
 * decider ends the run at the first decision with the error of the check.
 */
function failingAt(begin: Begin, error: unknown): Decider {
  return {
    decisionTimeout: RULE_TIMEOUT_SECONDS,
    decide(turn) {
      if (turn.bar < begin.bar) return;
      recordPrinted(turn, begin);
      throw error;
    },
  };
}

function recordPrinted(turn: BarContext, { printed }: Begin): void {
  if (printed !== '') turn.record({ type: 'note', bar: turn.bar, text: printed.replace(/\n$/, '') });
}

/** Returns a window with all bars of a series. */
function wholeWindow(series: BarSeries): Window {
  const cursor = new SeriesCursor(series);
  for (const time of series.time) cursor.advanceTo(time);
  return cursor.window;
}

/** Maximum number of checked bars whose calls are sent to Python together. */
const BATCH = 512;
