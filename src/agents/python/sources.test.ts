import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPythonSources } from './sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('finds the files that a strategy imports from its folder, and no others', () => {
  mkdirSync(join(folder, 'lib'));
  const texts = {
    'main.py': 'import math, helpers\nfrom lib import sizes\nfrom .near import x  # not far\n',
    'helpers.py': 'from lib.deep import (f, g)\n',
    'near.py': '',
    'far.py': '',
    'lib/__init__.py': '',
    'lib/sizes.py': 'from . import deep\nfrom .. import up\n',
    'lib/deep.py': '',
    'up.py': '',
    'math.csv': '',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const file = join(folder, 'main.py');
  const { files, main, texts: read } = readPythonSources(file, readFileSync(file));
  expect(main).toBe('main.py');
  expect(files.map((each) => each.file)).toEqual([
    'helpers.py',
    'lib/__init__.py',
    'lib/deep.py',
    'lib/sizes.py',
    'main.py',
    'near.py',
    'up.py',
  ]);
  expect(read['near.py']).toBe('');
});
