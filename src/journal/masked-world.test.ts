import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomCosts } from '../broker/index.ts';
import {
  type BacktestResult,
  MASK_KINDS,
  type RunEvent,
  type RunSettingsInput,
  readRunSettings,
  runBacktest,
} from '../engine/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  createMarket,
  DetailBars,
  mapColumns,
  simulateMarket,
} from '../market/index.ts';
import {
  canarySeries,
  createMask,
  type GivenWorld,
  maskWorld,
  unmasker,
  withCanary,
} from '../masking/index.ts';

const BARS = 80;

/** Two cents' worth of precision: so few digits that every factor keeps them exact. */
function rounded(series: BarSeries): BarSeries {
  const cents = (column: Float64Array): Float64Array => column.map((value) => Math.round(value * 100) / 100);
  const { symbol, time, volume } = series;
  const [open, high, low, close] = [series.open, series.high, series.low, series.close].map(cents);
  return { symbol, time, open: open!, high: high!, low: low!, close: close!, volume };
}

function seriesOf(symbol: string, seed: number, bars = BARS): BarSeries {
  return rounded(simulateMarket({ seed, bars, symbols: [symbol], start: '2019-01-01' }).series[0]!);
}

/** Finer bars, four a bar, that stay inside it. */
function finer({ symbol, time, open, high, low, close, volume }: BarSeries): BarSeries {
  const from = <Value>(of: (bar: number, part: number) => Value): Value[] =>
    [...time].flatMap((_, bar) => [0, 1, 2, 3].map((part) => of(bar, part)));
  const column = (of: (bar: number, part: number) => number): Float64Array => Float64Array.from(from(of));
  const path = (bar: number): number[] => [open[bar]!, low[bar]!, high[bar]!, close[bar]!];
  return {
    symbol,
    time: column((bar, part) => time[bar]! + part * 3_600_000),
    open: column((bar, part) => path(bar)[Math.max(part - 1, 0)]!),
    high: column((bar, part) => Math.max(path(bar)[Math.max(part - 1, 0)]!, path(bar)[part]!)),
    low: column((bar, part) => Math.min(path(bar)[Math.max(part - 1, 0)]!, path(bar)[part]!)),
    close: column((bar, part) => path(bar)[part]!),
    volume: column((bar) => volume[bar]!),
  };
}

/** A world with everything in it that a mask has to reach. */
function fullWorld(seed: number, settings: RunSettingsInput): GivenWorld {
  const home = seriesOf('HOMECO', seed);
  const away = seriesOf('PARISCO', seed + 1);
  const gone = seriesOf('GONECO', seed + 2, BARS - 30);
  const spread = home.close.map((close) => Math.round(close / 10) / 100);
  const euros = seriesOf('EURUSD', seed + 3, BARS + 20);
  const rates = mapColumns(euros, (column) =>
    column === euros.time ? column : column.map((value) => Math.round(value * 100) / 10_000),
  );
  const at = (bar: number): number => home.time[bar]!;
  const actions: CorporateAction[] = [
    { symbol: 'HOMECO', time: at(20), kind: 'dividend', amount: '0.55' },
    { symbol: 'PARISCO', time: at(30), kind: 'dividend', amount: '1.25' },
    { symbol: 'HOMECO', time: at(40), kind: 'split', to: '4', from: '1' },
    { symbol: 'GONECO', time: at(BARS - 25), kind: 'delisting', price: '12.5' },
    { symbol: 'OTHER', time: at(3), kind: 'dividend', amount: '9' },
    { symbol: 'HOMECO', time: at(15) + 3_600_000, kind: 'funding', rate: '0.0003' },
    { symbol: 'PARISCO', time: at(25), kind: 'funding', rate: '-0.00125' },
  ];
  const series = [home, away, gone].map((one) => ({
    ...one,
    extra: { spread: one === home ? spread : one.close.map(() => 0.04) },
  }));
  const market = createMarket(series);
  return {
    market,
    settings: readRunSettings({
      ...(settings.slippageBps === undefined ? { slippage: { model: 'spread', column: 'spread' } } : {}),
      tick: 0.01,
      leverage: 2,
      instruments: { PARISCO: { currency: 'EUR', minimumNotional: 50 }, HOMECO: { tick: 0.05 } },
      ...settings,
    }),
    rates: [{ ...rates, symbol: 'EURUSD' }],
    actions,
    detail: new DetailBars(market, [finer(home)]),
    ...(settings.currencies?.EUR?.rate === 1.25 ? { costs: OWN_COSTS } : {}),
  };
}

/** Costs in real money, by real names, whatever the run is shown. */
const OWN_COSTS: CustomCosts = {
  commission: ({ symbol, tradedBefore }) =>
    symbol === 'HOMECO' ? (tradedBefore > 5_000 ? 1.25 : 2.5) : '1.5',
  slippage: ({ volume, price }) => (volume > 0 && price > 20 ? 0.02 : 0.01),
};

/** Trades on what does not depend on levels: the bar's number and the direction of the last move. */
async function run(
  world: GivenWorld,
  withFuture: boolean,
): Promise<{ readonly result: BacktestResult; readonly events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: withFuture ? withCanary(world.market) : world.market,
    rates: withFuture ? canarySeries(world.rates, world.market) : world.rates,
    settings: world.settings,
    actions: world.actions,
    ...(world.detail === undefined ? {} : { detail: world.detail }),
    ...(world.costs === undefined ? {} : { costs: world.costs }),
    onEvent: (event) => events.push(event),
    decider: {
      decide(turn) {
        for (const [index, symbol] of turn.symbols.entries()) {
          const { close, length } = turn.windowOf(symbol);
          if (length < 3 || (turn.bar + index) % 4 !== 0) continue;
          const up = close.at(-1) > close.at(-2);
          if (turn.account.units(symbol) !== 0 && !up) turn.orders.close({ symbol });
          if (!up) continue;
          turn.orders.submit({
            action: turn.bar % 8 === 0 ? 'sell' : 'buy',
            symbol,
            quantity: 10,
            // As fractions: levels that a rule computes would be rounded here and there.
            stopLoss: { fraction: 0.08 },
            takeProfit: { fraction: 0.04 },
          });
        }
      },
    },
  });
  if (result.error !== undefined) throw result.error;
  return { result, events };
}

/** Of what has to have happened in some of the runs. */
const SIGNS = ['"dividend"', '"type":"split"', '"delisted"', '"detailTime"', '"fxPnl"', '"order_adjusted"'];

const SETTINGS: readonly RunSettingsInput[] = [
  { commissionRate: 0.001 },
  { currencies: { EUR: { rate: 'EURUSD' } }, currency: 'USD', lots: 'average' },
  { currencies: { EUR: { rate: 1.25 } } },
  { currencies: { EUR: { rate: 'EURUSD', inverse: true } }, slippageBps: 5 },
  { currencies: { EUR: { rate: 'PARISCO', tradable: true } } },
  { commission: { model: 'maker-taker', maker: 0.001, taker: 0.002 }, risk: { maxOrderNotional: 1500 } },
];

describe('a world behind a mask', () => {
  it('earns the same, bar by bar, with actions, exchange rates, finer bars and spreads, canary or not', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10_000 }),
        fc.subarray([...MASK_KINDS], { minLength: 1 }),
        fc.constantFrom(...SETTINGS),
        async (seed, kinds, settings) => {
          const world = fullWorld(seed, settings);
          const mask = createMask(kinds, world.market, seed, world.settings);
          const open = await run(world, false);
          const masked = await run(maskWorld(world, mask), true);
          const started = { mask, symbols: Object.keys(mask.symbols) };
          const real = unmasker(started);
          for (const sign of SIGNS) if (JSON.stringify(open.events).includes(sign)) seen.add(sign);
          expect(differences(plain(open.events), plain(masked.events.map((event) => real(event))))).toEqual(
            [],
          );
        },
      ),
      { numRuns: 40 },
    );
    expect([...seen].sort()).toEqual([...SIGNS].sort());
  });
});

const plain = (events: readonly unknown[]): unknown => JSON.parse(JSON.stringify(events));

/** What was said to whoever ordered is in masked money; all else comes back. */
const SAID = new Set(['message', 'remedy']);
/** Of amounts: a split leaves units that cost 12 decimals, and 105.535 may come back as 105.534999999999. */
const APART = 1e-8;
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** Where two events are not the same, amounts by more than `APART`. */
function differences(one: unknown, other: unknown, where = ''): string[] {
  if (isAmount(one) && isAmount(other) && Math.abs(Number(one) - Number(other)) <= APART) return [];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
      ? []
      : [`${where}: ${JSON.stringify(one)}, and behind the mask ${JSON.stringify(other)}`];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !SAID.has(name));
  return fields.flatMap((name) =>
    differences(
      (one as Readonly<Record<string, unknown>>)[name],
      (other as Readonly<Record<string, unknown>>)[name],
      `${where}.${name}`,
    ),
  );
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && AMOUNT.test(value));
}
