import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decider, type RunEvent, runBacktest } from '../src/engine/index.ts';
import { DAY } from '../src/kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  createMarket,
  type DocumentRow,
  type FeatureRow,
  type FundamentalRow,
  featureTable,
  pointInTimeData,
  simulateMarket,
} from '../src/market/index.ts';
import { bytesUpTo } from './support/laws.ts';

const BARS = 25;
const HOUR = 3_600_000;
const market = simulateMarket({ seed: 3, bars: BARS, symbols: ['A', 'B'], start: '2024-01-01' });
const first = market.clock[0]!;
const SPAN = (market.clock.at(-1)! - first) / HOUR + 48;

/** One piece of what a desk knows, and what becomes of it where it is known after the cut. */
const piece = fc.record({
  kind: fc.constantFrom(
    'feature',
    'document',
    'fundamental',
    'context',
    'action',
    'roll',
    'funding',
    'universe',
  ),
  hour: fc.integer({ min: 0, max: SPAN }),
  value: fc.integer({ min: -9, max: 9 }),
  symbol: fc.constantFrom('A', 'B'),
  tampers: fc.constantFrom('gone', 'changed', 'one more'),
});
type Piece = typeof piece extends fc.Arbitrary<infer Value> ? Value : never;

interface Inputs {
  readonly features: readonly FeatureRow[];
  readonly documents: readonly DocumentRow[];
  readonly fundamentals: readonly FundamentalRow[];
  readonly context: readonly BarSeries[];
  readonly actions: readonly CorporateAction[];
  /** Days since 1970 on which B cannot be traded. */
  readonly out: readonly number[];
}

/** @param cut when the last bar that must stay as it is has ended; what is known later is changed where it is given */
function inputsOf(pieces: readonly Piece[], cut?: number): Inputs {
  const [features, documents, fundamentals]: [FeatureRow[], DocumentRow[], FundamentalRow[]] = [[], [], []];
  const weeks = new Map<number, number>();
  const actions = new Map<string, CorporateAction>();
  const out = new Set<number>();
  const add = ({ kind, hour, value, symbol }: Piece, name: string, serial: number): void => {
    // Two figures of one period at one time would contradict each other.
    const known = first + hour * HOUR + 1 + serial;
    const at = new Date(known).toISOString();
    const date = Math.floor(known / DAY) * DAY;
    if (kind === 'feature')
      features.push({ date: name, available_at: at, symbol, mood: value } as FeatureRow);
    if (kind === 'document')
      documents.push({ id: name, available_at: at, symbol, title: `news ${'oil '.repeat(value + 10)}` });
    if (kind === 'fundamental')
      fundamentals.push({ symbol, field: 'eps', period_end: '2023-12-31', available_at: known, value });
    // A bar of a day that begins at `date` is known a day later.
    if (kind === 'context') weeks.set(date, 100 + value);
    if (kind === 'action' && value > 0)
      actions.set(`${symbol} ${date}`, {
        symbol,
        time: date + DAY,
        kind: 'dividend',
        amount: String(value / 10),
      });
    if (kind === 'roll') {
      const { time, open } = market.series[market.symbols.indexOf(symbol)]!;
      const bar = time.findIndex((instant) => instant >= date + DAY);
      const prices = { oldPrice: (open[bar]! + value / 10).toFixed(4), newPrice: String(open[bar]!) };
      if (bar > 0)
        actions.set(`roll ${symbol} ${bar}`, {
          symbol,
          time: time[bar]!,
          kind: 'roll',
          ...prices,
          oldContract: 'O',
          newContract: name,
        });
    }
    if (kind === 'funding')
      actions.set(`funding ${known}`, { symbol, time: known, kind: 'funding', rate: String(value / 1000) });
    if (kind === 'universe') out.add(date / DAY + 1);
  };
  for (const [number, one] of pieces.entries()) {
    const isLater = cut !== undefined && knownAt(one, number) > cut;
    // A date of its own for each row: two of one date would be vintages that contradict each other.
    const name = isoDay(first - (60 - number) * DAY);
    if (!isLater || one.tampers === 'one more')
      add(one, one.kind === 'document' ? `d${number}` : name, number);
    if (!isLater || one.tampers === 'gone') continue;
    const other = { ...one, value: -one.value + 1, hour: one.hour + 1 };
    add(other, one.kind === 'document' ? `x${number}` : isoDay(first - (120 - number) * DAY), 1000 + number);
  }
  // A day that is always there: a series without a bar is no series.
  const days = [first - 7 * DAY, ...[...weeks.keys()].sort((a, b) => a - b)];
  const column = (value: (day: number) => number): Float64Array => Float64Array.from(days, value);
  const price = (day: number): number => weeks.get(day) ?? 100;
  const context: BarSeries = {
    symbol: 'CTX',
    interval: '1d',
    time: column((day) => day),
    open: column(price),
    high: column(price),
    low: column(price),
    close: column(price),
    volume: column(() => 1),
  };
  return {
    features,
    documents,
    fundamentals,
    context: [context],
    actions: [...actions.values()],
    out: [...out],
  };
}

/** The end of the first bar that may know of a piece. */
function knownAt({ kind, hour }: Piece, serial: number): number {
  const known = first + hour * HOUR + 1 + serial;
  const nextDay = (Math.floor(known / DAY) + 1) * DAY;
  if (kind === 'context') return nextDay;
  // Of the day after the piece's own: shown with the bar that begins with it.
  return ['action', 'roll', 'universe'].includes(kind) ? nextDay + DAY : known;
}

const isoDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Trades on all that it can see of everything, and notes it. */
const nosy = (): Decider => ({
  decide({ bar, symbols, windowOf, context, documents, fundamentals, universe, orders, record }) {
    const seen = symbols.map((symbol) => {
      const window = windowOf(symbol);
      return [
        window.features.map((name) => [
          window.feature(name).last,
          window.feature(name).rows({ vintages: true }),
        ]),
        Array.from(window.close.tail(5)),
        window.rebasings,
        fundamentals(symbol, 'eps', 9, { vintages: true }),
        documents.search({ symbol, query: 'oil', limit: 100 }),
      ];
    });
    const wide = context('CTX');
    const all = JSON.stringify([seen, documents.tail(99), universe(), Array.from(wide.close.tail(99))]);
    record({ type: 'note', bar, text: all });
    const symbol = symbols[all.length % 2]!;
    if (all.length % 3 === 0) orders.close({ symbol });
    else
      orders.submit({ symbol, action: all.length % 5 > 2 ? 'buy' : 'sell', quantity: 1 + (all.length % 4) });
  },
});

async function eventsOf({ features, documents, fundamentals, context, actions, out }: Inputs) {
  const events: RunEvent[] = [];
  const days = [...out].sort((a, b) => a - b);
  const universe = [{ symbol: 'A' }, ...spells(days)];
  const result = await runBacktest({
    market: createMarket(market.series),
    features: [featureTable([{ date: '2023-06-30', mood: 0 }, ...features])],
    pointInTime: pointInTimeData({ documents, fundamentals, universe }),
    context,
    actions,
    settings: { adjust: 'point-in-time' },
    onEvent: (event) => events.push(event),
    decider: nosy(),
  });
  if (result.error !== undefined) throw result.error;
  return events;
}

/** B's times in the universe: between the days that it is out of it. */
function spells(out: readonly number[]): { symbol: string; from?: string; to?: string }[] {
  const bounds = [...out, Number.POSITIVE_INFINITY];
  let from: number | undefined;
  return bounds.flatMap((day) => {
    const spell = {
      symbol: 'B',
      ...(from === undefined ? {} : { from: isoDay(from * DAY) }),
      ...(day === Number.POSITIVE_INFINITY ? {} : { to: isoDay((day - 1) * DAY) }),
    };
    const isEmpty = from !== undefined && day <= from;
    from = day + 1;
    return isEmpty ? [] : [spell];
  });
}

describe('look-ahead: inputs that become known after bar t change nothing up to t', () => {
  it('for features, documents, fundamentals, context, actions, rolls, funding and a universe, byte for byte in the journal', async () => {
    const met = { trades: 0, changed: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 0, max: BARS - 1 }),
        async (pieces, bar) => {
          const cut = market.clock[bar]! + DAY;
          const before = await eventsOf(inputsOf(pieces));
          const after = await eventsOf(inputsOf(pieces, cut));
          expect(bytesUpTo(after, bar)).toBe(bytesUpTo(before, bar));
          met.trades += before.filter((event) => event.type === 'order_filled').length;
          if (bytesUpTo(after, BARS) !== bytesUpTo(before, BARS)) met.changed += 1;
        },
      ),
      { numRuns: 150 },
    );
    expect(met.trades).toBeGreaterThan(500);
    expect(met.changed).toBeGreaterThan(30);
  });
});
