import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FILES, REPL, SCRIPT_TIMEOUT_SECONDS, SCRIPTS } from '../toolkit/index.ts';
import { fileEvent, Vfs } from '../toolkit/vfs/index.ts';
import {
  checkScriptsAllowed,
  eventsOfGiven,
  exportFiles,
  ToolTimings,
  toolExtras,
  undatedWarning,
} from './tool-extras.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-extras-'));
afterAll(() => rmSync(root, { recursive: true }));
const folderOf = (name: string, files: Readonly<Record<string, string>>): string => {
  mkdirSync(join(root, name));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, name, file), text);
  return join(root, name);
};

describe('the inputs of tools', () => {
  it('are empty without options', () => {
    const extras = toolExtras({});
    expect(extras).toMatchObject({ undated: [], repl: 'decision', allowScripts: false, given: undefined });
    expect([extras.files.list(), extras.arrivals.files]).toEqual([[], []]);
    expect(extras.shared[FILES.name]).toBe(extras.files);
    expect(extras.shared[SCRIPTS.name]).toBeUndefined();
    expect(extras.shared[REPL.name]).toBeDefined();
  });

  it('have the session lifetime of the strategy, unless an option overrides it', () => {
    expect(toolExtras({}, 'run').repl).toBe('run');
    expect(toolExtras({ repl: 'decision' }, 'run').repl).toBe('decision');
  });

  it('permit scripts on request, with a time limit', () => {
    expect(toolExtras({ allowScripts: false, skills: 'x' }).shared[SCRIPTS.name]).toBeUndefined();
    const plain = toolExtras({ allowScripts: true });
    expect(plain.allowScripts).toBe(true);
    expect(plain.shared[SCRIPTS.name]).toEqual({
      ...{ skillsFolder: resolve('skills'), timeoutSeconds: SCRIPT_TIMEOUT_SECONDS },
    });
    expect(toolExtras({ allowScripts: true, skills: '/own', scriptTimeout: 3 }).shared[SCRIPTS.name]).toEqual(
      {
        ...{ skillsFolder: '/own', timeoutSeconds: 3 },
      },
    );
  });

  it('include the files of a folder, each file from its date on', () => {
    const dated = '---\navailable_at: 2024-01-05\n---\nlater';
    const vfs = folderOf('some', { 'a.md': 'now', 'b.md': dated, 'c.md': 'too' });
    const extras = toolExtras({ vfs });
    expect(extras.undated).toEqual(['a.md', 'c.md']);
    expect(extras.given).toMatchObject({
      count: 3,
      dated: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(undatedWarning(extras)).toMatch(/^a\.md and 1 more of --vfs has no available_at\./);
    const one = toolExtras({ vfs: folderOf('one', { 'a.md': 'now' }) });
    expect(one.given).not.toHaveProperty('dated');
    expect(undatedWarning(one)).toMatch(/^a\.md of --vfs has no available_at\./);
    expect(undatedWarning(toolExtras({}))).toBeUndefined();
    const [arrival] = extras.arrivals.files;
    const taken = extras.arrivals.take(arrival!, Date.UTC(2024, 0, 5), 7);
    expect(taken).toMatchObject({ type: 'file_written', bar: 7, mode: 'create' });
    expect(extras.files.list()).toHaveLength(3);
    expect(extras.arrivals.take(arrival!, Date.UTC(2024, 0, 5), 8)).toMatchObject({ mode: 'overwrite' });
    const large = { ...arrival!, content: 'x'.repeat(2_000_000) };
    expect(extras.arrivals.take(large, 0, 9)).toMatchObject({
      type: 'note',
      bar: 9,
      text: expect.stringContaining('Could not add the file') as string,
    });
  });

  it('are changed by a mask', () => {
    const vfs = folderOf('masked', { 'a.md': 'now' });
    const extras = toolExtras({ vfs }, undefined, () => ({ files: new Vfs(), dated: [] }));
    expect(extras.undated).toEqual([]);
    expect(extras.given).toMatchObject({ count: 0 });
  });
});

it('scripts are refused unless the run allows them', () => {
  checkScriptsAllowed('x', ['compute'], false);
  checkScriptsAllowed('x', ['run_python_script'], true);
  expect(() => checkScriptsAllowed('The strategy x', ['compute', 'run_python_script'], false)).toThrow(
    expect.objectContaining({ code: 'scripts_not_allowed' }),
  );
});

it('files at the start of a run are recorded as events, and files at its end are exported', () => {
  const files = new Vfs();
  files.write('b.md', 'two', 'create');
  files.write('a.md', 'one', 'create');
  const events = eventsOfGiven(files);
  expect(events).toHaveLength(2);
  for (const event of events) expect(event).toMatchObject({ type: 'file_written', bar: 0, mode: 'create' });
  const folder = folderOf('run', {});
  mkdirSync(join(folder, 'vfs'));
  writeFileSync(join(folder, 'vfs', 'old.md'), '');
  const changed = { kind: 'write', path: 'a.md', content: 'three', mode: 'overwrite' } as const;
  exportFiles([...events, fileEvent(3, changed)], folder);
  expect(readFileSync(join(folder, 'vfs', 'a.md'), 'utf8')).toBe('three');
  expect(existsSync(join(folder, 'vfs', 'old.md'))).toBe(false);
  exportFiles([], folder);
  expect(existsSync(join(folder, 'vfs'))).toBe(false);
});

describe('durations of tool calls', () => {
  it('are summarised by tool and by decision', () => {
    const tools = new ToolTimings();
    const model = new ToolTimings(tools);
    expect([tools.decisions(), tools.summary(), tools.count('a')]).toEqual([{}, {}, 0]);
    for (const [at, ms] of [4, 1, 3, 2].entries()) tools.add('a', ms, at < 2 ? 5 : 6);
    tools.add('b', 0.126, 6);
    model.add('model', 10, 5);
    expect(tools.decisions()).toEqual({ decisions: '5:15 6:5.13' });
    expect(model.decisions()).toEqual(tools.decisions());
    expect([tools.count('a'), tools.count('model'), model.count('model')]).toEqual([4, 0, 1]);
    expect(tools.summary()).toEqual({
      a: { calls: 4, p50Milliseconds: 3, p95Milliseconds: 4 },
      b: { calls: 1, p50Milliseconds: 0.126, p95Milliseconds: 0.126 },
    });
    const many = new ToolTimings();
    for (let ms = 0; ms < 100; ms++) many.add('c', ms, 0);
    expect(many.summary().c).toEqual({ calls: 100, p50Milliseconds: 50, p95Milliseconds: 95 });
  });
});
