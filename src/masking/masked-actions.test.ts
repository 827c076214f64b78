import { describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { DAY } from '../kernel/index.ts';
import { barSeries, type CorporateAction, createMarket } from '../market/index.ts';
import { createMask } from './mask.ts';
import { maskWorld } from './mask-world.ts';

const START = Date.UTC(2021, 0, 4);
const bars = Array.from({ length: 60 }, (_, index) => {
  const open = 100 + index / 4;
  return { time: START + index * DAY, open, high: open + 0.5, low: open - 0.5, close: open, volume: 1_000 };
});
const market = createMarket([barSeries('GOLD', bars)]);
const settings = readRunSettings({});
const at = { symbol: 'GOLD', time: bars[20]!.time };
const AMOUNTS = ['0.22', '0.23', '0.24', '0.25', '0.25', '1.5', '2'];
const actions: CorporateAction[] = [
  // 100 equals the open of the first bar, and 105 equals the open of the bar of the roll.
  { ...at, kind: 'roll', oldContract: 'GCM21', newContract: 'GCZ21', oldPrice: '100', newPrice: '105' },
  ...AMOUNTS.map((amount, index) => ({
    symbol: 'GOLD',
    time: bars[30 + index]!.time,
    kind: 'dividend' as const,
    amount,
  })),
  { symbol: 'GOLD', time: bars[59]!.time, kind: 'delisting', price: '114' },
];

function shownWith(seed: number) {
  const mask = createMask(['prices'], market, seed, settings);
  const world = maskWorld({ market, settings, rates: [], actions }, mask);
  const [shown] = world.market.series;
  return { actions: world.actions, shown: shown!, factor: Number(mask.scales!.GOLD!.price) };
}

describe('actions with masked prices', () => {
  it('have the prices of bars with the same price, and not their real ratio', () => {
    let exact = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { actions, shown } = shownWith(seed);
      const roll = actions.find(({ kind }) => kind === 'roll');
      if (roll?.kind !== 'roll') throw new Error('no roll');
      expect(Number(roll.oldPrice)).toBe(shown.open[0]);
      expect(Number(roll.newPrice)).toBe(shown.open[20]);
      if (Math.abs(Number(roll.newPrice) / Number(roll.oldPrice) - 1.05) < 2e-5) exact++;
      const delisting = actions.find(({ kind }) => kind === 'delisting');
      expect(delisting).toMatchObject({ price: String(shown.open[56]) });
    }
    expect(exact).toBeLessThan(4);
  });

  it('have dividends that reveal the factor only within 2 % and no exact ratio; equal ones remain equal', () => {
    let exact = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { actions, factor } = shownWith(seed);
      const paid = actions.flatMap((action) => (action.kind === 'dividend' ? [Number(action.amount)] : []));
      expect(paid).toHaveLength(AMOUNTS.length);
      expect(paid[3]).toBe(paid[4]);
      for (const [index, amount] of AMOUNTS.entries()) {
        const ratio = paid[index]! / factor / Number(amount);
        expect(Math.abs(ratio - 1)).toBeLessThan(0.026);
        if (Math.abs(ratio - 1) < 0.001) exact++;
      }
    }
    expect(exact).toBeLessThan(20);
  });
});
