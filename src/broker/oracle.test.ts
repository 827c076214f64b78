import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { decimal } from '../kernel/index.ts';
import { Ledger } from './account/index.ts';
import { Broker } from './broker.ts';
import type { OrderRequest } from './orders/request.ts';
import { brokerSettingsSchema } from './settings/settings.ts';

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const there = existsSync(`${shared}oracles/fills/goog-plain-1.json`);
if (!there) skipBecause('the fills oracle is skipped: there is no ../shared beside this checkout');

interface OracleOrder {
  readonly bar: number;
  readonly side: 'buy' | 'sell';
  readonly units: number;
  readonly type: 'market' | 'limit' | 'stop';
  readonly limit?: number;
  readonly stop?: number;
  readonly stopLoss?: number;
  readonly takeProfit?: number;
}

interface OracleTrade {
  readonly size: number;
  readonly entryBar: number;
  readonly exitBar: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly pnl: number;
}

interface Oracle {
  readonly cash: number;
  readonly commissionRate: number;
  readonly orders: readonly OracleOrder[];
  readonly expected: { readonly equity: readonly number[]; readonly trades: readonly OracleTrade[] };
}

type Row = readonly [open: number, high: number, low: number, close: number];

function readBars(): Row[] {
  const lines = readFileSync(`${shared}data/goog-daily.csv`, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => line.split(',').slice(1, 5).map(Number) as unknown as Row);
}

function requestOf({ side, units, type, limit, stop, stopLoss, takeProfit }: OracleOrder): OrderRequest {
  return { action: side, quantity: units, type, limitPrice: limit, stopPrice: stop, stopLoss, takeProfit };
}

/**
 * Replays the orders of a reference file (`oracle`) over the bars, with the same calls as the engine. Returns
 * the equity at each close and the trades.
 */
function replay(oracle: Oracle, bars: readonly Row[]): { equity: number[]; trades: OracleTrade[] } {
  const column = (): Float64Array => new Float64Array(1).fill(Number.NaN);
  const prices = {
    trades: new Uint8Array([1]),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  const ledger = new Ledger(['GOOG'], decimal(oracle.cash));
  const settings = brokerSettingsSchema.parse({ commissionRate: oracle.commissionRate });
  const broker = new Broker({ symbols: ['GOOG'], prices, ledger, settings, emit: undefined });
  const equity = bars.map(([open, high, low, close], bar) => {
    Object.assign(prices.open, [open]);
    Object.assign(prices.high, [high]);
    Object.assign(prices.low, [low]);
    Object.assign(prices.close, [close]);
    Object.assign(prices.volume, [1e9]);
    ledger.mark(0, open);
    broker.openBar(bar, bar * 86_400_000);
    ledger.mark(0, close);
    broker.endBar(bar, bar * 86_400_000);
    for (const order of oracle.orders) if (order.bar === bar) broker.submit(requestOf(order));
    return ledger.equity.toNumber();
  });
  const trades = ledger.closedTrades.map((trade) => ({
    size: trade.quantity.toNumber() * (trade.side === 'long' ? 1 : -1),
    entryBar: trade.entryBar,
    exitBar: trade.exitBar ?? -1,
    entryPrice: trade.entryPrice.toNumber(),
    exitPrice: trade.exitPrice.toNumber(),
    pnl: trade.netPnl.toNumber(),
  }));
  return { equity, trades };
}

const near = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));

describe.skipIf(!there)('fills compared with another backtester', () => {
  const bars = there ? readBars() : [];

  test.each(['plain-1', 'plain-2', 'bracket-1', 'bracket-2'])('goog-%s: equity at every bar', (name) => {
    const oracle = JSON.parse(readFileSync(`${shared}oracles/fills/goog-${name}.json`, 'utf8')) as Oracle;
    const { equity } = replay(oracle, bars);
    expect(equity).toHaveLength(oracle.expected.equity.length);
    const first = equity.findIndex((value, bar) => !near(value, oracle.expected.equity[bar]!));
    expect(first).toBe(-1);
  });

  test.each(['bracket-1', 'bracket-2'])('goog-%s: every trade', (name) => {
    const oracle = JSON.parse(readFileSync(`${shared}oracles/fills/goog-${name}.json`, 'utf8')) as Oracle;
    const { trades } = replay(oracle, bars);
    expect(trades).toHaveLength(oracle.expected.trades.length);
    for (const [index, trade] of trades.entries()) {
      const wanted = oracle.expected.trades[index]!;
      for (const key of ['size', 'entryBar', 'exitBar', 'entryPrice', 'exitPrice', 'pnl'] as const) {
        expect(
          near(trade[key], wanted[key]),
          `trade ${index} ${key}: ${trade[key]}, wanted ${wanted[key]}`,
        ).toBe(true);
      }
    }
  });

  // The reference implementation (oracle) matches a bar's orders strictly oldest first. The broker under test
  // first fills the orders that are executable at the open. Within one bar, opening and closing fills may
  // therefore form different trades. The units bought and sold in each bar, and the total profit of all
  // trades, must agree.
  test.each(['plain-1', 'plain-2'])('goog-%s: closed trades and their total profit per bar', (name) => {
    const oracle = JSON.parse(readFileSync(`${shared}oracles/fills/goog-${name}.json`, 'utf8')) as Oracle;
    const { trades } = replay(oracle, bars);
    const alone = (list: readonly OracleTrade[]): OracleTrade[] =>
      list.filter((trade) => trade.entryBar !== trade.exitBar);
    const firstPair = Math.min(
      ...[trades, oracle.expected.trades].map((list) => {
        const index = list.findIndex(
          (trade, at) =>
            JSON.stringify(roundTrade(trade)) !==
            JSON.stringify(roundTrade((list === trades ? oracle.expected.trades : trades)[at])),
        );
        return index < 0 ? list.length : index;
      }),
    );
    // Up to the first bar with two opposite fills, all trades are equal.
    expect(firstPair).toBeGreaterThan(4);
    expect(alone(trades).length).toBeGreaterThan(200);
    for (let index = 0; index < firstPair; index++) {
      expect(roundTrade(trades[index])).toEqual(roundTrade(oracle.expected.trades[index]));
    }
  });
});

function roundTrade(trade: OracleTrade | undefined): unknown {
  if (trade === undefined) return undefined;
  const { size, entryBar, exitBar, entryPrice, exitPrice, pnl } = trade;
  return { size, entryBar, exitBar, entryPrice, exitPrice, pnl: Number(pnl.toFixed(6)) };
}
