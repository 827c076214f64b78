import { expect, it } from 'vitest';
import { compiledSource } from './compile.ts';

it('a changed source is compiled to an ES module, like the build', () => {
  const text = "import { a } from './a.ts';\n\nexport const b: number = a;\n";
  expect(compiledSource('src/b.ts', text)).toBe('import { a } from "./a.js";\nexport const b = a;\n');
});
