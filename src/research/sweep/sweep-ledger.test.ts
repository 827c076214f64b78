import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readLedger, resultText } from '../../results/runs/index.ts';
import { type Period, trialOf } from './figures.ts';
import { LedgerWriter } from './sweep-ledger.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-sweep-ledger-'));
afterAll(() => rmSync(root, { recursive: true }));

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
const ground = { strategy: 'code', data: ['d'], settings: { seed: 1 } };
const period: Period = { from: '2020-01-01', to: '2020-12-31', evaluateFrom: '2020-02-01' };
const prepared = (own: object = {}) => ({
  ...{ ground, period, strategy: { name: 'cross', kind: 'code' }, holdoutFrom: undefined },
  request: { options: {} },
  sources: [{ sha256: 'd' }, { sha256: 'f' }],
  files: {
    sources: [
      { sha256: 'd', symbols: ['A'] },
      { sha256: null, symbols: [] },
    ],
    market: { symbols: ['A'], clock: [1, 2, 3] },
  },
  ...own,
});
const figures = {
  ...{ firstBar: '2020-01-01', lastBar: '2020-12-31', sharpe: 3, periodsPerYear: 4, finalEquity: 9 },
};
const trials = [
  trialOf(ground, { slow: 2, fast: 1 }, period),
  trialOf(ground, { slow: 3, fast: 1 }, { from: '2020-03-01', to: '2020-04-01' }),
  trialOf(ground, { slow: 4, fast: 1 }, period),
  trialOf(ground, { slow: 5, fast: 1 }, period),
];
const results = new Map<string, object>([
  [trials[0]!.id, { figures }],
  [trials[1]!.id, { figures: { ...figures, sharpe: null, firstBar: 7 } }],
  [trials[2]!.id, { figures: null }],
]);

let stores = 0;
function opened(own: object = {}, store = join(root, `store-${++stores}`)) {
  const warnings: string[] = [];
  mkdirSync(store, { recursive: true });
  const journal = { get: (id: string) => results.get(id) };
  const writer = new LedgerWriter(join(store, 'sweep'), prepared(own) as never, journal as never, (text) =>
    warnings.push(text),
  );
  return { writer, warnings, store, records: () => readLedger(store).records };
}

describe('the ledger records of a sweep', () => {
  it('contain each trial with a result once, with its Sharpe ratio per session', () => {
    const { writer, records } = opened();
    writer.write(trials);
    writer.write(trials);
    const common = { kind: 'trial', project: null, strategy: 'cross', data: ['d', 'f'] };
    const point = (slow: number) =>
      hashOf([
        'code',
        [
          ['fast', 1],
          ['slow', slow],
        ],
        { seed: 1 },
      ]);
    expect(records()).toEqual([
      expect.objectContaining({
        ...{ ...common, id: trials[0]!.id, point: point(2), from: '2020-02-01', to: '2020-12-31' },
        ...{
          sharpe: 1.5,
          result: resultText(figures),
          search: expect.stringContaining('"cross","code",["A"],3,"2020-01-01","2020-12-31"') as string,
        },
      }),
      expect.objectContaining({
        ...{ ...common, id: trials[1]!.id, point: point(3), from: '2020-03-01', to: '2020-04-01' },
        ...{ sharpe: null, search: null },
      }),
      expect.objectContaining({
        ...{ ...common, id: trials[2]!.id, point: point(4), sharpe: null, result: null, search: null },
      }),
    ]);
  });

  it('are separated into own and earlier records, and a repeated trial is not written again', () => {
    const { writer, store } = opened();
    writer.all([trials[0]!, trials[1]!]);
    const again = opened({}, store);
    const { own, earlier, readAt } = again.writer.all([trials[1]!, trials[2]!, trials[3]!]);
    expect(own.map(({ id }) => id)).toEqual([trials[1]!.id, trials[2]!.id]);
    expect(earlier.map(({ id }) => id)).toEqual([trials[0]!.id]);
    expect(readAt).toBeInstanceOf(Date);
    expect(again.records().map(({ id }) => id)).toEqual([0, 1, 2].map((at) => trials[at]!.id));
  });

  it('belong to a named project', () => {
    const { writer, records } = opened({ request: { options: { project: 'p' } } });
    writer.write([trials[0]!]);
    expect(records()[0]).toMatchObject({ project: 'p', search: expect.stringMatching(/"p"\]$/) as string });
  });

  it('contain the holdout once', () => {
    const own = { holdoutFrom: '2020-10-01' };
    const { store, records } = opened(own);
    opened(own, store);
    expect(records()).toEqual([
      expect.objectContaining({
        ...{ kind: 'holdout', project: null, strategy: 'cross', data: ['d'], point: '', from: '2020-10-01' },
        ...{ search: null, to: null, sharpe: null, result: null, id: hashOf(['2020-10-01', ['d'], 'cross']) },
      }),
    ]);
    expect(opened({}).records()).toEqual([]);
  });

  it('are written later if the ledger cannot be written, with one warning for all trials', () => {
    const store = join(root, 'blocked');
    mkdirSync(join(store, 'ledger.jsonl'), { recursive: true });
    const { writer, warnings, records } = opened({}, store);
    expect(warnings).toHaveLength(1);
    writer.write([trials[0]!]);
    writer.write([trials[1]!]);
    expect(warnings).toHaveLength(2);
    rmSync(join(store, 'ledger.jsonl'), { recursive: true });
    writeFileSync(join(store, 'ledger.jsonl'), '');
    writer.write([trials[2]!]);
    expect(records().map(({ id }) => id)).toEqual([0, 1, 2].map((at) => trials[at]!.id));
  });
});
