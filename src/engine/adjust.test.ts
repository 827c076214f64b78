import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../kernel/index.ts';
import {
  adjustmentsOf,
  type BarSeries,
  backAdjust,
  type CorporateAction,
  createMarket,
  mapColumns,
  simulateMarket,
} from '../market/index.ts';
import { runBacktest } from './run.ts';
import { readRunSettings } from './settings/settings.ts';
import { World } from './world/world.ts';

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Returns daily bars with unadjusted prices, and splits and dividends that these prices reflect. */
function given(seed: number, count = 60): { series: BarSeries; actions: CorporateAction[] } {
  const [series] = simulateMarket({ seed, bars: count, symbols: ['A'], start: '2020-01-01' }).series;
  const at = (bar: number): number => series!.time[bar]!;
  const actions: CorporateAction[] = [
    { symbol: 'A', time: at(10), kind: 'dividend', amount: '0.5' },
    { symbol: 'A', time: at(20 + (seed % 5)), kind: 'split', to: '4', from: '1' },
    { symbol: 'A', time: at(20 + (seed % 5)), kind: 'dividend', amount: '0.25' },
    // An action between two bars is applied with the next bar.
    { symbol: 'A', time: at(40) + DAY / 2, kind: 'split', to: '1', from: '5' },
  ];
  return { series: series!, actions };
}

const settings = readRunSettings({ adjust: 'point-in-time' });

describe('point-in-time adjusted history', () => {
  it('equals the past bars adjusted by the past actions, with a raw newest bar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.constantFrom(null, 15), (seed, lookback) => {
        const { series, actions } = given(seed);
        const world = new World(createMarket([series]), { ...settings, lookback }, undefined, { actions });
        for (let bar = 0; bar < series.time.length; bar++) {
          world.reveal();
          world.open();
          const soFar = mapColumns(series, (column) => column.slice(0, bar + 1));
          const known = actions.filter(({ time }) => time <= series.time[bar]!);
          const adjusted = backAdjust(soFar, adjustmentsOf(soFar, known));
          const { window } = world.turn;
          for (const name of COLUMNS) {
            const [own, other] = [window[name].tail(bar + 1), adjusted[name].slice(-window.length)];
            for (const [index, value] of own.entries())
              expect(Math.abs(value / other[index]! - 1)).toBeLessThan(1e-9);
            expect(window[name].last).toBe(series[name][bar]);
          }
          const week = window.resample('1w', { partial: true });
          expect(week.close.last).toBe(window.close.last);
          if (lookback === null) expect(week.open.at(0)).toBe(window.open.at(0));
        }
        expect(world.turn.window.rebasings).toHaveLength(4);
      }),
      { numRuns: 30 },
    );
  });

  it('does not change before an action that is removed, added or changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 11, max: 58 }),
        async (seed, cut) => {
          const { series, actions } = given(seed);
          const later = series.time[cut]!;
          const other: CorporateAction[] = [
            ...actions.filter(({ time }) => time <= later),
            { symbol: 'A', time: later + 1, kind: 'split', to: '7', from: '1' },
          ];
          const [one, two] = await Promise.all([actions, other].map((each) => traded(series, each)));
          const until = (lines: readonly string[]): readonly string[] =>
            lines.slice(0, lines.findIndex((line) => line.startsWith(`{"type":"bar","bar":${cut},`)) + 1);
          expect(until(two!)).toEqual(until(one!));
          expect(two).not.toEqual(one);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('does not change fills and the account', async () => {
    const { series, actions } = given(3);
    const run = async (adjust?: 'point-in-time'): Promise<string[]> => {
      const lines: string[] = [];
      const { error } = await runBacktest({
        market: createMarket([series]),
        actions,
        ...(adjust === undefined ? {} : { settings: { adjust } }),
        onEvent: (event) => void (event.type !== 'run_started' && lines.push(JSON.stringify(event))),
        decider: { decide: (turn) => void (turn.bar === 5 && turn.orders.buy(10)) },
      });
      expect(error).toBeUndefined();
      return lines;
    };
    expect(await run('point-in-time')).toEqual(await run());
  });
});

async function traded(series: BarSeries, actions: readonly CorporateAction[]): Promise<string[]> {
  const lines: string[] = [];
  await runBacktest({
    market: createMarket([series]),
    actions,
    settings: { adjust: 'point-in-time' },
    onEvent: (event) => lines.push(JSON.stringify(event)),
    decider: {
      decide(turn) {
        const { close } = turn.window;
        turn.record({ type: 'note', bar: turn.bar, text: String(close.mean(10)) });
        if (close.last > close.mean(10)) turn.orders.buy(1);
        else turn.orders.close();
      },
    },
  });
  return lines;
}
