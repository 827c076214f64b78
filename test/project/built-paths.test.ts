import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Paths of compiled modules in a text: `dist/cli/bin.js`, and `'dist', 'cli', 'bin.js'` as arguments of `join`. */
const PATHS = /(?<![\w/])dist(?:\/[\w-]+)+\.js|'dist'(?:, '[\w.-]+')+/g;

// Tests skip themselves if a compiled module does not exist. A wrong path would therefore not be noticed.
it('tests and benchmarks import only compiled modules that the build creates', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'features', '.ci', '.config'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(?:ts|js|cjs)$/.test(file));
  const found = files.flatMap((file) =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(PATHS)].map(([text]) => ({
      file,
      path: text.replaceAll(/'/g, '').replaceAll(', ', '/'),
    })),
  );
  const compiled = found.filter(({ path }) => path.endsWith('.js') && !path.startsWith('dist/pages/shared/'));
  expect(compiled.length).toBeGreaterThan(20);
  const missing = compiled.filter(({ path }) => !existsSync(`${ROOT}${path}`));
  expect(missing).toEqual([]);
});
