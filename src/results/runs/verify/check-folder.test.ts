import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CheckedRun, checkOf, editFile, type JsonFields } from '../../../../test/support/checked-run.ts';
import { journalLines, writeJournal } from '../../../../test/support/journal.ts';
import { jsonText, sha256OfFile } from '../files.ts';
import { checkFolder } from './check-folder.ts';

const run = new CheckedRun();
afterAll(() => run.remove());
const hashOf = (file: string, folder = run.folder) => sha256OfFile(join(folder, file));

describe('the checks of a run folder', () => {
  it('verify every file that follows from the journal or has a recorded hash', () => {
    const fields = Object.keys(
      JSON.parse(readFileSync(join(run.folder, 'summary.json'), 'utf8')) as JsonFields,
    ).length;
    expect(checkFolder(run.folder).map(({ name, outcome, detail }) => [name, outcome, detail])).toEqual([
      [
        'journal.jsonl',
        'verified',
        `${readFileSync(join(run.folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n').length} lines have the SHA-256 of manifest.json. An earlier version wrote the run without a hash chain`,
      ],
      [
        'manifest.json',
        'verified',
        '12 fields agree with the journal and inputs.json. Versions and hashes of data are statements of the writer',
      ],
      ['equity.csv', 'verified', '12 rows follow from the journal'],
      ['trades.csv', 'verified', '1 rows follow from the journal'],
      ['summary.json', 'verified', `${fields} fields follow from the journal`],
      ['strategy.md', 'verified', `has the SHA-256 that the run recorded, ${hashOf('strategy.md')}`],
      ['lib/notes.md', 'verified', `has the SHA-256 that the run recorded, ${hashOf('lib/notes.md')}`],
      ['feed.jsonl', 'verified', `has the SHA-256 of manifest.json, ${hashOf('feed.jsonl')}`],
      ['registration', 'not checked', 'the run was not registered before its start'],
      [
        'report.html, timing.json',
        'not checked',
        'nothing is compared with them. report.html and timing.json state wall-clock times; sandtable report renders the page again from the journal',
      ],
    ]);
  });

  it('are few for a killed run that has only a journal', () => {
    const folder = mkdtempSync(join(run.root, 'killed-'));
    writeJournal(folder, journalLines(3).slice(0, -1));
    expect(checkFolder(folder).map(({ name, outcome, detail }) => [name, outcome, detail])).toEqual([
      ['journal.jsonl', 'not checked', 'it has no hash chain, and no manifest.json records its SHA-256'],
      ['equity.csv', 'not checked', 'the file is missing'],
      ['trades.csv', 'not checked', 'the file is missing'],
      ['summary.json', 'not checked', 'the file is missing'],
      ['strategy', 'not checked', expect.stringMatching(/^Cannot use .*[^.]$/)],
      ['registration', 'not checked', expect.stringMatching(/^Cannot use .*[^.]$/)],
    ]);
  });

  it('end at a journal that cannot be read', () => {
    const folder = run.copy();
    editFile(folder, 'journal.jsonl', () => '{"type":\n');
    const checks = checkFolder(folder);
    expect(checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['journal.jsonl', 'failed'],
      ['figures', 'failed'],
    ]);
    expect(checks[0]!.detail).toBe(
      `its SHA-256 is ${hashOf('journal.jsonl', folder)}, but manifest.json records ${hashOf('journal.jsonl')}`,
    );
  });

  it('report an invalid manifest', () => {
    expect(run.afterEdit('manifest.json', () => '{')).toBe('failed: it is not JSON');
    for (const text of ['[]', '{"journal": {}}', '{"data": {}, "journal": 5}'])
      expect(run.afterEdit('manifest.json', () => text)).toBe(
        'failed: it lacks fields that every manifest has',
      );
  });
});

describe('the check of the manifest', () => {
  it('lists at most five fields that differ from the journal', () => {
    expect(run.afterJson('manifest.json', (value) => ({ ...value, outcome: 'failed', stamps: ['x'] }))).toBe(
      'failed: differs from the journal or inputs.json in outcome, stamps',
    );
    const others = { outcome: 1, sealed: 1, openDoors: 1, stamps: 1, settings: 1, inputs: 1 };
    expect(run.afterJson('manifest.json', (value) => ({ ...value, ...others }))).toBe(
      'failed: differs from the journal or inputs.json in outcome, sealed, openDoors, stamps, settings and 1 more',
    );
    const { inputs: _, ...five } = others;
    expect(run.afterJson('manifest.json', (value) => ({ ...value, ...five }))).toMatch(/, stamps, settings$/);
    const data = (value: JsonFields) => ({
      ...value,
      data: { ...(value.data as JsonFields), symbols: [], bars: 13 },
    });
    expect(run.afterJson('manifest.json', data)).toMatch(/ in data\.symbols, data\.bars$/);
    const strategy = { name: 'a', kind: 'b', parameters: 5 };
    expect(run.afterJson('manifest.json', (value) => ({ ...value, strategy }))).toMatch(
      / in strategy\.name, strategy\.kind, strategy\.parameters$/,
    );
    const walked = (value: JsonFields) => ({
      ...value,
      journal: { ...(value.journal as JsonFields), barsWalked: 11 },
    });
    expect(run.afterJson('manifest.json', walked)).toMatch(/ in journal\.barsWalked$/);
  });

  it('reports an edited text and a wrong hash', () => {
    expect(run.afterEdit('manifest.json', (text) => `${text}\n`)).toBe(
      'failed: the text of manifest.json was edited',
    );
    expect(run.afterEdit('inputs.json', (text) => ` ${text}`, 'manifest.json')).toBe(
      'failed: the text of inputs.json was edited',
    );
    expect(run.afterJson('manifest.json', (value) => ({ ...value, versions: { node: '1' } }))).toBe(
      'failed: it does not have the SHA-256 that it states',
    );
    expect(run.afterJson('manifest.json', ({ folder: _, sha256: __, ...value }) => value)).toMatch(
      /^verified: 12/,
    );
    expect(run.afterJson('manifest.json', (value) => ({ ...value, inputs: null, sha256: 'x' }))).toBe(
      'failed: it does not have the SHA-256 that it states',
    );
    expect(run.afterEdit('inputs.json', () => '{', 'manifest.json')).toMatch(/^failed: .* in inputs$/);
  });
});

describe('the check of a table', () => {
  it('reports the first line that differs', () => {
    const rows = readFileSync(join(run.folder, 'equity.csv'), 'utf8').split('\n');
    const of = (change: (lines: string[]) => string[]) =>
      run.afterEdit('equity.csv', (text) => change(text.split('\n')).join('\n'));
    expect(of((lines) => lines.with(2, 'x'.repeat(130)))).toBe(
      `failed: line 3 is "${'x'.repeat(120)}", but the journal gives ${JSON.stringify(rows[2])}`,
    );
    expect(of((lines) => lines.slice(0, 12))).toBe(
      `failed: line 13 is missing, but the journal gives ${JSON.stringify(rows[12])}`,
    );
    expect(of((lines) => [...lines, 'more'])).toBe('failed: line 14 is "", but the journal gives ""');
    expect(of((lines) => lines.with(0, ''))).toContain('line 1 is "", but the journal gives "bar,date');
  });

  it('reports a missing file', () => {
    const folder = run.copy();
    for (const name of ['trades.csv', 'summary.json', 'strategy.md', 'lib/notes.md', 'feed.jsonl'])
      rmSync(join(folder, name));
    for (const name of ['trades.csv', 'summary.json', 'strategy.md', 'lib/notes.md'])
      expect(checkOf(folder, name)).toBe('failed: the file is missing, but the run wrote it');
    // The strategy imports this file, but the run made no copy of it.
    expect(checkOf(folder, 'gone.md')).toBe('undefined: undefined');
    expect(checkOf(folder, 'feed.jsonl')).toBe('failed: is missing, but manifest.json lists it');
  });
});

describe('the check of the other files', () => {
  it('compares their hashes', () => {
    const folder = run.copy();
    for (const name of ['strategy.md', 'feed.jsonl', 'lib/notes.md'])
      writeFileSync(join(folder, name), 'changed');
    const now = hashOf('strategy.md', folder);
    expect(checkOf(folder, 'strategy.md')).toBe(
      `failed: its SHA-256 is ${now}, but the run used ${hashOf('strategy.md')}`,
    );
    expect(checkOf(folder, 'lib/notes.md')).toMatch(/^failed: its SHA-256 is /);
    expect(checkOf(folder, 'feed.jsonl')).toBe(
      `failed: has the SHA-256 ${now}, but manifest.json records ${hashOf('feed.jsonl')}`,
    );
    const names = checkFolder(folder).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    writeFileSync(join(folder, 'added.txt'), '');
    expect(checkFolder(folder).at(-1)!.name).toBe('added.txt, report.html, timing.json');
  });

  it('is omitted for a strategy in code', () => {
    const folder = run.copy();
    const code = (text: string): string => {
      const value = JSON.parse(text) as { strategy: JsonFields };
      return jsonText({ ...value, strategy: { ...value.strategy, copy: null, sha256: null } });
    };
    editFile(folder, 'inputs.json', code);
    expect(checkOf(folder, 'strategy')).toBe(
      'not checked: the strategy was given in code, so the run has no copy of it',
    );
  });
});

it('the example run has a verified hash chain', () => {
  const example = new URL('../../../../reports/example-sma-cross/', import.meta.url).pathname;
  const lines = readFileSync(join(example, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
  const links = lines.filter((line) => line.startsWith('{"type":"link"')).length;
  const manifest = JSON.parse(readFileSync(join(example, 'manifest.json'), 'utf8')) as {
    journal: JsonFields;
  };
  expect(checkOf(example, 'journal.jsonl')).toBe(
    `verified: ${lines.length} lines, ${links} links, head ${manifest.journal.head}`,
  );
  const folder = mkdtempSync(join(run.root, 'chain-'));
  cpSync(join(example, 'journal.jsonl'), join(folder, 'journal.jsonl'));
  const unlinked = lines.length - 1 - lines.findLastIndex((line) => line.startsWith('{"type":"link"'));
  expect(checkOf(folder, 'journal.jsonl')).toBe(
    `verified: ${links} links over ${lines.length - unlinked} lines. The run has no manifest.json, so ${unlinked} lines after the last link are not covered`,
  );
  const other = run.copy();
  editFile(other, 'manifest.json', (text) => {
    const value = JSON.parse(text) as { journal: JsonFields };
    return jsonText({ ...value, journal: { ...value.journal, head: 'abc' } });
  });
  expect(checkOf(other, 'journal.jsonl')).toBe(
    'failed: its links are missing, but manifest.json records the head of a hash chain',
  );
  cpSync(join(example, 'journal.jsonl'), join(other, 'journal.jsonl'));
  expect(checkOf(other, 'journal.jsonl')).toBe(
    `failed: the hash chain ends with ${manifest.journal.head}, but manifest.json records abc: lines after the last link, line ${lines.length - unlinked}, were changed, added or removed`,
  );
});
