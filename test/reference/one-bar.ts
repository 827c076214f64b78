import { Account } from './account.ts';
import { type Choice, choose } from './choose.ts';
import { fillAtOpen, type Stage } from './path.ts';
import { endingsOf } from './paths.ts';
import { Rational } from './rational.ts';
import { barOf, Given, State } from './state.ts';
import type { Ask, Play } from './types.ts';

/** Test case with one bar and its orders, in the format of `oracles/paths/cases.json`. */
export interface PathCase {
  readonly bar: readonly [open: number, high: number, low: number, close: number];
  readonly orders: readonly {
    readonly side: 'buy' | 'sell';
    readonly type: 'market' | 'limit' | 'stop' | 'stop_limit';
    readonly price?: number;
    /** Limit price of a stop-limit order. */
    readonly limit?: number;
    readonly sl?: number;
    readonly tp?: number;
    readonly group?: string;
  }[];
}

/** Test case with the worst and best equity at the close. */
export interface SolvedCase extends PathCase {
  readonly worse: number;
  readonly better: number;
}

const QUANTITY = 10;

/**
 * Converts a case to a run of two bars. The orders are placed on the first bar, and the second is the bar of
 * the case.
 */
export function playOfCase({ bar, orders }: PathCase): Play {
  return {
    barMinutes: 1440,
    candles: {
      AAA: [
        [100, 100, 100, 100, 1000],
        [...bar, 1000],
      ],
    },
    terms: { cash: '100000', leverage: 10 },
    steps: orders.map((order, index) => ({
      bar: 0,
      name: String.fromCharCode(65 + index),
      submit: askOf(order),
    })),
  };
}

function askOf({ side, type, price, limit, sl, tp, group }: PathCase['orders'][number]): Ask {
  return {
    action: side,
    quantity: QUANTITY,
    type,
    ...(price === undefined ? {} : type === 'limit' ? { limitPrice: price } : { stopPrice: price }),
    ...(limit === undefined ? {} : { limitPrice: limit }),
    ...(sl === undefined ? {} : { stopLoss: sl }),
    ...(tp === undefined ? {} : { takeProfit: tp }),
    ...(group === undefined ? {} : { group }),
  };
}

/** Returns the state of a case after the fills at its open, and its bar. */
function openedCase(given: PathCase): { state: State; stage: Stage } {
  const play = playOfCase(given);
  const state = new State(new Given(play), new Account(Rational.of(play.terms.cash)));
  state.bar = 0;
  for (const step of play.steps) if ('submit' in step) state.orders.push(state.newOrder(step.submit, 'AAA'));
  state.bar = 1;
  state.budget.set('AAA', Rational.of(1e30));
  state.account.marks.set('AAA', Rational.of(given.bar[0]));
  const bar = barOf([...given.bar, 1000]);
  const stage = { symbol: 'AAA', bar, whole: bar, part: 'whole' as const };
  fillAtOpen(state, [stage]);
  return { state, stage };
}

/** Returns the result of a case over all possible price paths. */
export function solveCase(given: PathCase): Choice {
  const { state, stage } = openedCase(given);
  return choose(endingsOf(state, stage).all, state.fills.length);
}
