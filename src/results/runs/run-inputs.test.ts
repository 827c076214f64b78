import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256OfFile } from './files.ts';
import type { RunInputs } from './manifest.ts';
import {
  checkSameData,
  copyNameOf,
  filesNow,
  readRunInputs,
  siblingPath,
  strategyFileOf,
  writeRunInputs,
} from './run-inputs.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-inputs-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): { file: string; sha256: string } {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { file, sha256: sha256OfFile(file) };
}

/**
 * Creates a run folder. The strategy of the run reads `lib/a.ts` in its own folder, and `o.txt` in the parent
 * folder.
 */
function stored() {
  const place = mkdtempSync(join(root, 'case-'));
  const [home, folder] = [join(place, 'home'), join(place, 'run')];
  mkdirSync(folder);
  const main = write(join(home, 's.ts'), 'main');
  const beside = ['lib/a.ts', '../o.txt'];
  const files = beside.map((file) => ({ file, sha256: write(join(home, file), file).sha256 }));
  const given = {
    runId: 'r',
    strategy: { file: main.file, sha256: main.sha256, copy: 'strategy.ts', files, parameters: {} },
    flags: { data: ['bars.csv'] },
    files: [],
    settings: {},
  };
  const inputs = writeRunInputs(folder, given, beside);
  return { place, home, folder, given, inputs, main: main.file, copy: join(folder, 'strategy.ts') };
}

const error = (work: () => unknown): { code: string; message: string; hint: string } => {
  try {
    work();
  } catch (thrown) {
    return thrown as { code: string; message: string; hint: string };
  }
  throw new Error('no error');
};

describe('the inputs of a run', () => {
  it('are stored with copies of the strategy and of the files in its folder', () => {
    const { place, folder, inputs, copy } = stored();
    expect(readRunInputs(folder)).toEqual(inputs);
    expect(readFileSync(copy, 'utf8')).toBe('main');
    expect(readFileSync(join(folder, 'lib/a.ts'), 'utf8')).toBe('lib/a.ts');
    expect(readFileSync(join(place, 'o.txt'), 'utf8')).toBe('../o.txt');
    expect(existsSync(join(folder, 'o.txt'))).toBe(false);
    expect(siblingPath('/a/s.ts', 'b.ts')).toBe('/a/b.ts');
    expect(siblingPath('/a/s.ts', '/c/b.ts')).toBe('/c/b.ts');
  });

  it('are not written if a file changed while the run was starting', () => {
    const { home, folder, given, copy } = stored();
    rmSync(copy);
    write(join(home, 'lib/a.ts'), 'changed');
    expect(error(() => writeRunInputs(folder, given))).toMatchObject({
      code: 'strategy_changed',
      message: `${join(home, 'lib/a.ts')} changed while the run was starting.`,
    });
    // An existing copy is not replaced.
    write(copy, 'copy');
    writeRunInputs(folder, given);
    expect(readFileSync(copy, 'utf8')).toBe('copy');
  });

  it('name the copy of a strategy unlike the files next to it', () => {
    expect(copyNameOf('/a/My.TS')).toBe('strategy.ts');
    expect(copyNameOf('/a/s.py', ['strategy.ts'])).toBe('strategy.py');
    expect(copyNameOf('/a/s.py', ['strategy.py'])).toBe('s.py');
  });

  it('are refused if they cannot be read', () => {
    const { folder } = stored();
    const problem = (text: string): string => {
      writeFileSync(join(folder, 'inputs.json'), text);
      return error(() => readRunInputs(folder)).message;
    };
    expect(problem('{')).toContain('it is not JSON');
    expect(problem('{"schema": 1, "runId": 3}')).toContain('does not have the format');
    rmSync(join(folder, 'inputs.json'));
    expect(error(() => readRunInputs(folder))).toMatchObject({
      code: 'not_a_run',
      message: expect.stringContaining('inputs.json'),
    });
  });
});

describe('the strategy of a repeated run', () => {
  it('is the original file, or its copy if the original is missing', () => {
    const { folder, inputs, main, copy } = stored();
    expect(strategyFileOf(folder, inputs)).toBe(main);
    expect(strategyFileOf(folder, inputs, true)).toBe(main);
    rmSync(main);
    expect(strategyFileOf(folder, inputs)).toBe(copy);
    writeFileSync(copy, 'other');
    expect(error(() => strategyFileOf(folder, inputs))).toMatchObject({
      code: 'strategy_changed',
      message: `${copy} is not the file that this run used.`,
    });
    rmSync(copy);
    expect(error(() => strategyFileOf(folder, inputs)).message).toBe(
      `The strategy ${main} of the run and its copy are missing.`,
    );
  });

  it('is refused if files changed, unless the copy takes precedence', () => {
    const { home, folder, inputs, main, copy } = stored();
    writeFileSync(main, 'changed');
    expect(error(() => strategyFileOf(folder, inputs))).toMatchObject({
      message: `${main} is not the file that this run used.`,
      hint: `Restore the file (${copy} is a copy), or start a new run.`,
    });
    expect(strategyFileOf(folder, inputs, true)).toBe(copy);
    const other = join(home, 'lib/a.ts');
    writeFileSync(other, 'changed');
    expect(error(() => strategyFileOf(folder, inputs))).toMatchObject({
      message: `${main}, ${other} are not the files that this run used.`,
      hint: `Restore the files (${copy}, ${join(folder, 'lib/a.ts')} are copies), or start a new run.`,
    });
    const outside = stored();
    writeFileSync(join(outside.place, 'o.txt'), 'changed');
    expect(error(() => strategyFileOf(outside.folder, outside.inputs)).hint).toBe(
      'Restore the file, or start a new run.',
    );
  });

  it('is unknown for a run from code', () => {
    const { folder, inputs } = stored();
    const from = (strategy: object, data = ['bars.csv']) =>
      error(() =>
        strategyFileOf(folder, { ...inputs, strategy: { ...inputs.strategy, ...strategy }, flags: { data } }),
      );
    expect(from({ file: null })).toMatchObject({
      code: 'run_from_code',
      message: expect.stringContaining('its strategy in memory'),
    });
    expect(from({ copy: null }).code).toBe('run_from_code');
    expect(from({}, []).message).toContain('its bars in memory');
  });
});

describe('the files of a repeated run', () => {
  it('are found next to the data, in a folder of the data, and in the run folder, by name and content', () => {
    const { place, folder, inputs } = stored();
    const old = (name: string, text: string) => ({ ...write(join(place, 'old', name), text) });
    const files = [
      old('bars.csv', 'bars'),
      old('fx.csv', 'fx'),
      old('news.csv', 'news'),
      old('here.csv', 'here'),
    ];
    const flags = {
      data: [files[0]!.file],
      fx: files[1]!.file,
      news: [files[2]!.file],
      other: 3,
      kept: files[3]!.file,
    };
    const run = { ...inputs, flags, files } as RunInputs;
    expect(filesNow(folder, run, undefined)).toEqual(flags);
    for (const { file } of files.slice(0, 3)) rmSync(file);
    expect(error(() => filesNow(folder, run, undefined))).toMatchObject({
      code: 'data_not_found',
      message: `Files of the run are missing: ${files
        .slice(0, 3)
        .map(({ file }) => file)
        .join(', ')}.`,
    });
    const bars = write(join(place, 'new', 'bars.csv'), 'bars').file;
    const fx = write(join(place, 'new', 'fx.csv'), 'fx').file;
    write(join(place, 'new', 'news.csv'), 'other content');
    const news = write(join(folder, 'news.csv'), 'news').file;
    expect(filesNow(folder, run, [bars])).toEqual({
      data: [bars],
      fx,
      news: [news],
      other: 3,
      kept: files[3]!.file,
    });
    // The new path of the data may be a folder that contains the files.
    expect(filesNow(folder, run, [dirname(bars)])).toMatchObject({ data: [dirname(bars)], fx });
    // Data in the run folder are found without a new path.
    for (const { file } of files.slice(0, 2)) write(join(folder, basename(file)), basename(file, '.csv'));
    expect(filesNow(folder, run, undefined)).toMatchObject({
      data: [join(folder, 'bars.csv')],
      fx: join(folder, 'fx.csv'),
    });
  });

  it('may have been passed in memory', () => {
    const { folder, inputs } = stored();
    const files = [{ file: '(bars in memory)', sha256: 'x' }];
    expect(filesNow(folder, { ...inputs, files }, undefined)).toEqual(inputs.flags);
  });

  it('must have the same content', () => {
    const { inputs } = stored();
    const [a, b, memory] = ['a', 'b', '(bars in memory)'].map((file) => ({
      file,
      sha256: `hash of ${file}`,
    })) as [RunInputs['files'][number], RunInputs['files'][number], RunInputs['files'][number]];
    const check = (now: Parameters<typeof checkSameData>[1], files = [a, b]) =>
      checkSameData({ ...inputs, files }, now);
    expect(() => check([a, b])).not.toThrow();
    expect(error(() => check([a, { file: 'b', sha256: 'x' }]))).toMatchObject({
      code: 'data_changed',
      message: 'These are not the bars that this run used: b.',
    });
    expect(error(() => check([a])).message).toContain('this run used: b.');
    expect(error(() => check([a, b, a])).message).toBe('The run read 2 files, and now there are 3.');
    expect(error(() => check([a, { file: null, sha256: null }], [a, memory])).message).toBe(
      'A program passed these inputs of the run in memory: (bars in memory).',
    );
  });
});
