import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomCases } from '../../test/support/depth.ts';
import type { CustomCosts } from '../broker/index.ts';
import {
  type BacktestResult,
  type MaskTerms,
  type RunEvent,
  type RunSettingsInput,
  readRunSettings,
  runBacktest,
} from '../engine/index.ts';
import { decimal } from '../kernel/index.ts';
import {
  type BarSeries,
  barSeries,
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
  type MaskView,
  maskView,
  maskWorld,
  unmasker,
  withCanary,
} from '../masking/index.ts';

const BARS = 80;

/** Rounds prices to two decimal places, as most real prices are quoted. */
function rounded(series: BarSeries): BarSeries {
  const cents = (column: Float64Array): Float64Array => column.map((value) => Math.round(value * 100) / 100);
  const { symbol, time, volume } = series;
  const [open, high, low, close] = [series.open, series.high, series.low, series.close].map(cents);
  return { symbol, time, open: open!, high: high!, low: low!, close: close!, volume };
}

function seriesOf(symbol: string, seed: number, bars = BARS): BarSeries {
  return rounded(simulateMarket({ seed, bars, symbols: [symbol], start: '2019-01-01' }).series[0]!);
}

/** Returns bars of a shorter interval: four for each bar, with prices within the range of this bar. */
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

/**
 * Returns market data and settings with all kinds of values that a mask must change. A mask hides real
 * symbols, dates and price levels from a strategy.
 */
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
    {
      symbol: 'GONECO',
      time: at(12),
      kind: 'roll',
      oldContract: 'GONECO-1',
      newContract: 'GONECO-2',
      oldPrice: (Math.round(gone.open[12]! * 98) / 100).toFixed(2),
      newPrice: gone.open[12]!.toString(),
    },
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
      lot: '0.001',
      leverage: 2,
      financing: { debitRate: 0.05, creditRate: 0.02, borrowRate: 0.03 },
      instruments: {
        PARISCO: { currency: 'EUR', minimumNotional: 50 },
        HOMECO: {
          tick: 0.05,
          borrow: [
            { from: '2019-02-02', rate: 0.4 },
            { from: '2019-03-03', rate: 0.1 },
          ],
        },
      },
      ...settings,
    }),
    rates: [{ ...rates, symbol: 'EURUSD' }],
    actions,
    detail: new DetailBars(market, [finer(home)]),
    ...(settings.currencies?.EUR?.rate === 1.25 ? { costs: OWN_COSTS } : {}),
  };
}

/** Costs in real money, by real symbol. Such costs must be the same in a masked run. */
const OWN_COSTS: CustomCosts = {
  commission: ({ symbol, tradedBefore }) =>
    symbol === 'HOMECO' ? (tradedBefore > 5_000 ? 1.25 : 2.5) : '1.5',
  slippage: ({ volume, price }) => (volume > 0 && price > 20 ? 0.02 : 0.01),
};

/**
 * Runs a strategy whose decisions do not depend on price levels: only on the bar number and the direction of
 * the last move.
 */
async function run(
  world: GivenWorld,
  withFuture: boolean,
  view?: MaskView,
): Promise<{ readonly result: BacktestResult; readonly events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: withFuture ? withCanary(world.market) : world.market,
    rates: withFuture ? canarySeries(world.rates, world.market) : world.rates,
    settings: world.settings,
    actions: world.actions,
    interestClock: world.interestClock,
    ...(world.detail === undefined ? {} : { detail: world.detail }),
    ...(world.costs === undefined ? {} : { costs: world.costs }),
    onEvent: (event) => events.push(event),
    decider: {
      decide(turn) {
        const realName = (symbol: string): string => view?.symbols[symbol] ?? symbol;
        const symbols = [...turn.symbols].sort((a, b) => (realName(a) < realName(b) ? -1 : 1));
        for (const [index, symbol] of symbols.entries()) {
          const { close, length } = turn.windowOf(symbol);
          if (length < 3 || (turn.bar + index) % 4 !== 0) continue;
          const up = close.at(-1) > close.at(-2);
          if (turn.account.units(symbol) !== 0 && !up) turn.orders.close({ symbol });
          if (!up) continue;
          turn.orders.submit({
            action: turn.bar % 8 === 0 ? 'sell' : 'buy',
            symbol,
            quantity: decimal(10)
              .dividedBy(view?.units(symbol) ?? '1')
              .toNumber(),
            // Fractions instead of prices: a computed price level would be rounded differently in a masked
            // run.
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

/**
 * Texts that the test must find in the events of at least one run. They show that the runs contain all kinds
 * of events.
 */
const SIGNS = ['"dividend"', '"type":"split"', '"delisted"', '"detailTime"', '"fxPnl"', '"order_adjusted"'];

const SETTINGS: readonly RunSettingsInput[] = [
  { commissionRate: 0.001 },
  { commission: { model: 'per-share', perShare: 0.01, minimum: 1 }, participation: 0.0002 },
  { commission: { model: 'fixed', amount: 1.5 }, slippage: { model: 'volume-impact', coefficient: 40 } },
  { commissionRate: 0.001, slippage: { model: 'fixed', amount: 0.02 } },
  { currencies: { EUR: { rate: 'EURUSD' } }, currency: 'USD', lots: 'average' },
  { currencies: { EUR: { rate: 1.25 } } },
  { currencies: { EUR: { rate: 'EURUSD', inverse: true } }, slippageBps: 5 },
  { currencies: { EUR: { rate: 'PARISCO', tradable: true } } },
  { commission: { model: 'maker-taker', maker: 0.001, taker: 0.002 }, risk: { maxOrderNotional: 1500 } },
];

/**
 * Price factors of a mask with few digits. Their products and quotients are short decimals, so only the
 * rounding of prices loses digits.
 */
const FACTORS = ['0.16', '0.25', '0.32', '0.64', '1.6', '2.5', '3.2', '6.4'];

function withShortFactors(mask: MaskTerms, seed: number): MaskTerms {
  const { scales, currencies } = mask;
  if (scales === undefined) return mask;
  const pick = (index: number): string => FACTORS[(seed + index) % FACTORS.length]!;
  return {
    ...mask,
    scales: Object.fromEntries(
      Object.keys(scales).map((name, index) => {
        const [price, turnover] = [pick(index), '2.5'];
        const foreign = Object.values(currencies ?? {}).some(({ symbols }) => symbols.includes(name));
        const units = decimal(price).times(foreign ? '1.6' : '1');
        return [name, { price, turnover, volume: decimal(turnover).dividedBy(units).toString() }];
      }),
    ),
    ...(currencies === undefined
      ? {}
      : {
          currencies: Object.fromEntries(
            Object.entries(currencies).map(([name, own]) => [name, { ...own, rateFactor: '1.6' }]),
          ),
        }),
  };
}

/**
 * Converts the masked market back to real symbols, dates and prices. The prices are still rounded as in the
 * mask, so a run on this market must match a masked run.
 */
function roundedWorld(world: GivenWorld, masked: GivenWorld, view: MaskView): GivenWorld {
  const { market, settings } = world;
  const over = (value: number, factor: string): number => decimal(value).dividedBy(factor).toNumber();
  const shownOf = (symbol: string): BarSeries =>
    masked.market.series.find((one) => view.symbols[one.symbol] === symbol)!;
  const back = (shown: BarSeries, real: BarSeries): BarSeries => ({
    ...mapColumns(shown, (column) =>
      column === shown.time
        ? real.time
        : column.map((value) =>
            over(value, column === shown.volume ? view.volume(shown.symbol) : view.price(shown.symbol)),
          ),
    ),
    symbol: real.symbol,
  });
  const own = (symbol: string) => masked.settings.instruments[view.names.get(symbol)!];
  return {
    ...world,
    market: createMarket(market.series.map((real) => back(shownOf(real.symbol), real))),
    detail: world.detail?.seenThrough((real) => {
      const name = view.names.get(real.symbol)!;
      const index = masked.market.symbols.indexOf(name);
      const shown = masked.detail!.barsOf(index, 0).length;
      expect(shown).toBe(4);
      const bars = [...market.series.find(({ symbol }) => symbol === real.symbol)!.time].flatMap((_, bar) => [
        ...masked.detail!.barsOf(index, bar),
      ]);
      return back(barSeries(name, bars), real);
    }),
    actions: world.actions.flatMap((real) => {
      const name = view.names.get(real.symbol);
      const shown = masked.actions.find(
        (one) => one.symbol === name && one.kind === real.kind && name !== undefined,
      );
      if (shown === undefined) return [];
      const price = view.price(name!);
      if (shown.kind === 'dividend')
        return [{ ...shown, ...when(real), amount: String(over(Number(shown.amount), price)) }];
      if (shown.kind === 'delisting')
        return [{ ...shown, ...when(real), price: String(over(Number(shown.price), price)) }];
      if (shown.kind !== 'roll') return [real];
      const [oldPrice, newPrice] = [shown.oldPrice, shown.newPrice].map((text) =>
        String(over(Number(text), price)),
      );
      return [{ ...shown, ...when(real), oldPrice: oldPrice!, newPrice: newPrice! }];
    }),
    rates: masked.rates.map(({ ends: _, ...shown }) => {
      const { rateFactor } = view.terms.currencies![shown.symbol.slice(3)]!;
      return {
        ...mapColumns(shown, (column) =>
          column === shown.time
            ? market.clock
            : column.map((value) => (Number.isNaN(value) ? value : over(value, rateFactor))),
        ),
        symbol: shown.symbol,
      };
    }),
    settings: readRunSettings({
      ...(settings as RunSettingsInput),
      currencies: Object.fromEntries(
        Object.entries(view.terms.currencies ?? {}).map(([name, { real, rateFactor }]) => {
          const { rate } = masked.settings.currencies[name]!;
          return [real, { rate: typeof rate === 'number' ? over(rate, rateFactor) : rate }];
        }),
      ),
      instruments: Object.fromEntries(
        market.symbols.map((symbol) => {
          const name = view.names.get(symbol)!;
          const { lot = settings.lot, tick } = own(symbol) ?? {};
          const real = settings.instruments[symbol] ?? {};
          return [
            symbol,
            {
              ...real,
              lot: decimal(lot).times(view.units(name)).toString(),
              tick: tick === undefined ? (real.tick ?? settings.tick) : over(tick, view.price(name)),
            },
          ];
        }),
      ),
    }),
  };
}

const when = ({ symbol, time }: CorporateAction) => ({ symbol, time });

describe('a masked world built from a journal', () => {
  it('equals the world of the run, with actions, exchange rates, finer bars, spreads and fees, with and without canary', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10_000 }),
        fc.subarray(['symbols', 'dates', 'prices'] as const, { minLength: 1 }),
        fc.constantFrom(...SETTINGS),
        async (seed, kinds, settings) => {
          const world = fullWorld(seed, settings);
          const mask = withShortFactors(createMask(kinds, world.market, seed, world.settings), seed);
          const view = maskView(mask);
          const shown = maskWorld(world, mask);
          const open = await run(roundedWorld(world, shown, view), false);
          const masked = await run(shown, true, view);
          const real = unmasker({ mask, symbols: shown.market.symbols });
          for (const sign of SIGNS) if (JSON.stringify(open.events).includes(sign)) seen.add(sign);
          expect(differences(plain(open.events), plain(masked.events.map((event) => real(event))))).toEqual(
            [],
          );
        },
      ),
      randomCases(20, 120),
    );
    expect([...seen].sort()).toEqual([...SIGNS].sort());
  });
});

const plain = (events: readonly unknown[]): unknown => JSON.parse(JSON.stringify(events));

/**
 * Fields that are not compared. Messages to the strategy contain masked values. The settings differ between
 * the masked and the real market.
 */
const SAID = new Set(['message', 'remedy', 'settings']);
/**
 * Allowed difference of amounts. Amounts after a split are rounded to 12 decimals, so 105.535 may be
 * converted back to 105.534999999999.
 */
const APART = 1e-8;
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** Lists the differences between two events. Amounts may differ by up to `APART`. */
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
