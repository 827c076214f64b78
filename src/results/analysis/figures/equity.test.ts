import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { type BarContext, type RunEvent, runBacktest } from '../../../engine/index.ts';
import { type RunRecord, recordOf } from '../../../journal/index.ts';
import { sessionTerms, simulateMarket } from '../../../market/index.ts';
import { alarmsOf } from '../alarms/alarms.ts';
import { evaluated } from '../summary/evaluation.ts';
import { meanExposure, timeInMarket } from './costs.ts';
import { equityColumns, reportSettings } from './equity.ts';

describe('the settings of a run', () => {
  const settingsOf = (settings: object) => {
    const record = runRecord({ equity: [1] });
    const { cash, seed } = reportSettings({
      ...record,
      started: { ...record.started, settings },
    } as RunRecord);
    return { cash: cash.toString(), seed };
  };

  it('contain the initial cash and the seed', () => {
    expect(settingsOf({ cash: '12.50', seed: 3 })).toEqual({ cash: '12.5', seed: 3 });
    expect(settingsOf({ cash: '0.01' })).toEqual({ cash: '0.01', seed: null });
  });

  it.each([
    [{}],
    [{ cash: '0' }],
    [{ cash: '0.00' }],
    [{ cash: '-5' }],
    [{ cash: 5 }],
    [{ cash: '5', seed: 0.5 }],
  ])('are refused without a positive amount of cash, or with a fractional seed: %j', (settings) => {
    expect(() => settingsOf(settings)).toThrow('Its run_started event names no positive settings.cash.');
  });
});

describe('the equity of a run', () => {
  it('is read from the bars of the journal', () => {
    const columns = equityColumns(
      runRecord({ cash: '99', equity: [100, '100.5'], dates: ['2024-01-01', '2024-01-02T12:00:00'] }),
    );
    expect(columns).toEqual({
      initialCash: columns.initialCash,
      startsBefore: false,
      barTimes: undefined,
      times: Float64Array.of(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 2, 12)),
      equity: Float64Array.of(100, 100.5),
    });
    expect(columns.initialCash.toString()).toBe('99');
  });

  it('is refused if an amount is empty or not finite', () => {
    for (const amount of ['', 'Infinity', 'NaN'])
      expect(() => equityColumns(runRecord({ cash: '1', equity: [1, amount] }))).toThrow(
        `The equity of bar 1, "${amount}", is not an amount.`,
      );
  });

  it('is known before the first bar if earlier bars were not evaluated', () => {
    const equity = [100, 100, 105];
    const startsBefore = (settings: object, cut = true) => {
      const record = runRecord({ equity, settings: settings as Record<string, string> });
      return equityColumns(cut ? evaluated(record) : record).startsBefore;
    };
    expect(startsBefore({})).toBe(false);
    expect(startsBefore({ evaluateFrom: '2024-01-02' })).toBe(true);
    expect(startsBefore({ evaluateFrom: '2024-01-02' }, false)).toBe(false);
    expect(startsBefore({ evaluateFrom: '2023-01-01' })).toBe(true);
  });

  it('has the sessions and the bar times of the settings', () => {
    const session = sessionTerms('09:30-16:00', undefined, 'America/New_York')!;
    const settings = { barTimes: 'end', session } as never;
    expect(equityColumns(runRecord({ equity: [1], settings }))).toMatchObject({ barTimes: 'end', session });
    expect(equityColumns(runRecord({ equity: [1] }))).not.toHaveProperty('session');
  });
});

describe('a run in memory', () => {
  async function recordsOf(settings: object, decide: (turn: BarContext) => void) {
    const events: RunEvent[] = [];
    const market = simulateMarket({ seed: 3, bars: 40 });
    await runBacktest({
      market,
      decider: { decide },
      settings,
      lightBars: true,
      onEvent: (event) => events.push(event),
    });
    return [recordOf(events), recordOf(JSON.parse(JSON.stringify(events)) as RunEvent[])].map(evaluated) as [
      RunRecord,
      RunRecord,
    ];
  }
  const trades = ({ bar, orders }: BarContext): void => {
    if (bar === 9) orders.submit({ action: 'buy', equityFraction: 0.5 });
    if (bar === 20) orders.close();
  };
  const ruin = ({ bar, orders }: BarContext): void => {
    if (bar === 3) orders.submit({ action: 'sell', equityFraction: 30 });
    if (bar === 30) orders.submit({ action: 'buy', equityFraction: 30 });
  };

  it.each([
    ['a position for some bars', {}, trades],
    ['bars before its evaluation', { evaluateFrom: '2000-01-17' }, trades],
    ['its first evaluated bar after a decision', { evaluateFrom: 'first-decision' }, trades],
    ['negative equity', { leverage: 50, allowNegativeEquity: true }, ruin],
  ])('has the same figures as its journal: %s', async (name, settings, decide) => {
    const [light, plain] = await recordsOf(settings, decide);
    expect(equityColumns(light)).toEqual(equityColumns(plain));
    const share = timeInMarket(plain) as number;
    expect(timeInMarket(light)).toBe(share);
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.95);
    expect(alarmsOf(light)).toEqual(alarmsOf(plain));
    const [own, other] = [meanExposure(light), meanExposure(plain)];
    if (typeof other === 'number') expect(own).toBeCloseTo(other, 12);
    else expect(own).toEqual(other);
    expect(typeof other === 'object').toBe(name === 'negative equity');
  });
});
