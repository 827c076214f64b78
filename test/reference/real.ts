import type { Decider, RunEvent, RunSettingsInput } from '../../src/engine/index.ts';
import { runBacktest } from '../../src/engine/index.ts';
import { barSeries, createMarket, type Market } from '../../src/market/index.ts';
import { instantOf } from './exchange.ts';
import type { ClosedTrade, Fill, Outcome, Play, Step } from './types.ts';

const UNKNOWN = 999;

/** The play's candles as a market. */
export function marketOfPlay(play: Play): Market {
  return createMarket(
    Object.entries(play.candles).map(([symbol, candles]) =>
      barSeries(
        symbol,
        candles.flatMap((candle, bar) => {
          if (candle === null) return [];
          const [open, high, low, close, volume] = candle;
          return [{ time: instantOf(play, bar), open, high, low, close, volume }];
        }),
      ),
    ),
  );
}

/** Does the play's steps at the real desk. */
export function deciderOfPlay(steps: readonly Step[]): Decider {
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

/** Every event of the real run of a play. */
export async function eventsOfPlay(play: Play): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: marketOfPlay(play),
    decider: deciderOfPlay(play.steps),
    // The reference knows neither insolvency nor a margin that nobody asked for yet.
    settings: { maintenanceMargin: 0, allowNegativeEquity: true, ...(play.terms as RunSettingsInput) },
    onEvent: (event) => events.push(event),
  });
  if (result.error !== undefined) throw result.error;
  return events;
}

/** What the broker does with a play, in the words of the reference. */
export async function runReal(play: Play): Promise<Outcome> {
  return outcomeOf(await eventsOfPlay(play));
}

function outcomeOf(events: readonly RunEvent[]): Outcome {
  const fills: Fill[] = [];
  const trades: ClosedTrade[] = [];
  const refusals: string[] = [];
  const cancels: string[] = [];
  const equity: string[] = [];
  for (const event of events) {
    if (event.type === 'bar') equity.push(event.equity);
    else if (event.type === 'order_rejected') refusals.push(`${event.bar} ${event.code}`);
    else if (event.type === 'order_cancelled') cancels.push(`${event.bar} ${event.orderId}`);
    else if (event.type === 'order_filled') {
      const { bar, orderId, symbol, side, quantity, price, commission, cash } = event;
      const { ambiguous = false, gainIfOther = '0' } = event;
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
        gainIfOther,
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
  return { fills, trades, refusals, cancels, equity };
}
