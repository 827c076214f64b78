import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorPlaces, NO_ERRORS, sourceFiles, troubleshooting } from '../../docs/error-codes.ts';

const root = join(import.meta.dirname, '..', '..');
const files = sourceFiles(root);
const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');

describe('docs/troubleshooting.md', () => {
  it('equals the output of npm run docs:codes from the sources', () => {
    expect(troubleshooting(errorPlaces(files))).toBe(page);
  });

  it('has an entry for every code in the sources', () => {
    const codes = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bcode: '([a-z][a-z0-9_]*)'/g)].map(([, code]) => code!),
    );
    expect(codes.length).toBeGreaterThan(200);
    const missing = [...new Set(codes)].filter(
      (code) => !NO_ERRORS.has(code) && !page.includes(`\n## ${code}\n`),
    );
    expect(missing).toEqual([]);
  });

  it.each(['call_not_awaited', 'strategy_exited', 'look_ahead', 'decision_timeout'])(
    'explains %s',
    (code) => {
      expect(page).toContain(`\n## ${code}\n`);
    },
  );

  it('states a cause and a fix in each entry', () => {
    for (const entry of page.split('\n## ').slice(1)) expect(entry).toMatch(/^\w+\n\n- .+\n {2}Fix: .+/);
  });
});
