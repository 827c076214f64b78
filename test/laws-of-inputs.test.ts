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

/**
 * Random item of the input data of a run. `tampers`: change of the item in the second run, if the item
 * becomes known after the cut.
 */
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

/**
 * Returns the inputs that consist of the items.
 *
 * @param cut end of the last bar whose results must not change. Items that become known later are changed.
 *   Default: no changes
 */
function inputsOf(pieces: readonly Piece[], cut?: number): Inputs {
  const [features, documents, fundamentals]: [FeatureRow[], DocumentRow[], FundamentalRow[]] = [[], [], []];
  const weeks = new Map<number, number>();
  const actions = new Map<string, CorporateAction>();
  const out = new Set<number>();
  const add = ({ kind, hour, value, symbol }: Piece, name: string, serial: number): void => {
    // Each item has a different time. Two figures for the same period and time would contradict each other.
    const known = first + hour * HOUR + 1 + serial;
    const at = new Date(known).toISOString();
    const date = Math.floor(known / DAY) * DAY;
    if (kind === 'feature')
      features.push({ date: name, available_at: at, symbol, mood: value } as FeatureRow);
    if (kind === 'document')
      documents.push({ id: name, available_at: at, symbol, title: `news ${'oil '.repeat(value + 10)}` });
    if (kind === 'fundamental')
      fundamentals.push({ symbol, field: 'eps', period_end: '2023-12-31', available_at: known, value });
    // A daily bar that begins at `date` becomes known one day later.
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
    // Each row has a different date. Two rows with the same date would be revisions of one value that
    // contradict each other.
    const name = isoDay(first - (60 - number) * DAY);
    if (!isLater || one.tampers === 'one more')
      add(one, one.kind === 'document' ? `d${number}` : name, number);
    if (!isLater || one.tampers === 'gone') continue;
    const other = { ...one, value: -one.value + 1, hour: one.hour + 1 };
    add(other, one.kind === 'document' ? `x${number}` : isoDay(first - (120 - number) * DAY), 1000 + number);
  }
  // The first day always exists, because a series needs at least one bar.
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

/** Returns the time at which an item becomes known. */
function knownAt({ kind, hour }: Piece, serial: number): number {
  const known = first + hour * HOUR + 1 + serial;
  const nextDay = (Math.floor(known / DAY) + 1) * DAY;
  if (kind === 'context') return nextDay;
  // These items take effect on the next day. They become known with the bar of that day, which ends one day
  // later.
  return ['action', 'roll', 'universe'].includes(kind) ? nextDay + DAY : known;
}

const isoDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Returns a decider that reads all available inputs, records them in a note and trades depending on them. */
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

/** Returns the periods in which B belongs to the universe: all times except the given days. */
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
