import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readStudyFile } from './study-file.ts';
import { notesOf } from './study-sums.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(windows: string) {
  const file = join(folder, 'study.yaml');
  writeFileSync(file, `strategies: [cross.ts]\ndata: prices.csv\nwindows: ${windows}\n`);
  return readStudyFile(file);
}

describe('rolling windows', () => {
  it('report the days that no window covers', () => {
    const request = read('{ rolling: { from: 2020-01-01, to: 2020-05-20, length: 2m } }');
    expect(request.windows.map(({ to }) => to)).toEqual(['2020-02-29', '2020-04-30']);
    expect(request.remainder).toEqual({ from: '2020-05-01', to: '2020-05-20' });
    expect(notesOf(request, [])[0]).toContain('No window covers 2020-05-01 to 2020-05-20');
  });

  it('report nothing if they cover all days, or are listed', () => {
    expect(read('{ rolling: { from: 2020-01-01, to: 2020-04-30, length: 2m } }').remainder).toBeUndefined();
    expect(read('[{ from: 2020-01-01, to: 2020-04-30 }]').remainder).toBeUndefined();
  });
});

describe('numbers of a study', () => {
  function readWith(lines: string) {
    const file = join(folder, 'study.yaml');
    const windows = 'windows: [{ from: 2020-01-01, to: 2020-04-30 }]';
    writeFileSync(file, `strategies: [cross.ts]\ndata: prices.csv\n${windows}\n${lines}\n`);
    return readStudyFile(file);
  }

  it('have documented defaults', () => {
    expect(readWith('')).toMatchObject({
      models: ['own'],
      samples: 1,
      masks: ['none'],
      tools: ['own'],
      baselines: { sma: 20, momentum: 20, rebalance: 21 },
      random: 200,
      costs: [0, 5, 10, 20, 50],
      leakage: { probe: 0 },
      seed: 0,
    });
    expect(readWith('leakage: { counterfactual: { worlds: 5 } }').leakage.counterfactual?.kind).toBe(
      'permute',
    );
    const calibration = readWith('calibration: { field: confidence, states: up }').calibration;
    expect(calibration).toMatchObject({ horizon: 1 });
  });

  it.each([
    'samples: 1',
    'samples: 1000',
    'random: 0',
    'random: 10000',
    'costs: [0, 10000]',
    'seed: 4294967295',
    'baselines: { sma: 2, momentum: 1, top: 1, rebalance: 1 }',
    'baselines: { sma: 1000, momentum: 1000, top: 10000, rebalance: 1000 }',
    'leakage: { probe: 1000, counterfactual: { worlds: 1 } }',
    'leakage: { counterfactual: { worlds: 1000 } }',
    'calibration: { field: a, states: right, horizon: 1000 }',
  ])('may be %s', (line) => {
    expect(() => readWith(line)).not.toThrow();
  });

  it.each([
    'samples: 0',
    'samples: 1001',
    'random: -1',
    'random: 10001',
    'costs: [-1]',
    'costs: [10001]',
    'seed: 4294967296',
    'seed: -1',
    'baselines: { sma: 1 }',
    'baselines: { sma: 1001 }',
    'baselines: { momentum: 0 }',
    'baselines: { top: 0 }',
    'baselines: { rebalance: 0 }',
    'leakage: { probe: 1001 }',
    'leakage: { counterfactual: { worlds: 0 } }',
    'leakage: { counterfactual: { worlds: 1001 } }',
    'calibration: { field: a, states: up, horizon: 0 }',
  ])('are refused outside their limits: %s', (line) => {
    expect(() => readWith(line)).toThrow('study.yaml:4');
  });

  it.each([
    ['', 'markets: 5'],
    ['settings', 'seed: 1'],
    ['settings', 'evaluateFrom: 2020-01-01'],
    ['settings', 'cashh: 1'],
    ['budget', 'seconds: 5'],
    ['baselines', 'macd: 5'],
    ['leakage', 'probes: 5'],
    ['calibration', 'target: up'],
    ['strategies', 'cutoff: 2020-01-01'],
  ])('are refused in an unknown field of %s: %s', (part, line) => {
    const own = part === '' ? line : `${part}: { ${line} }`;
    expect(() => readWith(part === 'strategies' ? `strategies: [{ ${line} }]` : own)).toThrow(/study\.yaml/);
  });

  it.each([
    'data: x.csv',
    'to: 2020-01-31',
    'mask: [dates]',
    'out: reports',
    'modelCutoff: 2020-01-01',
    'agent: python3 x.py',
    'agentTools: true',
    'agentEvery: 2',
    'agentWarmUp: 2',
    'agentTimeout: 2',
    'agentCalls: 2',
    'agentFailures: 2',
    'agentBudget: 2',
  ])('have a field other than the option of a run: %s', (line) => {
    expect(() => readWith(`options: { ${line} }`)).toThrow(line.slice(0, line.indexOf(':')));
  });
});
