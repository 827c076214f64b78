import { describe, expect, it } from 'vitest';
import { ImportGraph } from './related.ts';

const graph = new ImportGraph(
  new Map([
    ['src/a/sum.ts', 'export const sum = 1;'],
    ['src/a/mean.ts', "import { sum } from './sum.ts';"],
    ['src/a/index.ts', "export { sum as total } from './sum.ts';\nexport * from './mean.ts';"],
    ['src/b/use.ts', "import { total } from '../a/index.ts';"],
    ['src/b/other.ts', "import { mean } from '../a/index.ts';"],
    ['src/b/types.ts', "import type { Sum } from '../a/sum.ts';\nimport { type Sum2 } from '../a/sum.ts';"],
    ['src/b/later.ts', "const use = await import('./use.ts');"],
  ]),
);

describe('an import graph', () => {
  it('returns the files that import a file, with the number of imports between them', () => {
    expect(Object.fromEntries(graph.importersOf('src/a/sum.ts'))).toEqual({
      'src/a/mean.ts': 1,
      'src/b/use.ts': 1,
      'src/b/other.ts': 2,
      'src/b/later.ts': 2,
    });
  });

  it('resolves a name through an index to the defining file, and ignores types', () => {
    expect([...graph.importersOf('src/b/use.ts').keys()]).toEqual(['src/b/later.ts']);
    expect([...graph.importersOf('src/a/mean.ts').keys()]).not.toContain('src/b/types.ts');
  });
});
