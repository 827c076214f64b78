import { describe, expect, it } from 'vitest';
import { mutantsOf, withMutant } from './mutants.ts';

const changesOf = (text: string): string[] =>
  mutantsOf('x.ts', text).map((mutant) => withMutant(text, mutant));

describe('mutantsOf', () => {
  it('changes comparisons, sums, methods, conditions, numbers, calls and truth values, one at a time', () => {
    expect(changesOf('const a = b < 2;')).toEqual(['const a = b <= 2;', 'const a = b < (2 + 1);']);
    expect(changesOf('cash.plus(fee);')).toEqual([';', 'cash.minus(fee);']);
    expect(changesOf('if (open) done = true;')).toEqual([
      'if (!(open)) done = true;',
      'if (open) done = false;',
    ]);
  });

  it('does not confuse a method with an inherited property', () => {
    expect(changesOf('const a = b.toString();')).toEqual([]);
  });

  it('does not change types, imports, texts and error messages', () => {
    expect(changesOf("import x from 'x'; type A = 1 | 2; interface B { c: 3 }; let d: 4;")).toEqual([]);
    expect(changesOf("const text = 'a' + b;")).toEqual([]);
    expect(changesOf("throw new AppError({ code: 'x', message: String(a > 1), hint: String(2) });")).toEqual(
      [],
    );
  });
});
