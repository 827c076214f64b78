import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../journal/index.ts';
import { sha256OfFile } from '../files.ts';
import type { Manifest } from '../manifest.ts';
import { type Publication, registrationChecks, studyRegistrationChecks } from './check-registration.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-registration-checks-'));
afterAll(() => rmSync(root, { recursive: true }));

const registeredAt = '2026-01-05T00:00:00.000Z';
const hypothesis = { text: 'It rises', primaryFigure: 'sharpe', threshold: '0.5', test: 'one-sided' };
const plan = {
  strategy: { name: 'cross', parameters: { fast: 5, slow: 9 }, files: { 's.ts': 'code', 'other.ts': 'x' } },
  ...{ data: ['d1', 'd2'], symbols: ['AAA'], settings: { cash: '100', evaluateFrom: '2020' } },
};
const published: Publication = { place: 'the tag t', hashes: [], notes: ['The tag is signed'] };

interface Sketch {
  /** Fields of the registration in `inputs.json`. `null` for a run that was not registered. */
  readonly stated?: object | null;
  /** Text of `registration.json`. `null` if the file is missing. */
  readonly text?: string | null;
  readonly plan?: object;
  readonly strategy?: object;
  readonly files?: readonly { readonly file: string; readonly sha256: string }[];
}

/** Writes the folder of a registered run. Returns the folder and the registration that the run states. */
function written(own: Sketch = {}) {
  const folder = mkdtempSync(join(root, 'run-'));
  const file = join(folder, 'registration.json');
  const text =
    own.text === undefined ? JSON.stringify({ registeredAt, hypothesis, plan: own.plan ?? plan }) : own.text;
  if (text !== null) writeFileSync(file, text);
  const sha256 = text === null ? 'none' : sha256OfFile(file);
  const registration = { sha256, registeredAt, hypothesis, ...own.stated };
  const inputs = {
    ...{ schema: 1, runId: 'r', flags: { data: ['a.csv'] }, settings: {} },
    files: own.files ?? [
      { file: 'b.csv', sha256: 'd2' },
      { file: 'a.csv', sha256: 'd1' },
    ],
    strategy: { file: 'own/s.ts', sha256: 'code', copy: 'strategy.ts', parameters: {}, ...own.strategy },
    ...(own.stated === null ? {} : { registration }),
  };
  writeFileSync(join(folder, 'inputs.json'), JSON.stringify(inputs));
  return { folder, registration };
}

const record = (started: object = {}, dates = ['2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06']) =>
  ({
    started: {
      ...{ symbols: ['AAA'], settings: { cash: '100', evaluateFrom: '2021' } },
      strategy: { name: 'cross', kind: 'rules', parameters: { fast: 5, slow: 9 } },
      ...started,
    },
    bars: dates.map((date) => ({ date })),
  }) as unknown as RunRecord;
const manifest = { data: { sources: [{ lastBar: '2026-01-02' }] } } as unknown as Manifest;

function detailsOf(own: Sketch = {}, started: object = {}, publication?: Publication): string[] {
  return registrationChecks(written(own).folder, record(started), manifest, publication).map(
    ({ name, outcome, detail }) => `${name} ${outcome}: ${detail}`,
  );
}
const differing = (own: Sketch, started: object = {}) => detailsOf(own, started)[0];

describe('the registration of a run', () => {
  it('is verified if the run followed the plan, and its time is compared with the bars', () => {
    const { folder, registration } = written();
    expect(
      registrationChecks(
        folder,
        record({}, ['2026-01-03', '2026-01-05', '2026-01-06']),
        undefined,
        undefined,
      ),
    ).toEqual([
      {
        ...{ name: 'registration', outcome: 'verified' },
        detail: `registered at ${registeredAt}, SHA-256 ${registration.sha256}: It rises. Primary figure sharpe, threshold 0.5, test: one-sided. The run followed it`,
      },
      {
        ...{ name: 'time of registration', outcome: 'failed' },
        detail: `it states ${registeredAt}, but it names data whose last bar is of 2026-01-06T00:00:00.000Z, so it was written later`,
      },
    ]);
    expect(
      registrationChecks(folder, record({}, ['2026-01-03', '2026-01-05']), manifest, undefined)[1],
    ).toEqual({
      ...{ name: 'time of registration', outcome: 'not checked' },
      detail: `${registeredAt} is of the author's clock, which the author can set. The last bar of its data is of 2026-01-05T00:00:00.000Z. 1 of 2 bars are later than it. Compare its SHA-256 with a published one: --published HASH, or --tag NAME`,
    });
  });

  it('has a time that the dates of a masked run do not refute', () => {
    const { folder, registration } = written();
    const publication = { ...published, hashes: [registration.sha256] };
    expect(registrationChecks(folder, record({ mask: {} }), manifest, publication)[1]).toEqual({
      ...{ name: 'time of registration', outcome: 'verified' },
      detail:
        'its SHA-256 is in the tag t. The tag is signed. The last bar of its data is of 2026-01-02T00:00:00.000Z. All of its data existed before it, so this is not a forward test',
    });
    expect(registrationChecks(folder, record({ mask: {} }), undefined, publication)[1]!.detail).toBe(
      'its SHA-256 is in the tag t. The tag is signed. How many bars are later is unknown',
    );
  });

  it.each<[string, Sketch, object]>([
    ['strategy.name', {}, { strategy: { name: 'other', parameters: { fast: 5, slow: 9 } } }],
    ['strategy.parameters.slow', {}, { strategy: { name: 'cross', parameters: { fast: 5, slow: 10 } } }],
    ['strategy.parameters.slow', {}, { strategy: { name: 'cross', parameters: { fast: 5 } } }],
    [
      'strategy.parameters.size',
      {},
      { strategy: { name: 'cross', parameters: { fast: 5, slow: 9, size: 1 } } },
    ],
    ['strategy.parameters', { plan: { ...plan, strategy: { ...plan.strategy, parameters: [] } } }, {}],
    ['strategy.files.s.ts', { strategy: { sha256: 'edited' } }, {}],
    ['strategy.files.t.ts', { strategy: { file: 'own/t.ts' } }, {}],
    ['data', { files: [{ file: 'a.csv', sha256: 'd1' }] }, {}],
    ['symbols', {}, { symbols: ['BBB'] }],
    ['settings.cash', {}, { settings: { cash: '200' } }],
    ['settings.lot, settings.cash', { plan: { ...plan, settings: { lot: 1 } } }, {}],
  ])('is not followed if the run has another %s', (paths, own, started) => {
    expect(differing(own, started)).toBe(
      `registration failed: the run differs from it in ${paths}, and no change states this`,
    );
  });

  it('lists every difference from a plan without fields', () => {
    expect(differing({ plan: {} })).toContain(
      'in strategy.name, strategy.parameters, strategy.files.s.ts, data, symbols, settings, and no',
    );
    const strategy = { file: null, sha256: null, copy: null };
    const planned = { ...plan, strategy: { ...plan.strategy, files: {} } };
    expect(differing({ plan: planned, strategy })).toContain('The run followed it');
  });

  it('is followed with the changes that the run states', () => {
    const stated = { changes: ['symbols: BBB', 'settings.cash.more: 1'], reason: 'better' };
    const other = { symbols: ['BBB'], settings: { cash: '200' } };
    expect(differing({ stated }, other)).toMatch(
      /^registration verified: .* CHANGED since, because: better\. Changes: symbols: BBB; settings\.cash\.more: 1$/,
    );
    const fewer = { changes: ['symbols: BBB', 'settings.cashless: 1'], reason: 'better' };
    expect(differing({ stated: fewer }, other)).toContain('in settings.cash, and no change');
  });

  it('must be the file that the run states', () => {
    expect(detailsOf({ text: null })).toEqual([
      'registration failed: registration.json is missing, but a registration is stated',
    ]);
    const { folder, registration } = written({ stated: { sha256: 'other' } });
    const sha256 = sha256OfFile(join(folder, 'registration.json'));
    expect(registration.sha256).toBe('other');
    expect(registrationChecks(folder, record(), manifest, undefined)).toEqual([
      {
        ...{ name: 'registration', outcome: 'failed' },
        detail: `the SHA-256 of registration.json is ${sha256}, but the run followed other`,
      },
    ]);
    for (const text of ['{', '[]', '{"plan": 5}'])
      expect(detailsOf({ text })).toEqual(['registration failed: registration.json is not a registration']);
    const differs = 'registration failed: another time or hypothesis is stated than in registration.json';
    expect(detailsOf({ stated: { registeredAt: '2026-01-06' } })).toEqual([differs]);
    expect(detailsOf({ stated: { hypothesis: { ...hypothesis, threshold: '0.6' } } })).toEqual([differs]);
  });

  it('is missing in a run that was not registered', () => {
    expect(detailsOf({ stated: null })).toEqual([
      'registration failed: registration.json is in the folder, but inputs.json states no registration',
    ]);
    expect(detailsOf({ stated: null, text: null }, {}, published)).toEqual([
      'registration failed: the run was not registered, so its registration cannot be in the tag t',
    ]);
    expect(detailsOf({ stated: null, text: null })).toEqual([
      'registration not checked: the run was not registered before its start',
    ]);
    const [check, ...more] = registrationChecks(root, record(), undefined, undefined);
    expect([check!.outcome, more]).toEqual(['not checked', []]);
    expect(check!.detail).toMatch(/^Cannot use .*inputs\.json: .*[^.]$/);
  });
});

describe('the registration of a study', () => {
  const detailsOfStudy = (own: Sketch, data: readonly string[], publication?: Publication) => {
    const { folder, registration } = written(own);
    const stated = own.stated === null ? undefined : registration;
    return studyRegistrationChecks(folder, stated, data, ['2026-01-02', '2026-01-04'], publication).map(
      ({ name, outcome, detail }) => `${name} ${outcome}: ${detail}`,
    );
  };

  it('is verified if the study read only data of the plan', () => {
    const [followed, time] = detailsOfStudy({}, ['d2']);
    expect(followed).toMatch(/^registration verified: registered at .*The run followed it$/);
    expect(time).toContain(
      "not checked: 2026-01-05T00:00:00.000Z is of the author's clock, which the author can set. The last bar of its data is of 2026-01-04T00:00:00.000Z. All of its data",
    );
    expect(detailsOfStudy({}, ['d1', 'd3', 'd4'])).toEqual([
      'registration failed: the study read data that the registration does not name: d3, d4',
    ]);
    expect(detailsOfStudy({ plan: { ...plan, data: 'd1' } }, ['d1'])[0]).toContain('does not name: d1');
    const stated = { changes: ['data: more files'], reason: 'longer' };
    expect(detailsOfStudy({ stated }, ['d3'])[0]).toContain(
      'CHANGED since, because: longer. Changes: data: more',
    );
    expect(detailsOfStudy({ stated: { changes: ['more data'] } }, ['d3'])[0]).toContain('does not name: d3');
  });

  it('is missing in a study that was not registered', () => {
    expect(detailsOfStudy({ stated: null }, [])).toEqual([
      'registration failed: registration.json is in the folder, but study-manifest.json states no registration',
    ]);
    expect(detailsOfStudy({ stated: null, text: null }, [])).toEqual([
      'registration not checked: the study was not registered before its start',
    ]);
    expect(detailsOfStudy({ stated: null, text: null }, [], published)).toEqual([
      'registration failed: the study was not registered, so its registration cannot be in the tag t',
    ]);
    expect(detailsOfStudy({ text: null }, [])).toEqual([
      'registration failed: registration.json is missing, but a registration is stated',
    ]);
  });
});
