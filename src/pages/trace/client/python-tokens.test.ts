import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonTokens } from './render.ts';

const kinds = (code: string): string[] =>
  pythonTokens(code)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`);

describe('Python tokens', () => {
  it('have the kinds of the code', () => {
    expect(kinds('def f(x):\n    return ta.rsi(x, 14) # why')).toEqual([
      'keyword def',
      'call f',
      'keyword return',
      'call rsi',
      'number 14',
      'comment # why',
    ]);
    expect(kinds('@cached.property\nclass A: pass')).toEqual([
      'decorator @cached.property',
      'keyword class',
      'keyword pass',
    ]);
    expect(kinds('x = None if y is not True else 1.5e-3j + 0xFF_FF + .5')).toEqual([
      'constant None',
      'keyword if',
      'keyword is',
      'keyword not',
      'constant True',
      'keyword else',
      'number 1.5e-3j',
      'number 0xFF_FF',
      'number .5',
    ]);
  });

  it('include all forms of string literals', () => {
    for (const text of [
      "'a'",
      '"a\\"b"',
      "'''a\nb'c'''",
      '"""x\n"y" # no comment\n"""',
      'rb"x"',
      "f'{a}'",
      'Rb"\\d"',
      '""',
      "'\\\n'",
    ])
      expect(kinds(`x = ${text} + y`)).toEqual([`string ${text}`]);
    expect(kinds("x = 'no end\ny = 1")).toEqual(["string 'no end", 'number 1']);
    expect(kinds('"""no end\nx = 1')).toEqual(['string """no end\nx = 1']);
  });

  it('do not include names that resemble keywords or numbers', () => {
    expect(kinds('df.is_ = row.in_ + x1 + _2 + returned')).toEqual([]);
    expect(kinds('df.from_ . class_ ; a.None_')).toEqual([]);
    expect(kinds('match = 1\nx.match(y)')).toEqual(['number 1', 'call match']);
    expect(kinds('match x:\n  case 1: pass')).toEqual([
      'keyword match',
      'keyword case',
      'number 1',
      'keyword pass',
    ]);
    expect(kinds('a @ b')).toEqual([]);
    expect(kinds('größe = naïve_1')).toEqual([]);
  });

  it('contain every character of the code, for any code', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '"""',
      "'''",
      '\\',
      '\n',
      '#',
      '@',
      'f"',
      '1.',
      'def ',
      '漢',
      '🙂',
      '<b>',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
        const code = pieces.join('');
        expect(
          pythonTokens(code)
            .map(({ text }) => text)
            .join(''),
        ).toBe(code);
      }),
    );
  });

  it('are found in linear time', () => {
    for (const part of ["'", '"""', '\\', '"\\', 'a.', '@', '1e', '0x', ' ', 'match ']) {
      const code = part.repeat(100_000 / part.length);
      expect(pythonTokens(code).reduce((sum, { text }) => sum + text.length, 0)).toBe(code.length);
    }
  });
});
