import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../docs/blocks.ts';
import { skipBecause } from '../missing.ts';

/** Copy of the sources in which the recipes of CONTRIBUTING.md are followed. */
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'sandtable-recipes-'));
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Replaces a text that occurs exactly once in a file of the copy. */
function edit(file: string, before: string, after: string): void {
  const path = join(copy, file);
  const parts = readFileSync(path, 'utf8').split(before);
  expect(parts, `${file} contains ${before} once`).toHaveLength(2);
  writeFileSync(path, parts.join(after));
}

/** Returns the standard output of a program that runs in the copy. */
function output(command: string, args: readonly string[], cwd = copy): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

describe('recipes of CONTRIBUTING.md', () => {
  it.each(['CONTRIBUTING.md', 'docs/architecture.md'])(
    'contain only existing files and folders: %s',
    (page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      const places = [...text.matchAll(/`((?:src|test|docs|features)\/[\w./-]*\w)`/g)].map(
        ([, place]) => place!,
      );
      const missing = places.filter((place) => !existsSync(join(ROOT, place)));
      expect(places.length).toBeGreaterThan(15);
      expect(missing).toEqual([]);
    },
  );

  it('have at most ten lines each', () => {
    const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const recipes = text
      .split(/^### Add /m)
      .slice(1)
      .map((part) => part.split(/^## /m)[0]!);
    expect(recipes).toHaveLength(7);
    for (const recipe of recipes) expect(recipe.trim().split('\n').length).toBeLessThanOrEqual(10);
  });

  it('add a tool that models are offered', () => {
    writeFileSync(
      join(copy, 'src/toolkit/tools/bar-number.ts'),
      `import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const barNumber = defineTool({
  name: 'bar_number',
  description: 'Returns the number of the current bar, from 0. Example: {}',
  parameters: z.strictObject({}),
  example: {},
  writes: false,
  handle: (_, { turn }) => ({ bar: turn.bar }),
});
`,
    );
    edit(
      'src/toolkit/registry.ts',
      "import { vfsDelete, vfsList, vfsRead, vfsWrite } from './tools/vfs-files.ts';",
      "import { barNumber } from './tools/bar-number.ts';\nimport { vfsDelete, vfsList, vfsRead, vfsWrite } from './tools/vfs-files.ts';",
    );
    edit('src/toolkit/registry.ts', 'const TOOLS = {', 'const TOOLS = {\n  bar_number: barNumber,');
    const script =
      "const { OFFERED_TOOL_NAMES, toolNamed } = await import('./src/toolkit/registry.ts');" +
      "console.log(OFFERED_TOOL_NAMES.includes('bar_number'), toolNamed('bar_number').name)";
    expect(output(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])).toBe(
      'true bar_number\n',
    );
  });

  it('add an indicator that ta offers', () => {
    const python = ['python3', '/usr/bin/python3'].find(
      (name) => spawnSync(name, ['-c', 'import pandas']).status === 0,
    );
    if (python === undefined) return skipBecause('The recipe of an indicator needs a python3 with pandas.');
    const folder = join(copy, 'src/sandbox/python');
    const momentum = readFileSync(join(folder, 'ta/momentum/mom.py'), 'utf8');
    writeFileSync(join(folder, 'ta/momentum/gain.py'), momentum.replace('def mom(', 'def gain('));
    edit(
      'src/sandbox/python/ta/_registry.py',
      '    "momentum": {',
      '    "momentum": {\n        "gain": "close",',
    );
    const script =
      'import pandas as pd, ta; s = pd.Series([1.0, 2.0, 4.0, 8.0]); print(ta.gain(s, length=1).tolist()[1:])';
    expect(output(python, ['-W', 'ignore', '-B', '-c', script], folder)).toBe('[1.0, 2.0, 4.0]\n');
  });
});
