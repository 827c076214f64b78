import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '../../kernel/index.ts';
import { lockRun } from '../../results/runs/index.ts';
import {
  canonical,
  checkRegistration,
  forwardStatus,
  hashOf,
  planOf,
  registrationOf,
  strategyFiles,
  withoutPlaces,
} from './registration.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-registration-'));
afterAll(() => rmSync(root, { recursive: true }));

const HYPOTHESIS = { text: 'It earns', primaryFigure: 'sharpe', threshold: '1', test: 'mean' };
const NOW = new Date('2026-01-05T00:00:00Z');
const written = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};

describe('canonical JSON', () => {
  it('has sorted keys and no spaces', () => {
    expect(canonical({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  });

  it('is the form of a registration, which has the hash of its text', () => {
    const { text, sha256 } = registrationOf({ seed: 1 }, HYPOTHESIS, NOW);
    expect(text).toBe(
      `{"hypothesis":{"primaryFigure":"sharpe","test":"mean","text":"It earns","threshold":"1"},"plan":{"seed":1},"registeredAt":"2026-01-05T00:00:00.000Z","sandtable":"${version()}","schema":1}\n`,
    );
    expect(sha256).toBe(hashOf(text));
    expect(hashOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

describe('a run with a registration', () => {
  const plan = { a: 1, deep: { b: [1, 2], c: 'x' } };
  const { text, sha256 } = registrationOf(plan, HYPOTHESIS, NOW);
  const file = written('plan.json', text);
  const check = (now: object, reason?: string, at = NOW) => checkRegistration(file, now as never, reason, at);

  it('must match its plan, unless the user states a reason for the changes', () => {
    expect(check({ deep: { c: 'x', b: [1, 2] }, a: 1 })).toEqual({
      text,
      writtenAt: expect.stringMatching(/Z$/) as string,
      registered: { sha256, registeredAt: '2026-01-05T00:00:00.000Z', hypothesis: HYPOTHESIS },
    });
    const changed = { a: 1, deep: { b: [2, 1] }, e: null };
    expect(() => check(changed)).toThrow(
      expect.objectContaining({
        code: 'registration_differs',
        message: `The run differs from the registration ${file}: 3 faults\n  deep.b: registered [1,2], now [2,1]\n  deep.c: registered "x", now (nothing)\n  e: registered (nothing), now null`,
      }),
    );
    expect(check(changed, 'because').registered).toMatchObject({
      reason: 'because',
      changes: [
        'deep.b: registered [1,2], now [2,1]',
        'deep.c: registered "x", now (nothing)',
        'e: registered (nothing), now null',
      ],
    });
    expect(() => check({ study: 1 })).toThrow('The study differs from the registration');
  });

  it('cannot start before the time of its registration', () => {
    expect(() => check(plan, undefined, new Date(NOW.getTime() - 1))).toThrow('which is in the future');
  });

  it.each([
    ['missing.json', undefined, 'does not exist'],
    ['broken.json', '{', 'it is not JSON'],
    ['spaced.json', text.replace(',', ', '), 'its text was edited'],
    ['short.json', text.replace('"schema":1', '"schema":2'), 'schema is missing or has another form'],
    [
      'list.json',
      text.replace('{"a":1', '[{"a":1').replace('"c":"x"}}', '"c":"x"}}]'),
      'plan is missing or has another form',
    ],
  ])('is refused with the file %s', (name, content, problem) => {
    const place = content === undefined ? join(root, name) : written(name, content);
    expect(() => checkRegistration(place, plan, undefined, NOW)).toThrow(
      expect.objectContaining({
        code: 'bad_registration',
        message: expect.stringContaining(problem) as string,
      }),
    );
  });
});

describe('a plan', () => {
  const run = (options: object, settings: object) =>
    planOf({
      strategy: { name: 's', kind: 'agent', file: 'x', parameters: { fast: 1 } },
      loaded: {
        ...{ market: { symbols: ['A'] }, sources: [{ sha256: 'b' }, { sha256: null }] },
        actionsSource: { sha256: 'a' },
        ...{ futuresSources: [], featureSources: [], contextSources: [], pointInTime: { sources: [] } },
      },
      request: { options },
      settings,
    } as never);

  it('contains sorted hashes of files, and options without paths', () => {
    expect(run({ data: ['x'], out: 'y', riskFree: 0.1 }, { cash: 5, evaluateFrom: 'd' })).toEqual({
      strategy: { name: 's', kind: 'agent', files: {}, parameters: { fast: 1 } },
      ...{ model: null, symbols: ['A'], data: ['', 'a', 'b'], options: { riskFree: 0.1 } },
      settings: { cash: 5, evaluateFrom: 'd' },
    });
    const forward = run({ feed: 'stdin' }, { cash: 5, evaluateFrom: 'd' });
    expect(forward).toMatchObject({ options: { feed: 'stdin' }, settings: { cash: 5 } });
    expect(JSON.stringify(forward)).not.toContain('evaluateFrom');
    expect(withoutPlaces({ vfs: 1, detail: 2, amend: 3, recorded: 4, mask: 5, from: 6 })).toEqual({
      mask: 5,
      from: 6,
    });
  });

  it('contains the hashes of all files that the strategy imports', () => {
    mkdirSync(join(root, 'own', 'lib'), { recursive: true });
    const main = `import { a } from './lib/a';\nexport * from "./b.js";\nconst c = await import('./lib');\nrequire('./none');\nimport x from 'zod';`;
    const texts = {
      'main.ts': main,
      'b.js': "import './main.ts'; // import './unused.txt'",
      'lib/a.ts': "import '../data.json';",
      'lib/index.ts': '',
      'data.json': '{"x": "import \'./secret.ts\'"}',
      'secret.ts': '',
      'note.md': 'beside',
    };
    for (const [name, content] of Object.entries(texts)) writeFileSync(join(root, 'own', name), content);
    const file = join(root, 'own', 'main.ts');
    const names = ['main.ts', 'b.js', 'lib/a.ts', 'lib/index.ts', 'data.json'];
    const hashes = Object.fromEntries(names.map((name) => [name, hashOf(texts[name as keyof typeof texts])]));
    expect(strategyFiles({ kind: 'rules', file })).toEqual(hashes);
    expect(strategyFiles({ kind: 'rules', file, beside: ['note.md', 'gone.md'] })).toEqual({
      ...hashes,
      'note.md': hashOf('beside'),
    });
    expect(strategyFiles({ kind: 'agent', file })).toEqual({});
  });
});

describe('the status of a forward run', () => {
  const at = '2026-01-05T00:00:00.000Z';
  const bar = (n: number, own: object = {}) => ({
    ...{ type: 'bar', bar: n, time: `2026-01-05T00:0${n}:00`, receivedAt: `r${n}`, bars: {} },
    ...own,
  });
  function statusOf(entries: readonly object[], journal: readonly object[] = []) {
    const folder = mkdtempSync(join(root, 'forward-'));
    const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(join(folder, 'feed.jsonl'), `${lines(entries)}{"type":"bar","incomp`);
    writeFileSync(join(folder, 'journal.jsonl'), lines(journal));
    return { folder, status: forwardStatus(folder) };
  }

  it('counts bars, decisions and problems', () => {
    const { folder, status } = statusOf(
      [
        ...[{ type: 'started', clock: 'wall', grace: 1 }, bar(1), bar(2, { afterGap: true }), bar(3)],
        ...[
          { type: 'asked', bar: 1, at },
          { type: 'decided', bar: 1, at },
          { type: 'decided', bar: 1, at, late: [at] },
        ],
        ...[
          { type: 'decided', bar: 2, at },
          { type: 'missed', bar: 3, at },
        ],
        ...[
          { type: 'revised', at },
          { type: 'late', at },
          { type: 'late', at },
        ],
        ...[
          { type: 'problem', at, problem: 'p' },
          { type: 'lost', at, problem: 'q' },
          { type: 'restored', at },
        ],
      ],
      [
        { type: 'bar', equity: '5' },
        { type: 'bar', equity: '6' },
        { type: 'run_finished', outcome: 'completed' },
      ],
    );
    expect(status).toEqual({
      ...{
        folder,
        state: 'completed',
        pid: null,
        bars: 3,
        lastBar: '2026-01-05T00:03:00',
        lastReceivedAt: 'r3',
      },
      ...{ decided: 2, late: 1, missed: 1, revised: 1, lateBars: 2, gaps: 1, problems: 2, lastProblem: 'q' },
      equity: '6',
    });
  });

  it('counts one decision per bar on the clock of the bars, and is null before a bar', () => {
    const { status } = statusOf([{ type: 'started', clock: 'bars', grace: 1 }, bar(1), bar(2)]);
    expect(status).toMatchObject({ decided: 2, late: 0, missed: 0, state: 'stopped without an end' });
    expect(statusOf([]).status).toMatchObject({
      ...{
        bars: 0,
        lastBar: null,
        lastReceivedAt: null,
        decided: 0,
        problems: 0,
        lastProblem: null,
        equity: null,
      },
    });
  });

  it('is running while a process has the lock of the folder', () => {
    const { folder } = statusOf([], [{ type: 'run_finished', outcome: 'completed' }]);
    const lock = lockRun(folder);
    expect(forwardStatus(folder)).toMatchObject({ state: 'running', pid: process.pid });
    lock.release();
    expect(forwardStatus(folder)).toMatchObject({ state: 'completed', pid: null });
  });
});
