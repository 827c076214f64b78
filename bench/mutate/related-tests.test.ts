import { expect, it } from 'vitest';
import { batchesOf, RelatedTests, startsNoProcess } from './related-tests.ts';

const QUICK = ['src/kernel/exact.test.ts', 'src/kernel/instants.test.ts'];

it('selects the tests of a file, first those with its name', () => {
  const texts = new Map([
    ['src/kernel/exact.ts', ''],
    ['src/kernel/decimal.ts', "import { x } from './exact.ts';"],
    ['src/kernel/instants.test.ts', "import { x } from './exact.ts';"],
    ['src/kernel/exact.test.ts', "import { x } from './decimal.ts';"],
    ['src/kernel/yaml.test.ts', ''],
  ]);
  expect(new RelatedTests(texts, false).of('src/kernel/exact.ts')).toEqual(QUICK);
  expect(new RelatedTests(texts, true).of('src/kernel/exact.ts')).toEqual(QUICK.slice(0, 1));
});

it('selects the tests of the folder of a file, even if they are many imports away', () => {
  const chain = Array.from({ length: 6 }, (_, at): [string, string] => [
    `src/runner/step-${at}.ts`,
    `import { x } from '${at === 0 ? '../research/study/ranks.ts' : `./step-${at - 1}.ts`}';`,
  ]);
  const last = (depth: string): string => `import { x } from '${depth}/runner/step-5.ts';`;
  const texts = new Map([
    ['src/research/study/ranks.ts', ''],
    ...chain,
    ['src/research/study/whole-study.test.ts', last('../..')],
    ['src/research/stress/whole-stress.test.ts', last('../..')],
  ]);
  expect(new RelatedTests(texts, false).of('src/research/study/ranks.ts')).toEqual([
    'src/research/study/whole-study.test.ts',
  ]);
});

it('runs four tests first, then more, and tests that start processes separately', () => {
  expect(QUICK.every(startsNoProcess)).toBe(true);
  const quick = Array.from({ length: 20 }, (_, at) => QUICK[at % 2]!);
  expect(batchesOf(quick).map(({ length }) => length)).toEqual([4, 12, 4]);
  expect(batchesOf([...QUICK, 'slow.test.ts', ...QUICK])).toEqual([QUICK, ['slow.test.ts'], QUICK]);
  expect(batchesOf([])).toEqual([]);
});
