import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { inDepth } from '../../test/support/depth.ts';
import { findOracle } from '../../test/support/ta-python.ts';

// The first `python3` in PATH may be an installation without pandas. The Python of Debian is then tried.
const interpreter = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import pandas']).status === 0,
);
if (interpreter === undefined)
  skipBecause('The Python project was not tested natively: no python3 has pandas (Debian: python3-pandas).');

describe.skipIf(interpreter === undefined)('the Python code of the sandbox in an ordinary Python', () => {
  it.runIf(inDepth(1))('passes its own tests', { timeout: 300_000 }, () => {
    const oracle = findOracle();
    const { status, stderr } = spawnSync(
      interpreter!,
      ['-W', 'ignore', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      {
        cwd: fileURLToPath(new URL('python/', import.meta.url)),
        encoding: 'utf8',
        env: {
          ...process.env,
          PYTHONDONTWRITEBYTECODE: '1',
          ...(oracle === undefined ? {} : { SANDTABLE_ORACLES: oracle }),
        },
      },
    );
    expect(stderr).toMatch(/Ran \d{2,} tests/);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  });
});
