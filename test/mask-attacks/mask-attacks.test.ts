import assert from 'node:assert/strict';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MaskKind, type MaskTerms, type RunSettings, readRunSettings } from '../../src/engine/index.ts';
import { createRandom } from '../../src/kernel/index.ts';
import { type BarSeries, createMarket, mapColumns } from '../../src/market/index.ts';
import { createMask, maskWorld } from '../../src/masking/index.ts';
import { sampled } from '../support/depth.ts';
import { changes, commonDivisor, digits, holidays, moments, pieces, ratios, type Shown } from './attacks.ts';
import { candidates as readCandidates } from './candidates.ts';

const WINDOW = 120;
const TRIALS = 40;
/** Dollars per share, as brokers in New York charge. */
const FEE = 0.005;
const MASKS = {
  'symbols,dates': ['symbols', 'dates'],
  prices: ['prices'],
  'symbols,dates,prices': ['symbols', 'dates', 'prices'],
  'symbols,dates,prices,shape': ['symbols', 'dates', 'prices', 'shape'],
} as const satisfies Record<string, readonly MaskKind[]>;
type MaskName = keyof typeof MASKS;

interface Trial {
  readonly series: readonly [BarSeries, BarSeries];
  readonly from: number;
  readonly shown: readonly [Shown, Shown];
  readonly terms: MaskTerms;
  /** Settings with the instrument of the first symbol only. */
  readonly settings: RunSettings;
  /** Price factor of the first symbol. */
  readonly factor: number;
  readonly volumeFactor: number;
}

let all: readonly BarSeries[];
beforeAll(async () => {
  all = await readCandidates();
});

/** Creates a masked market with two symbols over the same days. */
function trialOf(mask: readonly MaskKind[], trial: number): Trial {
  const random = createRandom(trial, 'trials');
  const pick = (): BarSeries => all[random.integer(0, all.length - 1)]!;
  for (;;) {
    const [one, other] = [pick(), pick()];
    if (one === other) continue;
    const latest = Math.min(one.close.length, other.close.length) - WINDOW;
    const from = random.integer(0, latest);
    const cut = (series: BarSeries, at: number, days = series.time): BarSeries =>
      mapColumns({ ...series, interval: '1d' }, (column) =>
        (column === series.time ? days : column).slice(at, at + WINDOW),
      );
    // The second series gets the dates of the first.
    const market = createMarket([cut(one, from), cut(other, from, one.time)]);
    const terms = createMask(mask, market, trial);
    const commission = { model: 'per-share', perShare: FEE } as const;
    const { market: shown, settings } = maskWorld(
      { market, settings: readRunSettings({ commission }), rates: [], actions: [] },
      terms,
    );
    const find = (symbol: string): BarSeries =>
      shown.series.find((series) => terms.symbols[series.symbol] === symbol)!;
    const name = find(one.symbol).symbol;
    return {
      series: [one, other],
      from,
      shown: [find(one.symbol), find(other.symbol)],
      terms,
      settings: { ...settings, instruments: { [name]: settings.instruments[name]! } },
      factor: Number(terms.scales?.[name]?.price ?? '1'),
      volumeFactor: Number(terms.scales?.[name]?.volume ?? '1'),
    };
  }
}

/**
 * Returns the fee per share and the lot size in a masked run, relative to their well-known real values. Fills
 * and rejections reveal these settings.
 */
function knownTerms({ terms, settings }: Trial): { readonly fee: number; readonly lot: number } {
  const [own] = Object.values(settings.instruments);
  const commission = own?.commission;
  assert(commission?.model === 'per-share' && terms.scales !== undefined);
  return { fee: commission.perShare / FEE, lot: 1 / Number(own!.lot) };
}

/** Attacks by name. Each returns true if it finds its target. */
const ATTACKS: Readonly<Record<string, (trial: Trial) => boolean>> = {
  'greatest common divisor, of prices that are only multiplied': ({ shown: [{ close }] }) => {
    const values = Array.from(close, (price) => price * 2.371_7);
    return Math.abs(commonDivisor(values, 2.371_7) / 2.371_7 - 1) < 1e-9;
  },
  'greatest common divisor, of prices that are multiplied and rounded to five digits': ({
    shown: [{ close }],
  }) => {
    const values = Array.from(close, (price) => Number((price * 2.371_7).toPrecision(5)));
    return Math.abs(commonDivisor(values, 2.371_7) / 2.371_7 - 1) < 1e-9;
  },
  'a known fee of a share: the factor within 6 %': (trial) =>
    Math.abs(knownTerms(trial).fee / trial.factor - 1) < 0.06,
  'a known fee of a share: the factor within 0.1 %': (trial) =>
    Math.abs(knownTerms(trial).fee / trial.factor - 1) < 0.001,
  'a known lot: the factor within 6 %': (trial) => Math.abs(knownTerms(trial).lot / trial.factor - 1) < 0.06,
  'greatest common divisor of prices: the factor': ({ shown: [{ open, high, low, close }], factor }) => {
    const values = [...open, ...high, ...low, ...close];
    return Math.abs(commonDivisor(values, factor) / factor - 1) < 1e-9;
  },
  'greatest common divisor of volumes: the factor': ({ shown: [{ volume }], volumeFactor }) =>
    Math.abs(commonDivisor([...volume], volumeFactor, 1) / volumeFactor - 1) < 1e-9,
  'digits of prices: the symbol': ({ shown: [one], series: [real] }) =>
    digits(one, all)?.symbol === real.symbol,
  'ratios between two symbols: both': ({ shown, series, from }) => {
    const days = series[0].time;
    // In the attacker's data, the second symbol has the dates of the first as well.
    const known = all.map((series_) => (series_ === series[1] ? { ...series[1], time: days } : series_));
    const found = ratios(shown, known);
    return (
      found?.[0].symbol === series[0].symbol && found[1].symbol === series[1].symbol && found[0].from === from
    );
  },
  'weekends and holidays: the dates': ({ shown: [one], series: [real], from }) => {
    const found = holidays(one, all);
    return (
      found !== undefined &&
      all.find(({ symbol }) => symbol === found.symbol)!.time[found.from] === real.time[from]
    );
  },
  'changes of volume: symbol and dates': ({ shown: [one], series: [real], from }) => {
    const found = changes('volume', one, all);
    return found?.symbol === real.symbol && found.from === from;
  },
  'returns: symbol, dates and so the factor': ({ shown: [one], series: [real], from }) => {
    const found = changes('close', one, all);
    return found?.symbol === real.symbol && found.from === from;
  },
  'pieces of three bars: the symbol': ({ shown: [one], series: [real] }) => pieces(one, all) === real.symbol,
  'volatility and ranges: the symbol': ({ shown: [one], series: [real] }) =>
    moments(one, all) === real.symbol,
};

/** Returns the share of trials in which an attack succeeds. */
function rateOf(attack: keyof typeof ATTACKS, mask: MaskName, trials = TRIALS): number {
  let found = 0;
  for (let trial = 0; trial < trials; trial++) if (ATTACKS[attack]!(trialOf(MASKS[mask], trial))) found++;
  return found / trials;
}

describe('an attacker with the data of a hundred symbols', () => {
  const measured = [
    // Columns: attack, mask, minimum and maximum rate. docs/llm.md contains the measured rates.
    ['greatest common divisor, of prices that are only multiplied', 'symbols,dates', 0.95, 1],
    [
      'greatest common divisor, of prices that are multiplied and rounded to five digits',
      'symbols,dates',
      0.4,
      1,
    ],
    ['a known fee of a share: the factor within 6 %', 'symbols,dates,prices', 1, 1],
    ['a known fee of a share: the factor within 0.1 %', 'symbols,dates,prices', 0, 0.2],
    ['a known lot: the factor within 6 %', 'symbols,dates,prices', 0, 0.2],
    ['greatest common divisor of prices: the factor', 'symbols,dates,prices', 0, 0.05],
    ['greatest common divisor of volumes: the factor', 'symbols,dates,prices', 0, 0.05],
    ['digits of prices: the symbol', 'symbols,dates', 0.75, 1],
    ['digits of prices: the symbol', 'symbols,dates,prices', 0, 0.15],
    ['ratios between two symbols: both', 'symbols,dates', 0.9, 1],
    ['ratios between two symbols: both', 'symbols,dates,prices', 0, 0.05],
    ['weekends and holidays: the dates', 'prices', 0.3, 1],
    ['weekends and holidays: the dates', 'symbols,dates,prices', 0, 0],
    ['changes of volume: symbol and dates', 'symbols,dates,prices', 0.9, 1],
    ['changes of volume: symbol and dates', 'symbols,dates,prices,shape', 0, 0.1],
    ['returns: symbol, dates and so the factor', 'symbols,dates,prices', 0.95, 1],
    ['returns: symbol, dates and so the factor', 'symbols,dates,prices,shape', 0, 0.1],
    ['pieces of three bars: the symbol', 'symbols,dates,prices', 0.95, 1],
    ['pieces of three bars: the symbol', 'symbols,dates,prices,shape', 0, 0.2],
    ['volatility and ranges: the symbol', 'symbols,dates,prices,shape', 0, 0.3],
  ] as const;
  it.each(sampled(measured, 4, 2))(
    'with %s, against %s: succeeds in a share from %d to %d',
    (attack, mask, least, most) => {
      const rate = rateOf(attack, mask, attack.startsWith('pieces') ? 12 : TRIALS);
      if (process.env.MASK_RATES !== undefined) process.stderr.write(`${attack} | ${mask} | ${rate}\n`);
      expect(rate).toBeGreaterThanOrEqual(least);
      expect(rate).toBeLessThanOrEqual(most);
    },
  );
});
