import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMarket, simulateMarket } from '../../market/index.ts';
import type { WorldFiles } from '../../runner/index.ts';
import { chooseHoldout, readHoldout, withoutHoldout } from './holdout.ts';

const store = mkdtempSync(join(tmpdir(), 'sandtable-holdout-'));
afterAll(() => rmSync(store, { recursive: true }));

const { series } = simulateMarket({ seed: 1, bars: 20, interval: '1d' });
const market = createMarket(series);
const files = { market, sources: [], features: [], context: [series[0]!] } as unknown as WorldFiles;
const dateAt = (bar: number): string => new Date(market.clock.at(bar)!).toISOString().slice(0, 10);
const choose = (text: string) => chooseHoldout(files, readHoldout(text), { store, strategy: 'cross' });

describe('the length of a holdout', () => {
  it('is a length of time or "none"', () => {
    expect(readHoldout(' none ')).toBe('none');
    expect(readHoldout('5d')).toMatchObject({ text: '5d' });
    for (const [text, meant] of [
      ['6mo', '6m'],
      ['6 months', '6m'],
      ['1Y', '1y'],
      ['90 days', '90d'],
      ['2wk', '2w'],
    ])
      expect(readHoldout(text!)).toMatchObject({ text: meant });
    expect(() => readHoldout('soon')).toThrow('--holdout soon is not a length of time.');
  });
});

describe('reserved bars', () => {
  it('begin after the last bar that is at least the holdout length before the end', () => {
    const lastDay = market.clock.at(-1)!;
    const { from, warnings } = choose('7d');
    expect(warnings).toEqual([]);
    const first = market.clock.find((time) => time > lastDay - 7 * 86_400_000)!;
    expect(from).toBe(new Date(first).toISOString().slice(0, 10));
    expect(chooseHoldout(files, undefined, { store, strategy: 'cross' })).toEqual({
      from: null,
      warnings: [],
    });
    expect(choose('none')).toEqual({ from: null, warnings: [] });
  });

  it('leave at least two bars', () => {
    const span = Math.round((market.clock.at(-1)! - market.clock[0]!) / 86_400_000);
    expect(() => choose(`${span}d`)).toThrow(
      `A holdout of ${span}d leaves no bars of the data from ${dateAt(0)} to ${dateAt(-1)}.`,
    );
    const second = Math.round((market.clock.at(-1)! - market.clock[1]!) / 86_400_000);
    expect(choose(`${second}d`).from).toBe(dateAt(2));
  });

  it('are removed from bars and context series', () => {
    const cut = withoutHoldout(files, { from: dateAt(5) });
    expect(cut.market.clock).toEqual(market.clock.slice(0, 5));
    expect(cut.context[0]!.close).toEqual(series[0]!.close.slice(0, 5));
    expect(withoutHoldout(files, { from: null })).toBe(files);
    expect(withoutHoldout(files, { from: dateAt(2) }).market.clock).toHaveLength(2);
    expect(() => withoutHoldout(files, { from: dateAt(1) })).toThrow(
      `Keeping back the bars from ${dateAt(1)} on leaves no bars`,
    );
  });
});
