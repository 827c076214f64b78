import { existsSync, readFileSync } from 'node:fs';
import type { BarValues, Json, OpenTradeRecord, RunEvent, RunOutcome } from '../../src/engine/index.ts';
import { type EventOf, type RunRecord, recordOf } from '../../src/journal/index.ts';
import { DAY, decimalString, formatInstant, ZERO } from '../../src/kernel/index.ts';
import { type Bar, type BarSeries, barSeries } from '../../src/market/index.ts';

/** Hand-written run for tests, from which `runRecord` creates a complete record. */
export interface RecordSketch {
  readonly cash?: string;
  readonly settings?: Readonly<Record<string, Json>>;
  readonly equity: readonly (number | string)[];
  /** Date of each bar, one per value of `equity`. Default: business days from Monday 2024-01-01. */
  readonly dates?: readonly string[];
  /** Cash at each bar. Default: equal to the equity. */
  readonly cashPath?: readonly (number | string)[];
  readonly exposure?: readonly (number | null)[];
  readonly symbols?: readonly string[];
  /** Prices by bar and symbol. `null` if a symbol has no bar. */
  readonly prices?: readonly (readonly (BarValues | null)[])[];
  readonly trades?: readonly TradeSketch[];
  readonly openTrades?: readonly OpenTradeRecord[];
  readonly fills?: readonly FillSketch[];
  readonly outcome?: RunOutcome;
  readonly strategy?: string;
  /** If true, the event `run_finished` is missing, as after a killed run. */
  readonly killed?: boolean;
  readonly events?: readonly RunEvent[];
}

type TradeSketch = Partial<EventOf<'trade_closed'>> & { readonly netPnl: string };
type FillSketch = Partial<EventOf<'order_filled'>> & { readonly quantity: string; readonly price: string };

export function businessDays(count: number, start = '2024-01-01'): string[] {
  const dates: string[] = [];
  for (let time = Date.parse(start); dates.length < count; time += DAY) {
    const day = new Date(time).getUTCDay();
    if (day !== 0 && day !== 6) dates.push(formatInstant(time));
  }
  return dates;
}

export function runRecord(sketch: RecordSketch): RunRecord {
  const cash = sketch.cash ?? String(sketch.equity[0] ?? 100);
  const dates = sketch.dates ?? businessDays(sketch.equity.length);
  const fills = (sketch.fills ?? []).map(fillOf);
  const commission = fills.reduce((sum, fill) => sum.plus(fill.commission), ZERO);
  const events: RunEvent[] = [
    {
      type: 'run_started',
      schema: 1,
      strategy: { name: sketch.strategy ?? 'test', kind: 'rules', parameters: {} },
      settings: { cash, seed: 7, ...sketch.settings },
      symbols: sketch.symbols ?? ['AAA'],
      bars: sketch.equity.length,
      data: null,
      sealed: true,
    },
    ...fills,
    ...(sketch.trades ?? []).map(tradeOf),
    ...(sketch.events ?? []),
    ...sketch.equity.map(
      (equity, bar): RunEvent => ({
        type: 'bar',
        bar,
        date: dates[bar]!,
        cash: String(sketch.cashPath?.[bar] ?? equity),
        equity: String(equity),
        exposure: sketch.exposure === undefined ? 0 : sketch.exposure[bar]!,
        ...(sketch.prices === undefined ? {} : { prices: sketch.prices[bar]! }),
      }),
    ),
  ];
  if (!sketch.killed) {
    events.push({
      type: 'run_finished',
      outcome: sketch.outcome ?? 'completed',
      bars: sketch.equity.length,
      openTrades: sketch.openTrades ?? [],
      commissionPaid: decimalString(commission),
    });
  }
  return recordOf(events);
}

function tradeOf(sketch: TradeSketch, index: number): RunEvent {
  return {
    type: 'trade_closed',
    bar: 1,
    id: index + 1,
    symbol: 'AAA',
    side: 'long',
    quantity: '1',
    entryBar: 0,
    entryTime: '2024-01-01',
    entryPrice: '100',
    exitTime: '2024-01-02',
    exitPrice: '100',
    grossPnl: sketch.netPnl,
    commission: '0',
    exitReason: 'market',
    ...sketch,
  };
}

function fillOf(sketch: FillSketch, index: number): EventOf<'order_filled'> {
  return {
    type: 'order_filled',
    bar: 1,
    orderId: index + 1,
    symbol: 'AAA',
    side: 'buy',
    priceBeforeSlippage: sketch.price,
    commission: '0',
    cash: '0',
    ...sketch,
  };
}

export function openTrade(sketch: Partial<OpenTradeRecord> = {}): OpenTradeRecord {
  return {
    id: 9,
    symbol: 'AAA',
    side: 'long',
    quantity: '2',
    entryBar: 1,
    entryTime: '2024-01-02',
    entryPrice: '10',
    lastPrice: '12.5',
    grossPnl: '5',
    commission: '0.02',
    netPnl: '4.98',
    ...sketch,
  };
}

/**
 * Returns the bars in a file of the folder `shared/data` next to the checkout. `undefined` if the file does
 * not exist.
 */
export function sharedBars(name: string, symbol: string): BarSeries | undefined {
  const file = new URL(`../../../shared/data/${name}`, import.meta.url);
  if (!existsSync(file)) return undefined;
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return barSeries(
    symbol,
    rows.map((row): Bar => {
      const [date = '', ...cells] = row.split(',');
      const [open = 0, high = 0, low = 0, close = 0, volume = 0] = cells.map(Number);
      return {
        time: Date.parse(`${date.replace(' ', 'T')}${date.includes(':') ? 'Z' : ''}`),
        open,
        high,
        low,
        close,
        volume,
      };
    }),
  );
}
