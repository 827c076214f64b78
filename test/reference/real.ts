import type { BacktestResult, Decider, RunEvent, RunSettingsInput } from '../../src/engine/index.ts';
import { runBacktest } from '../../src/engine/index.ts';
import {
  type BarSeries,
  barSeries,
  type CorporateAction,
  createMarket,
  type Market,
} from '../../src/market/index.ts';
import { Rational } from './rational.ts';
import { instantOf } from './state.ts';
import type { ClosedTrade, Fill, Outcome, Play, Step } from './types.ts';

const UNKNOWN = 999;
const MINUTE = 60_000;

/** Returns the candles of a test case as a market. */
function marketOfPlay(play: Play): Market {
  return createMarket(
    Object.entries(play.candles).map(([symbol, candles]) => {
      const bars = candles.flatMap((candle, bar) => {
        if (candle === null) return [];
        const [open, high, low, close, volume] = candle;
        return [{ time: instantOf(play, bar), open, high, low, close, volume }];
      });
      return { ...barSeries(symbol, bars), interval: `${play.barMinutes}min` };
    }),
  );
}

/** Returns a decider that executes the steps of a test case with the real broker. */
function deciderOfPlay(steps: readonly Step[]): Decider {
  const numbers = new Map<string, number>();
  return {
    decide({ bar, orders }) {
      for (const step of steps) {
        if (step.bar !== bar) continue;
        if ('submit' in step) {
          const receipt = orders.submit(step.submit);
          if (receipt.accepted) numbers.set(step.name, receipt.order.id);
        } else if ('cancel' in step) orders.cancel(numbers.get(step.cancel) ?? UNKNOWN);
        else {
          const receipt = orders.replace(numbers.get(step.replace) ?? UNKNOWN, step.changes);
          if (receipt.accepted) numbers.set(step.replace, receipt.order.id);
        }
      }
    },
  };
}

/** Returns the finer bars of a test case as series. */
function detailOfPlay(play: Play): BarSeries[] {
  return Object.entries(play.detail ?? {}).map(([symbol, bars]) =>
    barSeries(
      symbol,
      bars.flatMap((finer, bar) =>
        finer.map(([minute, [open, high, low, close, volume]]) => {
          const time = instantOf(play, bar) + minute * MINUTE;
          return { time, open, high, low, close, volume };
        }),
      ),
    ),
  );
}

/**
 * Returns the exchange rate of a test case as a series for `runBacktest`. Empty without a second currency.
 */
function ratesOfPlay(play: Play): BarSeries[] {
  if (play.euro === undefined) return [];
  const bars = play.euro.map(([open, close], bar) => {
    const [high, low] = [Math.max(open, close), Math.min(open, close)];
    return { time: instantOf(play, bar), open, high, low, close, volume: 1 };
  });
  return [{ ...barSeries('EURUSD', bars), interval: `${play.barMinutes}min` }];
}

function actionsOfPlay(play: Play): CorporateAction[] {
  return (play.actions ?? []).map(({ bar, ...action }) => {
    const time = instantOf(play, bar);
    if (action.kind !== 'split') return { ...action, time };
    return { ...action, to: String(action.to), from: '1', time };
  });
}

function sessionOfPlay({ session }: Play): Pick<RunSettingsInput, 'session'> {
  if (session === undefined) return {};
  const clock = (minutes: number): string =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return { session: { hours: `${clock(session.opens)}-${clock(session.closes)}` } };
}

/** Runs a test case with the real engine and broker. */
async function realRun(play: Play): Promise<{ events: RunEvent[]; result: BacktestResult }> {
  const events: RunEvent[] = [];
  const detail = detailOfPlay(play);
  const result = await runBacktest({
    market: marketOfPlay(play),
    decider: deciderOfPlay(play.steps),
    settings: { ...(play.terms as RunSettingsInput), ...sessionOfPlay(play) },
    ...(detail.length === 0 ? {} : { detail }),
    rates: ratesOfPlay(play),
    actions: actionsOfPlay(play),
    onEvent: (event) => events.push(event),
  });
  if (result.error !== undefined) throw result.error;
  return { events, result };
}

/** Returns all events of a test case that runs with the real broker. */
export const eventsOfPlay = async (play: Play): Promise<RunEvent[]> => (await realRun(play)).events;

/** Returns the outcome of a test case with the real broker, in the format of the reference implementation. */
export async function runReal(play: Play): Promise<Outcome> {
  const { events, result } = await realRun(play);
  return { ...outcomeOf(events), end: result.outcome };
}

function outcomeOf(events: readonly RunEvent[]): Omit<Outcome, 'end'> {
  const fills: Fill[] = [];
  const trades: ClosedTrade[] = [];
  const refusals: string[] = [];
  const cancels: string[] = [];
  const equity: string[] = [];
  const ambiguity: string[] = [];
  for (const event of events) {
    if (event.type === 'bar') {
      equity.push(event.equity);
      const { worse, better } = event.ambiguity ?? {};
      if (worse !== undefined && better !== undefined)
        ambiguity.push(`${event.bar} ${Rational.of(better).minus(Rational.of(worse))}`);
    }
    if (event.type === 'order_rejected') refusals.push(`${event.bar} ${event.code}`);
    else if (event.type === 'order_cancelled') cancels.push(`${event.bar} ${event.orderId}`);
    else if (event.type === 'order_filled') {
      const { bar, orderId, symbol, side, quantity, price, commission, cash } = event;
      const { ambiguous = false } = event;
      fills.push({
        bar,
        order: orderId,
        symbol,
        side,
        quantity,
        price,
        commission,
        cash,
        ambiguous,
      });
    } else if (event.type === 'trade_closed') {
      const { bar, symbol, side, quantity, entryBar, entryPrice, exitPrice, commission, netPnl, exitReason } =
        event;
      trades.push({
        bar,
        symbol,
        side,
        quantity,
        entryBar,
        entryPrice,
        exitPrice,
        commission,
        netPnl,
        exitReason,
      });
    }
  }
  return { fills, trades, refusals, cancels, equity, ambiguity };
}
