import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMarket, simulateMarket } from '../../market/index.ts';
import { appendLedger, type LedgerRecord } from '../../results/runs/index.ts';
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

describe('bars that an earlier sweep held out', () => {
  const known = { ...files, sources: [{ sha256: 'd' }, {}] } as unknown as WorldFiles;
  const record = (own: Partial<LedgerRecord>): LedgerRecord => ({
    ...{
      kind: 'holdout',
      at: '2020-01-01',
      by: null,
      project: null,
      strategy: 'cross',
      data: ['d'],
      id: 'i',
    },
    ...{ point: 'p', search: null, from: null, to: null, sharpe: null, result: null },
    ...own,
  });
  const chosen = (text: string | undefined, records: readonly Partial<LedgerRecord>[], project?: string) => {
    const own = mkdtempSync(join(store, 'ledger-'));
    appendLedger(
      own,
      records.map((one, at) => record({ id: String(at), ...one })),
    );
    const terms = text === undefined ? undefined : readHoldout(text);
    return chooseHoldout(known, terms, { store: own, strategy: 'cross', project });
  };
  const reserved = (bar: number) => ({ from: dateAt(bar) });
  const kept = (bar: number) =>
    `The bars from ${dateAt(bar)} on were held out by an earlier sweep and stay held out here. --holdout none views them.`;

  it('stay held out, unless the sweep holds out more or views them', () => {
    const length = (bar: number) =>
      `${Math.round((market.clock.at(-1)! - market.clock[bar]!) / 86_400_000)}d`;
    expect(chosen(undefined, [reserved(15)])).toEqual({ from: dateAt(15), warnings: [kept(15)] });
    expect(chosen(length(17), [reserved(15)])).toEqual({ from: dateAt(15), warnings: [kept(15)] });
    expect(chosen(length(10), [reserved(15)])).toEqual({ from: dateAt(11), warnings: [] });
    expect(chosen(length(10), [reserved(11)])).toEqual({ from: dateAt(11), warnings: [] });
    expect(chosen('none', [reserved(15)])).toEqual({
      from: null,
      warnings: [`These trials look at the bars from ${dateAt(15)} on, which an earlier sweep had held out.`],
    });
    // If several holdouts apply, the one that begins first is used. A holdout has no effect if it begins
    // after the data, or belongs to another strategy or other data.
    expect(chosen(undefined, [reserved(16), reserved(14)]).from).toBe(dateAt(14));
    expect(chosen(undefined, [reserved(-1)]).from).toBe(dateAt(-1));
    for (const other of [
      { from: '2999-01-01' },
      { ...reserved(15), strategy: 'x' },
      { ...reserved(15), data: ['e'] },
    ]) {
      expect(chosen(undefined, [other])).toEqual({ from: null, warnings: [] });
      expect(chosen('none', [other])).toEqual({ from: null, warnings: [] });
    }
  });

  it('are reported with the number of views, in the project or with the strategy', () => {
    const view = (bar: number, own: Partial<LedgerRecord> = {}) =>
      ({ kind: 'run', to: dateAt(bar), ...own }) as const;
    const seen = (text: string, where = 'with this strategy') =>
      `The held-out bars from ${dateAt(15)} on have been looked at ${text} ${where}: its result on these bars is no longer out of sample.`;
    expect(chosen(undefined, [reserved(15), view(14)]).warnings).toEqual([kept(15)]);
    expect(chosen(undefined, [reserved(15), view(15)]).warnings).toEqual([kept(15), seen('once')]);
    expect(chosen(undefined, [reserved(15), view(15), view(-1)]).warnings).toEqual([
      kept(15),
      seen('2 times'),
    ]);
    const project = { project: 'p' };
    expect(chosen(undefined, [{ ...reserved(15), ...project }, view(15, project)], 'p').warnings).toEqual([
      ...[kept(15), seen('once', 'in the project "p"')],
    ]);
  });
});
