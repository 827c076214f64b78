import { readFileSync } from 'node:fs';
import type { PyDict } from 'pyodide/ffi';
import { describe, expect, test } from 'vitest';
import { codeAttacks } from '../policy/attacks-codes.ts';
import { loadTestPython } from '../support/ta-python.ts';

const python = await loadTestPython();

describe.skipIf(python === undefined)('without the policy, codes are written beyond their categories', () => {
  const scope = python?.toPy({}) as PyDict;
  python?.runPython(readFileSync(new URL('../contamination/open.py', import.meta.url), 'utf8'), {
    globals: scope,
  });
  python?.runPython('bars.reserve("AAPL", 60)', { globals: scope });
  const run = scope?.get('run') as (code: string, length: number) => string;

  // policy.test.ts and respelled.test.ts test that the sandbox prevents these attacks.
  test.each(codeAttacks.map(({ name, code }) => [name, code] as const))('%s', (_, code) => {
    expect(run(code, 60)).toBe('["PWNED"]');
  });
});
