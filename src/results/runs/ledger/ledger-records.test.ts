import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '../../analysis/index.ts';
import type { Manifest } from '../manifest.ts';
import { appendLedger, type LedgerRecord } from './ledger.ts';
import {
  dataHashes,
  heldOutSeen,
  ledgerRecordOfRun,
  projectOf,
  projectsOf,
  recordsFrom,
  reservedFrom,
  trialsOfLedger,
} from './ledger-records.ts';

const look = (id: string, change: Partial<LedgerRecord> = {}): LedgerRecord => ({
  ...{ kind: 'run', at: `at ${id}`, by: 'ada', project: null, strategy: 'cross', data: ['d1'], id },
  ...{ point: `point ${id}`, search: 'search', from: '2020-01-01', to: '2020-12-31', sharpe: 0.05 },
  result: `result ${id}`,
  ...change,
});

describe('the research projects of a ledger', () => {
  const trial = (id: string, change: Partial<LedgerRecord> = {}) => look(id, { kind: 'trial', ...change });
  const holdout = look('h', { kind: 'holdout', from: '2021-01-01', to: null });

  it('list their evaluations in order, with consecutive trials of a sweep as one entry', () => {
    const looks = [
      holdout,
      trial('t1', { from: '2020-02-01', to: '2020-06-30' }),
      trial('t2', { from: '2020-03-01', to: '2020-12-31' }),
      trial('t3', { from: '2020-01-01', to: '2020-05-31' }),
      trial('t4', { from: null, to: null }),
      trial('t5', { by: 'bob' }),
      trial('t6', { by: 'bob', to: '2021-01-01' }),
      look('r', { data: ['d1', 'features'], result: 'result t6' }),
      look('p', { kind: 'prompt', to: '2021-06-30' }),
      trial('t7'),
    ];
    const entry = { strategy: 'cross', by: 'ada', looks: 1, run: null };
    const period = { from: '2020-01-01', to: '2020-12-31', sawHeldOut: false };
    const at = (first: string, last = first) => ({ at: `at ${first}`, until: `at ${last}` });
    expect(projectsOf(looks)).toEqual([
      {
        ...{ project: 'cross', isDefault: true, strategies: ['cross'], data: ['d1'], looks: 9, trials: 8 },
        ...{ heldOutFrom: '2021-01-01', heldOutLooks: 2 },
        entries: [
          { ...entry, kind: 'holdout', ...at('h'), from: '2021-01-01', to: null, sawHeldOut: false },
          { ...entry, kind: 'trial', ...at('t1', 't4'), looks: 4, ...period },
          { ...entry, kind: 'trial', by: 'bob', ...at('t5'), ...period },
          { ...entry, kind: 'trial', by: 'bob', ...at('t6'), ...period, to: '2021-01-01', sawHeldOut: true },
          { ...entry, kind: 'run', run: 'r', ...at('r'), ...period },
          { ...entry, kind: 'prompt', run: 'p', ...at('p'), ...period, to: '2021-06-30', sawHeldOut: true },
          { ...entry, kind: 'trial', ...at('t7'), ...period },
        ],
      },
    ]);
  });

  it('are named projects, or one for each strategy and first data file', () => {
    const named = { project: 'gaps' };
    const projects = projectsOf([
      look('a'),
      look('b', { strategy: 'momentum' }),
      look('c', { data: ['d2'] }),
      look('d', { ...named, data: [] }),
      look('e', { data: ['d1', 'd2'] }),
      trial('f', { ...named, strategy: 'momentum', data: ['d2'] }),
      trial('g', { ...named, data: ['d2'] }),
    ]);
    expect(
      projects.map(({ project, isDefault, strategies, data, looks, trials, heldOutFrom, heldOutLooks }) => [
        ...[project, isDefault, strategies.join(), data.join(), looks, trials, heldOutFrom, heldOutLooks],
      ]),
    ).toEqual([
      ['cross', true, 'cross', 'd1', 2, 2, null, 0],
      ['momentum', true, 'momentum', 'd1', 1, 1, null, 0],
      ['cross', true, 'cross', 'd2', 1, 1, null, 0],
      ['gaps', false, 'cross,momentum', 'd2', 3, 3, null, 0],
    ]);
    // The trials of the last project are of two strategies, so they are separate entries.
    expect(projects[3]!.entries.map(({ strategy }) => strategy)).toEqual(['cross', 'momentum', 'cross']);
  });

  it('have an entry without a period if its first trial has none', () => {
    const [project] = projectsOf([trial('a', { from: null, to: null }), trial('b')]);
    expect(project!.entries).toMatchObject([{ from: null, to: null, looks: 2 }]);
  });
});

describe('evaluations that used bars on or after a date', () => {
  const project = { strategy: 'cross', data: ['d1', 'd9'] };

  it('are those of the project whose last bar is not earlier', () => {
    const looks = [
      look('earlier', { to: '2020-12-30' }),
      look('same'),
      look('open', { to: null }),
      look('reserved', { kind: 'holdout' }),
      look('other data', { data: ['d2'] }),
      look('other strategy', { strategy: 'momentum' }),
      look('two files', { data: ['d2', 'd9'], to: '2021-01-01T09:30:00Z' }),
      look('not a date', { to: 'later' }),
    ];
    expect(recordsFrom(looks, '2020-12-31', project).map(({ id }) => id)).toEqual(['same', 'two files']);
  });

  it('are counted before the given record, or in total for a new record', () => {
    const reserved = look('h', { kind: 'holdout', from: '2020-06-01', data: ['d1', 'd2'] });
    const looks = [reserved, look('one', { data: ['d2'] }), look('own'), look('two')];
    const own = { strategy: 'cross', data: ['d1'], to: Date.parse('2020-06-01') };
    expect(heldOutSeen(looks, { ...own, id: 'own' })).toEqual({ from: '2020-06-01', earlierLooks: 1 });
    expect(heldOutSeen(looks, { ...own, id: 'one' })).toEqual({ from: '2020-06-01', earlierLooks: 0 });
    expect(heldOutSeen(looks, { ...own, id: 'new' })).toEqual({ from: '2020-06-01', earlierLooks: 3 });
    expect(heldOutSeen(looks, { ...own, id: 'own', to: own.to - 1 })).toBeUndefined();
  });

  it('use the earliest date and all data that several sweeps reserved', () => {
    const holdout = (id: string, change: Partial<LedgerRecord>) => look(id, { kind: 'holdout', ...change });
    const looks = [
      holdout('late', { from: '2021-06-01', data: ['d1', 'd2'] }),
      holdout('early', { from: '2021-01-01', data: ['d9'] }),
      holdout('no date', { from: null }),
      look('run', { from: '2019-01-01' }),
    ];
    expect(reservedFrom(looks, { strategy: 'cross' }, ['d1', 'd9'])).toEqual({
      from: '2021-01-01',
      data: ['d9', 'd1', 'd2'],
    });
    expect(reservedFrom(looks.slice(2), { strategy: 'cross' }, ['d1'])).toBeUndefined();
  });
});

describe('the record of a run', () => {
  const file = (sha256: string | null) => ({ file: 'f', sha256, symbols: ['A'], bars: 1 });
  const data = {
    ...{ symbols: ['A'], bars: 3, sources: [file('s1'), file(null), file('s2')], actions: file('a') },
    ...{ detail: [file('d')], futures: [file('fu')], features: [file('fe')], context: [file('c')] },
    pointInTime: [file('p')],
  };
  const manifestWith = (change: object = {}, own: object = {}): Manifest =>
    ({
      ...{ runId: 'r1', data, journal: { barsWalked: 3 }, settings: { cash: '5', evaluateFrom: '2020' } },
      strategy: { name: 'cross', kind: 'rules', sha256: 'code', parameters: { fast: 5 }, ...own },
      inputs: { flags: { data: ['x.csv'], from: '2020', seed: 7 } },
      ...change,
    }) as unknown as Manifest;
  const summary = {
    ...{ firstBar: '2020-01-01', lastBar: '2020-01-03', periodsPerYear: 256, sharpe: 1.6, volatility: 0.1 },
    ...{ maxDrawdown: -0.2, exposure: 0.5, finalEquity: '1000.50', tradeCount: 4 },
  } as RunSummary;
  const bars = { from: Date.parse('2020-01-01'), to: Date.parse('2020-01-03') };

  it('contains the hashes of all of its data files', () => {
    expect(dataHashes(manifestWith())).toEqual(['s1', 's2', 'a', 'd', 'fu', 'fe', 'c', 'p']);
    const plain = { ...data, actions: null, detail: [] };
    const { futures: _, features: __, context: ___, pointInTime: ____, ...least } = plain;
    expect(dataHashes({ data: least as unknown as Manifest['data'] })).toEqual(['s1', 's2']);
  });

  it('contains the figures of a run that processed all of its bars', () => {
    const { at, by, point, search, ...rest } = ledgerRecordOfRun(manifestWith(), summary, bars);
    expect(rest).toEqual({
      ...{ kind: 'run', project: null, strategy: 'cross', id: 'r1', from: '2020-01-01', to: '2020-01-03' },
      ...{ data: ['s1', 's2', 'a', 'd', 'fu', 'fe', 'c', 'p'], sharpe: 1.6 / 16 },
      result: '[1000.5,1.6,0.1,-0.2,0.5,4]',
    });
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    expect(by === null || by.length > 0).toBe(true);
    expect(point).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(search!)).toEqual([
      ...['cross', 'rules', ['A'], 3, '2020-01-01', '2020-01-03'],
      ['s1', null, 's2'].map((sha256) => [sha256, null, ['A']]),
    ]);
  });

  it('has no result if the run is unfinished or has no figures yet', () => {
    const cut = ledgerRecordOfRun(manifestWith({ journal: { barsWalked: 2 } }), summary, bars);
    expect(cut).toMatchObject({ search: null, result: null, sharpe: 0.1 });
    const planned = ledgerRecordOfRun(manifestWith({ project: 'gaps' }, { kind: 'llm' }), undefined, bars);
    expect(planned).toMatchObject({
      kind: 'prompt',
      project: 'gaps',
      search: null,
      result: null,
      sharpe: null,
    });
    const flat = ledgerRecordOfRun(manifestWith(), { ...summary, sharpe: null }, bars);
    expect(flat.sharpe).toBeNull();
    expect(projectOf(manifestWith({ project: 'gaps' }))).toEqual({ project: 'gaps', strategy: 'cross' });
  });

  it('has the same variant for another period, and a different variant for different inputs', () => {
    const pointOf = (change: object = {}, own: object = {}): string =>
      ledgerRecordOfRun(manifestWith(change, own), summary, bars).point;
    const first = pointOf();
    for (const same of [
      pointOf({ settings: { cash: '5' } }),
      pointOf({ inputs: { flags: { data: [], from: '2021', to: '2022', project: 'p', seed: 7 } } }),
      pointOf({ runId: 'r2' }),
      pointOf({}, { name: 'renamed' }),
    ])
      expect(same).toBe(first);
    const others = [
      pointOf({ settings: { cash: '6' } }),
      pointOf({ inputs: { flags: { seed: 8 } } }),
      pointOf({ inputs: null }),
      pointOf({}, { parameters: { fast: 6 } }),
      pointOf({}, { sha256: 'edited' }),
      pointOf({}, { files: [] }),
      pointOf({}, { kind: 'llm' }),
    ];
    expect(new Set([first, ...others]).size).toBe(others.length + 1);
    expect(pointOf({ settings: null, inputs: { flags: undefined } })).toBe(
      pointOf({ settings: null, inputs: null }),
    );
  });
});

it('the ledger adds trials of the search that no run folder contains', () => {
  const store = mkdtempSync(join(tmpdir(), 'sandtable-trials-'));
  afterAll(() => rmSync(store, { recursive: true }));
  const at = '2026-11-23T00:00:00.000Z';
  const trials = [
    look('kept', { at }),
    look('equal', { at, result: 'result folder' }),
    look('new', { at, sharpe: null }),
    look('elsewhere', { at, search: 'other' }),
    look('unfinished', { at, result: null }),
    look('reserved', { at, kind: 'holdout' }),
    look('another', { at, strategy: 'momentum' }),
  ];
  appendLedger(store, trials);
  const counted = [
    { runId: 'kept', folder: 'f', sharpe: 1, result: 'changed' },
    { runId: 'folder', folder: 'g', sharpe: 1, result: 'result folder' },
  ];
  expect(trialsOfLedger(join(store, 'run'), { strategy: 'cross' }).of('search', counted)).toEqual([
    { runId: 'new', folder: 'new', sharpe: null, result: 'result new' },
  ]);
});
