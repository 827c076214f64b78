import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMarket, type FeatureTable, simulateMarket } from '../../market/index.ts';
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
    const cut = withoutHoldout(files, { from: dateAt(5) }, 'start');
    expect(cut.market.clock).toEqual(market.clock.slice(0, 5));
    expect(cut.context[0]!.close).toEqual(series[0]!.close.slice(0, 5));
    // The length of the remaining context bar can no longer be inferred, so it is declared.
    const time = series[0]!.time.map((_, bar) => market.clock[0]! + bar * 7 * 86_400_000);
    const weekly = { ...files, context: [{ ...series[0]!, time }] };
    const [context] = withoutHoldout(weekly, { from: dateAt(4) }, 'start').context;
    expect([context!.time.length, context!.interval]).toEqual([1, '1w']);
    expect(withoutHoldout(files, { from: null }, 'start')).toBe(files);
    expect(withoutHoldout(files, { from: dateAt(2) }, 'start').market.clock).toHaveLength(2);
    expect(() => withoutHoldout(files, { from: dateAt(1) }, 'start')).toThrow(
      `Keeping back the bars from ${dateAt(1)} on leaves no bars`,
    );
  });
});

describe('feature rows', () => {
  const DAY = 86_400_000;
  const hourly = simulateMarket({ seed: 1, bars: 96, interval: '1h', start: '2020-01-06' });
  const day = (number: number) => Date.UTC(2020, 0, 6) + number * DAY;
  const table = (own: Partial<FeatureTable> & Pick<FeatureTable, 'dates'>): FeatureTable => ({
    source: 'x.csv',
    columns: [{ name: 'x', type: 'number', values: own.dates.map((_, row) => row) }],
    known: own.dates.map(() => undefined),
    symbols: undefined,
    ...own,
  });
  const whole = [0, 1, 2].map((number) => ({ instant: day(number), wholeDay: true }));
  const rowsIn = (own: Partial<FeatureTable>, edge: number, barTimes: 'start' | 'end' = 'start') => {
    const given = { ...files, market: hourly, context: [], features: [table({ dates: whole, ...own })] };
    const from = new Date(edge).toISOString().slice(0, 19);
    return withoutHoldout(given, { from }, barTimes).features[0]!.columns[0]!.values;
  };

  it('remain if they are visible at the last bar before the holdout', () => {
    // A day without a time of day is known when it is over.
    expect(rowsIn({}, day(2))).toEqual([0, 1]);
    expect(rowsIn({}, day(2) - 3_600_000)).toEqual([0]);
    const lag = { text: '1d', milliseconds: DAY } as unknown as FeatureTable['lag'] & object;
    expect(rowsIn({ lag }, day(2))).toEqual([0]);
    // The day of the second row ends five hours after midnight in the time zone of its file.
    const over = whole.map((one) => ({ ...one, over: one.instant + DAY + 5 * 3_600_000 }));
    expect(rowsIn({ dates: over }, day(2))).toEqual([0]);
    // The bar with the end stamp 10:00 is the last one, so a row of 10:30 is not visible.
    const known = [10, 10.5, 11].map((hour) => ({ instant: day(1) + hour * 3_600_000, wholeDay: false }));
    expect(rowsIn({ known }, day(1) + 11 * 3_600_000, 'end')).toEqual([0]);
    expect(rowsIn({ known }, day(1) + 11 * 3_600_000, 'start')).toEqual([0, 1, 2]);
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
