import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '../../kernel/index.ts';
import type { Registered, StudyArm } from '../../results/analysis/index.ts';
import { canonical, hashOf } from '../../runner/index.ts';
import type { Arm, OwnStrategy } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import {
  checkSameStudy,
  readStudyManifest,
  registrationNote,
  type StudyManifest,
  studyManifestOf,
  studyPlan,
  writeStudyManifest,
} from './study-folder.ts';
import type { StudyGround } from './study-trials.ts';

const place = mkdtempSync(join(tmpdir(), 'sandtable-study-folder-'));
afterAll(() => rmSync(place, { recursive: true }));

const MANIFEST: StudyManifest = {
  schema: 1,
  type: 'study',
  studyId: 's',
  version: '1.0.0',
  file: 'study.yaml',
  sha256: 'a',
  arms: [
    { name: 'cross', sha256: 'b' },
    { name: 'trader', sha256: 'c' },
  ],
  data: [{ file: 'prices.csv', sha256: 'd' }],
};

const check = (changes: Partial<StudyManifest>): void =>
  checkSameStudy('folder', MANIFEST, { ...MANIFEST, ...changes });

it('resumes a study with the same inputs, or with fewer arms', () => {
  expect(() => check({})).not.toThrow();
  expect(() => check({ arms: [{ name: 'trader', sha256: 'c' }], runs: 5 })).not.toThrow();
});

it.each<[string, Partial<StudyManifest>, string]>([
  ['its file', { sha256: 'x' }, 'study.yaml'],
  ['the program', { version: '1.1.0' }, 'Sandtable (1.0.0, now 1.1.0)'],
  ['an arm', { arms: [{ name: 'cross', sha256: 'x' }] }, 'cross'],
  ['data', { data: [{ file: 'prices.csv', sha256: 'x' }] }, 'prices.csv'],
  ['the files of data', { data: [{ file: 'other.csv', sha256: 'd' }] }, 'other.csv'],
  ['two of these', { sha256: 'x', data: [{ file: 'prices.csv', sha256: 'x' }] }, 'study.yaml, prices.csv'],
])('does not resume a study after a change of %s', (_, changes, named) => {
  expect(() => check(changes)).toThrow(`folder cannot continue: ${named} changed since the start.`);
});

describe('the manifest of a study', () => {
  const file = join(place, 'study.yaml');
  writeFileSync(file, 'name: x');
  const request = { file, windows: [{}, {}, {}] } as unknown as StudyRequest;
  const arms = [
    { name: 'cross', sha256: 'b', samples: 1, kind: 'rules' },
    { name: 'trader', sha256: 'c', samples: 4, kind: 'llm' },
  ] as unknown as Arm[];
  const data = [{ file: 'prices.csv', sha256: 'd' }];
  const sha256 = createHash('sha256').update('name: x').digest('hex');
  const expected = {
    ...{ schema: 1, type: 'study', studyId: 's', version: version(), file, sha256, data },
    arms: MANIFEST.arms,
    runs: 15,
  };

  it('contains the hashes of the inputs and the number of runs, and can be read again', () => {
    const manifest = studyManifestOf('s', request, arms, data);
    expect(manifest).toEqual(expected);
    writeStudyManifest(place, manifest);
    expect(readStudyManifest(place)).toEqual(expected);
  });

  it('has the budget and the registration of the study, if given', () => {
    const registration = { sha256: 'r', registeredAt: '2020-01-01', hypothesis: {} };
    const budget = { calls: 5 };
    const manifest = studyManifestOf('s', { ...request, budget } as StudyRequest, arms, data, registration);
    expect(manifest).toEqual({ ...expected, budget, registration });
    writeStudyManifest(place, manifest);
    expect(readStudyManifest(place)).toEqual(manifest);
  });

  it('is required in the folder of a study, with known fields', () => {
    expect(() => readStudyManifest(join(place, 'nothing'))).toThrow('is not the folder of a study');
    writeStudyManifest(place, { ...MANIFEST, runs: 0 });
    expect(readStudyManifest(place).runs).toBe(0);
    for (const fault of [{ runs: -1 }, { runs: 0.5 }, { schema: 2 }, { type: 'sweep' }, { more: 1 }]) {
      writeStudyManifest(place, { ...MANIFEST, ...fault } as StudyManifest);
      expect(() => readStudyManifest(place)).toThrow('is not the folder of a study');
    }
  });
});

describe('the plan of a study', () => {
  const request = {
    name: 'plan',
    file: 'study.yaml',
    samples: 2,
    windows: [{ name: 'W', from: '2020-01-01', to: '2020-02-01' }],
    ...{ masks: ['none'], tools: ['own'], baselines: { sma: 5 }, random: 9, costs: [0], seed: 4 },
    leakage: { probe: 3 },
    models: ['own', { model: 'm', name: 'mini' }],
    modelSettings: [undefined, { model: 'm', headers: { key: 'secret' } }],
    options: { from: '2019-01-01' },
    budget: { calls: 1 },
  } as unknown as StudyRequest;
  const strategies = [
    {
      given: { name: 'mine', parameters: { n: 1 }, agent: undefined },
      loaded: { name: 'x', kind: 'rules', file: 'a.ts', sha256: 'h', tools: [] },
    },
    {
      given: { name: undefined, parameters: {}, agent: { agent: 'cmd', agentEvery: 3 } },
      loaded: { name: 'cmd', kind: 'agent', file: 'The agent', sha256: '', tools: [] },
    },
    {
      given: { name: 'trader', parameters: {}, agent: undefined },
      loaded: {
        ...{ name: 'trader', kind: 'llm', file: 'b.md', sha256: 'p', tools: [] },
        model: { model: 'm-1', baseUrl: 'http://x', temperature: 1 },
      },
    },
  ] as unknown as OwnStrategy[];
  const ground = {
    world: {
      files: {
        market: { symbols: ['A', 'B'] },
        sources: [{ sha256: 'z' }, { sha256: 'y' }, {}],
        ...{ futuresSources: [], featureSources: [], contextSources: [], pointInTime: { sources: [] } },
      },
      detailSources: [{ sha256: 'a' }],
    },
    settings: { cash: '1', evaluateFrom: '2020-01-01' },
  } as unknown as StudyGround;

  it('contains all inputs that determine the result, but no paths, budget or secrets', () => {
    const plan = studyPlan(request, strategies, ground);
    expect(plan).toMatchObject({
      study: 'plan',
      strategies: [
        { name: 'mine', kind: 'rules', parameters: { n: 1 }, agent: null, model: null },
        { name: 'cmd', kind: 'agent', agent: { agent: 'cmd', agentEvery: 3 }, model: null },
        { name: 'trader', agent: null, model: { model: 'm-1', baseUrl: 'http://x' } },
      ],
      models: [
        { name: 'own', settings: hashOf(canonical(null)) },
        { name: 'mini', settings: hashOf(canonical({ model: 'm', headers: { key: 'secret' } })) },
      ],
      ...{ samples: 2, masks: ['none'], tools: ['own'], baselines: { sma: 5 }, random: 9, costs: [0] },
      windows: [{ name: 'W', from: '2020-01-01', to: '2020-02-01' }],
      ...{ leakage: { probe: 3 }, seed: 4, data: ['', 'a', 'y', 'z'], symbols: ['A', 'B'] },
      settings: { cash: '1' },
    });
    expect(JSON.stringify(plan)).not.toMatch(/secret|calls|temperature|evaluateFrom|study\.yaml/);
  });
});

describe('the note about a registration', () => {
  const armOf = (name: string, mean: number | null) =>
    ({
      name,
      figures: { sharpe: { mean }, maxDrawdown: { mean }, exposure: { mean } },
    }) as unknown as StudyArm;
  const note = (primaryFigure: string, threshold: string, ...arms: StudyArm[]) => {
    const hypothesis = { text: 'It works', primaryFigure, threshold, test: 't' };
    const registration: Registered = { sha256: 'h', registeredAt: '2020-01-01', hypothesis };
    return registrationNote(registration, arms).split('. ').slice(2).join('. ');
  };

  it('lists the mean of each arm, and the arms that reach the threshold', () => {
    const arms = [armOf('a', 1.23456789), armOf('b', 0.5), armOf('c', null)];
    expect(note('sharpe', '1', ...arms)).toBe(
      'The study agrees with it. Mean Sharpe ratio: a 1.23457; b 0.5; c has no value. The threshold of 1 is reached by a.',
    );
    expect(note('sharpe', '0.5', ...arms)).toContain('The threshold of 0.5 is reached by a, b.');
    expect(note('sharpe', '2', ...arms)).toContain('The threshold of 2 is reached by no arm.');
  });

  it('omits the verdict if no direction is better, and the means of an unknown figure', () => {
    expect(note('exposure', '1', armOf('a', 2))).toMatch(/: a 2\.$/);
    expect(note('winRate', '1', armOf('a', 2))).toBe('The study agrees with it.');
  });
});
