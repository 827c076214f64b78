import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { withoutDynamicImport } from './bundle.ts';

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
  ])('gives the same for %s', (code, value) => {
    expect(new Script(withoutDynamicImport(code)).runInNewContext()).toBe(value);
  });
});
