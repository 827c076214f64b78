import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { OrderRequest } from '../../../broker/index.ts';
import { type RunEvent, type RunSettingsInput, runBacktest } from '../../../engine/index.ts';
import { type RunRecord, recordOf } from '../../../journal/index.ts';
import { createRandom, DAY, type Decimal, decimal, decimalString, ZERO } from '../../../kernel/index.ts';
import { type CorporateAction, createMarket, type Market, simulateMarket } from '../../../market/index.ts';
import { ACCOUNT, type AttributionPart, addedUp, attributionOf, OPEN_AT_THE_BREAK } from './attribution.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'];
const BARS = 80;

const settings: fc.Arbitrary<RunSettingsInput> = fc.record({
  cash: fc.constantFrom('50000', '12345.67'),
  leverage: fc.constantFrom(1, 2),
  lots: fc.constantFrom('fifo', 'average'),
  commission: fc.constantFrom(
    { model: 'rate', rate: 0.0015 } as const,
    { model: 'per-share', perShare: 0.013, minimum: 1 } as const,
  ),
  slippageBps: fc.constantFrom(0, 13),
  instruments: fc.constantFrom({}, { BBB: { currency: 'EUR', borrowRate: 0.2 } }),
  financing: fc.constantFrom({}, { creditRate: 0.021, debitRate: 0.063, borrowRate: 0.05 }),
});

function actionsOf(seed: number, { clock, series }: Market): CorporateAction[] {
  const random = createRandom(seed, 'actions');
  const start = clock[0]!;
  const drawn = Array.from({ length: 9 }, (_, index): CorporateAction => {
    const symbol = SYMBOLS[index % SYMBOLS.length]!;
    const time = start + Math.floor(random.next() * BARS * 1.4) * DAY;
    if (random.next() < 0.6) return { symbol, time, kind: 'dividend', amount: '0.37' };
    if (random.next() < 0.3) return { symbol, time: time + DAY / 3, kind: 'funding', rate: '0.0004' };
    if (random.next() < 0.5) {
      const { time: times, open } = series.find((one) => one.symbol === symbol)!;
      const bar = 1 + Math.floor(random.next() * (times.length - 1));
      const prices = { oldPrice: (open[bar]! * 0.97).toFixed(2), newPrice: String(open[bar]!) };
      return { symbol, time: times[bar]!, kind: 'roll', oldContract: 'H', newContract: 'M', ...prices };
    }
    const [to, from] = random.next() < 0.5 ? ['3', '2'] : ['1', '3'];
    return { symbol, time, kind: 'split', to, from };
  });
  // Removes further actions of the same symbol at the same time.
  return drawn.filter(({ symbol, time }, index) =>
    drawn.slice(0, index).every((before) => before.symbol !== symbol || before.time !== time),
  );
}

/** Random orders by bar and symbol, on both sides. */
function ordersAt(seed: number, bar: number): OrderRequest[] {
  return SYMBOLS.flatMap((symbol): OrderRequest[] => {
    const random = createRandom(seed, `${symbol} ${bar}`);
    const dice = random.next();
    const quantity = 1 + Math.floor(random.next() * 60);
    const reason = `because ${Math.floor(random.next() * 4)}`;
    if (dice < 0.12) return [{ action: 'buy', symbol, quantity, reason, stopLoss: { fraction: 0.05 } }];
    if (dice < 0.24) return [{ action: 'sell', symbol, quantity, reason, takeProfit: { fraction: 0.04 } }];
    if (dice < 0.32) return [{ action: 'close', symbol, reason }];
    return [];
  });
}

async function eventsOf(seed: number, terms: RunSettingsInput): Promise<RunEvent[]> {
  const { series } = simulateMarket({ seed, bars: BARS, symbols: [...SYMBOLS, 'EURUSD'] });
  const market = createMarket(series.filter(({ symbol }) => symbol !== 'EURUSD'));
  const events: RunEvent[] = [];
  const { error } = await runBacktest({
    market,
    rates: series.filter(({ symbol }) => symbol === 'EURUSD'),
    actions: actionsOf(seed, market),
    settings: terms,
    decider: { decide: ({ bar }) => ({ orders: ordersAt(seed, bar) }) },
    emitStart: false,
    onEvent: (event) => events.push(event),
  });
  if (error !== undefined) throw error;
  return events;
}

const started = (cash: string): RunEvent => ({
  type: 'run_started',
  schema: 1,
  strategy: { name: 'drawn', kind: 'rules', parameters: {} },
  settings: { cash },
  symbols: SYMBOLS,
  bars: BARS,
  data: null,
  sealed: true,
});

const lists = (record: RunRecord): (readonly AttributionPart[])[] => {
  const { bySymbol, bySide, byMonth, byReason } = attributionOf(record);
  return [bySymbol, bySide, byMonth, byReason];
};

const summed = (amounts: readonly string[]): string =>
  decimalString(amounts.reduce((sum: Decimal, amount) => sum.plus(amount), ZERO));

const profitOf = ({ bars }: RunRecord, cash: string): string =>
  decimalString(decimal(bars.at(-1)!.equity).minus(cash));

describe('profit attribution', () => {
  it('sums exactly to the profit in every list, for any run', async () => {
    const seen = { trades: 0, dividends: 0, financing: 0, open: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), settings, async (seed, terms) => {
        const cash = String(terms.cash);
        const record = recordOf([started(cash), ...(await eventsOf(seed, terms))]);
        const profit = profitOf(record, cash);
        expect(attributionOf(record).profit).toBe(profit);
        for (const parts of lists(record)) {
          expect(summed(parts.map(({ total }) => total))).toBe(profit);
          expect(addedUp('all', parts)).toMatchObject({ total: profit, closedTrades: record.trades.length });
          expect(parts.map(({ name }) => name)).not.toContain(OPEN_AT_THE_BREAK);
          for (const { total, closed, open, commission, dividends, financing } of parts)
            expect(summed([closed, open, commission, dividends, financing])).toBe(total);
          // The sum of each column is the same for every way to split the run.
          expect(summed(parts.map(({ closed }) => closed))).toBe(
            summed(record.trades.map(({ grossPnl }) => grossPnl)),
          );
          expect(summed(parts.map(({ open }) => open))).toBe(
            summed(record.openTrades.map(({ grossPnl }) => grossPnl)),
          );
          expect(summed(parts.map(({ commission }) => commission))).toBe(
            decimalString(decimal(record.commissionPaid!).negated()),
          );
        }
        seen.trades += record.trades.length;
        seen.open += record.openTrades.length;
        for (const { kind } of record.cashEntries) seen[kind === 'dividend' ? 'dividends' : 'financing'] += 1;
      }),
      { numRuns: 60 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(60);
  });

  it('sums exactly for a killed run whose open positions were never reported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), settings, fc.nat(), async (seed, terms, cut) => {
        const cash = String(terms.cash);
        const events = await eventsOf(seed, terms);
        const record = recordOf([started(cash), ...events.slice(0, 20 + (cut % (events.length - 20)))]);
        if (record.bars.length === 0) return;
        const profit = profitOf(record, cash);
        for (const parts of lists(record)) expect(addedUp('all', parts).total).toBe(profit);
      }),
      { numRuns: 30 },
    );
  });

  it('separates symbols, sides, months and reasons as calculated by hand', () => {
    const record = runRecord({
      cash: '100',
      equity: ['100', '103', '108.5'],
      dates: ['2024-01-30', '2024-01-31', '2024-02-01'],
      symbols: ['A', 'B'],
      fills: [
        { bar: 1, symbol: 'A', quantity: '1', price: '10', commission: '0.5' },
        { bar: 2, symbol: 'A', quantity: '1', price: '14', commission: '0.5', side: 'sell' },
        { bar: 2, symbol: 'B', quantity: '2', price: '20', commission: '1', side: 'sell' },
      ],
      trades: [{ bar: 2, symbol: 'A', netPnl: '3', grossPnl: '4', commission: '1', exitReason: 'target' }],
      openTrades: [
        {
          id: 2,
          symbol: 'B',
          side: 'short',
          quantity: '2',
          entryBar: 2,
          entryTime: '2024-02-01',
          entryPrice: '20',
          lastPrice: '18',
          grossPnl: '4',
          commission: '1',
          netPnl: '3',
        },
      ],
      events: [
        {
          type: 'cash_entry',
          bar: 2,
          kind: 'dividend',
          symbol: 'B',
          amount: '-0.5',
          cash: '0',
          quantity: '-2',
        },
        { type: 'cash_entry', bar: 2, kind: 'borrow_fee', symbol: 'B', amount: '-0.25', cash: '0' },
        { type: 'cash_entry', bar: 2, kind: 'interest', amount: '3.25', cash: '0' },
      ],
    });
    const { profit, bySymbol, bySide, byMonth, byReason } = attributionOf(record);
    const totals = (parts: readonly AttributionPart[]) =>
      Object.fromEntries(parts.map(({ name, total }) => [name, total]));
    expect(profit).toBe('8.5');
    expect(totals(bySymbol)).toEqual({ A: '3', B: '2.25', [ACCOUNT]: '3.25' });
    expect(totals(bySide)).toEqual({ long: '3', short: '2.25', [ACCOUNT]: '3.25' });
    expect(totals(byMonth)).toEqual({ '2024-01': '3', '2024-02': '5.5' });
    expect(byMonth[0]).toMatchObject({ closed: '0', open: '3.5', commission: '-0.5' });
    expect(totals(byReason)).toEqual({
      target: '3',
      'open at the end': '3',
      dividends: '-0.5',
      'borrow fees': '-0.25',
      interest: '3.25',
    });
  });

  it('lists forty reasons separately, and the others together', () => {
    const trades = Array.from({ length: 100 }, (_, index) => ({
      netPnl: String(index),
      grossPnl: String(index),
      exitReason: `thought ${index}`,
    }));
    const { byReason } = attributionOf(runRecord({ cash: '50', equity: ['5000'], trades }));
    expect(byReason).toHaveLength(40);
    expect(byReason.at(-1)?.name).toBe('61 other reasons');
    expect(addedUp('all', byReason).total).toBe('4950');
  });
});
