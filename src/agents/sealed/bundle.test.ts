import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { bundleStrategy, withoutDynamicImport } from './bundle.ts';

describe('a bundle without dynamic imports', () => {
  it.each(["import('fs')", "import  /* a */ ('fs')", "[import('fs')]", "(() => import('fs'))"])(
    'does not compile with %s',
    (code) => {
      expect(() => new Script(code)).not.toThrow();
      expect(() => new Script(withoutDynamicImport(code))).toThrow(SyntaxError);
    },
  );

  it.each([
    ["'import(1)'", 'import(1)'],
    ['`import(1)`', 'import(1)'],
    ["'\\\\import(1)'", '\\import(1)'],
    ['({ import: (x) => x + 1 }).import(1)', 2],
    ["/^import\\(/.test('import(')", true],
    ['const $import = 3; $import', 3],
  ])('returns the same results for %s', (code, value) => {
    expect(new Script(withoutDynamicImport(code)).runInNewContext()).toBe(value);
  });

  it.skipIf(!buildIsHere())('is the code that a sealed strategy runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-bundle-'));
    const file = join(folder, 'strategy.ts');
    writeFileSync(
      file,
      `import { defineStrategy } from 'sandtable';
const names = ['import', 'import("fs")'];
export default defineStrategy({ name: names[0]!, summary: '', async onBar() { await import('./' + names[1]); } });`,
    );
    try {
      const { code } = await bundleStrategy(file);
      expect(code).toContain('\\u0069mport');
      // Code that esbuild itself generates must also contain no keyword `import`.
      expect(/\bimport\b/.exec(code)).toBeNull();
      expect(() => new Script(code)).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
