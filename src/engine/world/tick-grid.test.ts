import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { readRunSettings } from '../settings/settings.ts';
import { checkTickGrid } from './price-details.ts';

const market = createMarket([
  barSeries('A', [
    { time: 0, open: 10.1, high: 10.3, low: 10, close: 10.2, volume: 1 },
    { time: DAY, open: 10.1, high: 10.2, low: 10.1, close: 10.2, volume: 1 },
    { time: 2 * DAY, open: 10.25, high: 10.25, low: 10.25, close: 10.25, volume: 1 },
  ]),
]);

describe('a tick', () => {
  it('without a multiple inside a bar is reported as a fault of the data with the bar', () => {
    expect(() => checkTickGrid(market, readRunSettings({ tick: 0.25 }))).toThrow(
      'The tick does not fit the data: 1 fault\n  A 1970-01-02: no price from 10.1 to 10.2 is a multiple of the tick of 0.25',
    );
    expect(() => checkTickGrid(market, readRunSettings({ instruments: { A: { tick: 0.3 } } }))).toThrow(
      'from 10.25 to 10.25 is a multiple of the tick of 0.3',
    );
  });

  it('is accepted if every bar has a multiple, or if no tick is set', () => {
    for (const settings of [
      {},
      { tick: 0.05 },
      { tick: 0.01 },
      { tick: 0.25, instruments: { A: { tick: 0.05 } } },
    ])
      expect(() => checkTickGrid(market, readRunSettings(settings))).not.toThrow();
  });
});
