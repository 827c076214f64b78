import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readStudyFile } from './study-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-windows-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(lines: string, name = 'study.yaml') {
  const file = join(folder, name);
  writeFileSync(file, lines);
  return readStudyFile(file);
}

const withWindows = (windows: string) =>
  read(`strategies: [cross.ts]\ndata: prices.csv\nwindows: ${windows}\n`);
writeFileSync(join(folder, 'a.ts'), '');
const rest = 'data: prices.csv\nwindows: [{ from: 2020-01-01, to: 2020-04-30 }]\n';
/** Returns the message of the error without the path of the folder. */
function faultsOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '');
  }
  throw new Error('no fault was found');
}

describe('the windows of a study', () => {
  it('have the name of their first day by default, and may be adjacent', () => {
    const { windows, remainder } = withWindows(
      '[{ from: 2020-01-01, to: 2020-01-31 }, { name: b, from: 2020-02-01, to: 2020-02-01, memory: unseen }]',
    );
    expect(windows).toEqual([
      { name: '2020-01-01', from: '2020-01-01', to: '2020-01-31' },
      { name: 'b', from: '2020-02-01', to: '2020-02-01', memory: 'unseen' },
    ]);
    expect(remainder).toBeUndefined();
    expect(withWindows('{ preset: look-ahead-bench }').windows).toEqual([
      { name: 'P1', from: '2021-04-01', to: '2021-09-30', memory: 'remembered' },
      { name: 'P2', from: '2024-07-01', to: '2024-12-31', memory: 'unseen' },
    ]);
  });

  it.each([
    [
      '[{ name: a, from: 2020-01-01, to: 2020-01-31 }, { name: b, from: 2020-01-31, to: 2020-02-28 }]',
      'windows: b and a have days in common, which would count twice',
    ],
    [
      '[{ name: a, from: 2020-02-01, to: 2020-02-29 }, { name: b, from: 2020-01-01, to: 2020-02-01 }]',
      'windows: b and a have days in common, which would count twice',
    ],
    [
      '[{ name: a, from: 2020-01-02, to: 2020-01-01 }]',
      'windows: a ends on 2020-01-01, before it begins on 2020-01-02',
    ],
    [
      '[{ name: a, from: 2020-01-01, to: 2020-01-02 }, { name: a, from: 2020-02-01, to: 2020-02-02 }]',
      'windows: a is named twice',
    ],
    [
      '{ rolling: { from: 2020-01-01, to: 2020-01-30, length: 1m } }',
      'windows: not one window of that length fits',
    ],
    ['{ rolling: { from: 2020-01-01, to: 2020-06-30, length: 2m, step: 1m } }', 'have days in common'],
  ])('are refused: %s', (windows, fault) => {
    expect(faultsOf(() => withWindows(windows))).toContain(fault);
  });

  it('with a fault are reported by line', () => {
    const lines = [
      'strategies: [cross.ts]',
      'data: prices.csv',
      'windows:',
      '  - { name: a, from: 2020-01-01, to: 2020-01-31 }',
      '  - { name: b, from: 2020-01-31, to: 2020-02-28 }',
      '  - { name: c, from: 2020-03-01, to: 2020-02-29 }',
    ];
    const text = faultsOf(() => read(lines.join('\n')));
    expect(text).toContain('study.yaml:5: windows: b and a');
    expect(text).toContain('study.yaml:6: windows: c ends');
    expect(text).not.toContain('study.yaml:4');
  });

  it('that roll have equal lengths, start one step apart and do not exceed the last day', () => {
    const rolling = (terms: string) => {
      const { windows, remainder } = withWindows(`{ rolling: { from: 2020-01-01, ${terms} } }`);
      return { spans: windows.map(({ name, from, to }) => [name === from, from, to]), remainder };
    };
    expect(rolling('to: 2020-01-14, length: 1w')).toEqual({
      spans: [
        [true, '2020-01-01', '2020-01-07'],
        [true, '2020-01-08', '2020-01-14'],
      ],
      remainder: undefined,
    });
    expect(rolling('to: 2020-01-15, length: 1w').remainder).toEqual({ from: '2020-01-15', to: '2020-01-15' });
    expect(rolling('to: 2020-02-29, length: 10d, step: 1m')).toEqual({
      spans: [
        [true, '2020-01-01', '2020-01-10'],
        [true, '2020-02-01', '2020-02-10'],
      ],
      remainder: { from: '2020-02-11', to: '2020-02-29' },
    });
    expect(rolling('to: 2099-12-31, length: 1d').spans).toHaveLength(1_000);
  });
});

describe('the strategies of a study', () => {
  it('are files, agents and MCP clients, with names and parameters', () => {
    const { strategies } = read(
      `strategies:
  - sub/cross.ts
  - { file: sub/cross.ts, name: fast, parameters: { length: 5 } }
  - { agent: python3 x.py, agentEvery: 3, cutoff: 2020-01-01 }
  - { mcp: client run, name: own }
  - { mcp: client run, name: quick, timeout: 60, cutoff: 2021-01-01 }
${rest}`,
    );
    const none = { agent: undefined, cutoff: undefined, parameters: {} };
    const client = { file: undefined, agent: { agent: 'client run' }, parameters: {} };
    expect(strategies).toEqual([
      { ...none, file: join(folder, 'sub/cross.ts'), name: 'cross', line: 2 },
      { ...none, file: join(folder, 'sub/cross.ts'), name: 'fast', parameters: { length: 5 }, line: 3 },
      {
        ...{ file: undefined, name: undefined, cutoff: '2020-01-01', parameters: {}, line: 4 },
        agent: { agent: 'python3 x.py', agentEvery: 3 },
      },
      {
        ...client,
        ...{ name: 'own', cutoff: undefined, line: 5 },
        mcp: { command: 'client run', timeoutSeconds: 3_600 },
      },
      {
        ...client,
        ...{ name: 'quick', cutoff: '2021-01-01', line: 6 },
        mcp: { command: 'client run', timeoutSeconds: 60 },
      },
    ]);
  });

  it.each(['timeout: 604800', 'timeout: 0.5'])('may have a client with %s', (line) => {
    expect(() => read(`strategies: [{ mcp: a, name: b, ${line} }]\n${rest}`)).not.toThrow();
  });

  it.each(['timeout: 604801', 'timeout: 0'])('must not have a client with %s', (line) => {
    expect(() => read(`strategies: [{ mcp: a, name: b, ${line} }]\n${rest}`)).toThrow('study.yaml:1');
  });

  it('must have different names, as must models, tool sets and masks', () => {
    const few = '{ name: few, tools: [market_history] }';
    const text = faultsOf(() =>
      read(
        `strategies: [a.ts, sub/a.py, { agent: x }, { agent: y }, { file: b.ts, name: agent }]
models: [own, { model: m }, { model: n, name: m }]
tools: [own, off, ${few}, ${few}]
masks: [none, [dates, symbols], [symbols, dates, symbols]]
${rest}`,
      ),
    );
    for (const fault of [
      'study.yaml:1: strategies: a is a duplicate name. Rename one of them',
      'study.yaml:2: models: m is a duplicate name',
      'study.yaml:3: tools: few is a duplicate name',
      'study.yaml:4: masks: dates+symbols is a duplicate name',
    ])
      expect(text).toContain(fault);
    expect(text).toMatch(/4 faults/);
  });

  it('whose files do not exist are reported by line', () => {
    mkdirSync(join(folder, 'here'), { recursive: true });
    writeFileSync(join(folder, 'here/a.ts'), '');
    const text = faultsOf(() =>
      read(`strategies:\n  - here/a.ts\n  - b.ts\n  - { file: c.ts }\n  - { agent: x }\nsample: 1\n${rest}`),
    );
    expect(text).toContain('study.yaml:3: strategies: the file ');
    expect(text).toContain('study.yaml:4: strategies: the file ');
    expect(text).not.toMatch(/study\.yaml:[25]: /);
  });
});

describe('a study file', () => {
  it('has the name of its file by default, in lower case with hyphens', () => {
    const file = `strategies: [a.ts]\n${rest}`;
    expect(read(file, 'My Study 2.yaml').name).toBe('my-study-2');
    expect(read(file, '___.yaml').name).toBe('-');
    expect(read(`name: own-name\n${file}`, 'other.yaml').name).toBe('own-name');
  });

  it('has paths relative to its folder, except absolute paths and names of the data catalogue', () => {
    const request = read(
      `strategies: [/x/a.ts]
data: [prices.csv, /x/b.csv, '@spx']
options: { fx: [rates.csv], vfs: files, features: [f.csv, /x/g.csv], from: 2019-01-01 }
windows: [{ from: 2020-01-01, to: 2020-04-30 }]
`,
    );
    expect(request.strategies[0]!.file).toBe('/x/a.ts');
    expect(request.options).toMatchObject({
      data: [join(folder, 'prices.csv'), '/x/b.csv', '@spx'],
      fx: [join(folder, 'rates.csv')],
      vfs: join(folder, 'files'),
      features: [join(folder, 'f.csv'), '/x/g.csv'],
      from: '2019-01-01',
    });
  });

  it('has paths of files of contracts, calendars and benchmarks relative to its folder', () => {
    writeFileSync(join(folder, 'days.csv'), 'date\n2020-12-25\n');
    const lines = (calendar: string, benchmark: string): string =>
      `options: { rolls: r.csv, funding: f.csv, instruments: i.csv, calendar: ${calendar}, benchmark: ${benchmark} }`;
    const optionsOf = (given: string) => read(`strategies: [a.ts]\n${given}\n${rest}`).options;
    expect(optionsOf(lines('days.csv', 'days.csv'))).toMatchObject({
      rolls: join(folder, 'r.csv'),
      funding: join(folder, 'f.csv'),
      instruments: join(folder, 'i.csv'),
      calendar: join(folder, 'days.csv'),
      benchmark: join(folder, 'days.csv'),
    });
    expect(optionsOf(lines('XNYS', 'AAPL'))).toMatchObject({ calendar: 'XNYS', benchmark: 'AAPL' });
  });

  it('has the settings of each model without its name and its cutoff', () => {
    const models =
      'models: [own, { model: m, name: n, cutoff: 2020-01-01, sampling: { temperature: 0.5 } }]\n';
    expect(read(`strategies: [a.ts]\n${models}${rest}`).modelSettings).toEqual([
      undefined,
      { model: 'm', sampling: { temperature: 0.5 } },
    ]);
    expect(read(`strategies: [a.ts]\n${rest}`).modelSettings).toEqual([undefined]);
  });

  it('must exist', () => {
    expect(() => readStudyFile(join(folder, 'nothing.yaml'))).toThrow(
      expect.objectContaining({ code: 'study_not_found' }) as Error,
    );
  });

  it.each([
    ['strategies: [a.ts]\ncalibration: { field: "", states: up }', 'calibration.field'],
    ['strategies: [a.ts]\ntools: [{ name: few, tools: [] }]', 'tools.0'],
    ['strategies: [a.ts]\ntools: [{ name: few, tools: [nonsense] }]', 'unknown tool nonsense; available: '],
    ['strategies: []', 'strategies'],
    ['strategies: [{ name: x }]', 'must be a file, {file: trader.md'],
    ['strategies: [5]', 'must be a file, {file: trader.md'],
    ['strategies: [{ mcp: "", name: x }]', 'mcp: '],
    ['strategies: [{ mcp: a }]', 'name: '],
    ['strategies: [{ agent: a, cutoff: 2020-02-30 }]', '"2020-02-30" is not a date'],
    ['strategies: [{ agent: a, cutoff: "2020-1-01" }]', '"2020-1-01" is not a date'],
    ['strategies: [{ agent: a, file: b }]', 'unknown setting file'],
    ['strategies: [{ mcp: a, name: b, agent: c }]', 'unknown setting agent'],
  ])('is refused with %s', (lines, fault) => {
    expect(faultsOf(() => read(`${lines}\n${rest}`))).toContain(fault);
  });
});
