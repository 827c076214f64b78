import { describe, expect, it } from 'vitest';
import {
  asciiText,
  columnsOf,
  countedTable,
  grouped,
  type Paint,
  padEnd,
  padStart,
  paint,
  paragraph,
  percentage,
  printable,
  shorten,
  textTable,
  wrap,
  writeText,
} from './terminal-text.ts';

const style = (width = 80, colour = false, ascii = false) => ({ width, colour, ascii });
const PLAIN = style();
const printed = (text: string): string => {
  let all = '';
  writeText(
    {
      write(part) {
        all += part;
        return true;
      },
    },
    text,
  );
  return all;
};

describe('coloured text', () => {
  it.each<[Paint, string]>([
    ['bold', '\u001b[1mx\u001b[22m'],
    ['dim', '\u001b[2mx\u001b[22m'],
    ['red', '\u001b[31mx\u001b[39m'],
    ['green', '\u001b[32mx\u001b[39m'],
    ['yellow', '\u001b[33mx\u001b[39m'],
    ['cyan', '\u001b[36mx\u001b[39m'],
  ])('is printed with the codes of %s', (kind, expected) => {
    expect(printed(paint('x', kind, style(80, true)))).toBe(expected);
    expect(paint('x', kind, PLAIN)).toBe('x');
    expect(paint('', kind, style(80, true))).toBe('');
    expect(paint('x', undefined, style(80, true))).toBe('x');
  });
});

describe('text for a terminal', () => {
  it('has two columns for a wide letter and none for a combining mark', () => {
    expect(['abc', '漢字', 'é', 'e\u0301', '', '🙂'].map(columnsOf)).toEqual([3, 4, 1, 1, 0, 2]);
    expect([padEnd('漢', 4), padStart('漢', 4), padEnd('abc', 2), padStart('abc', 2)]).toEqual([
      ...['漢  ', '  漢', 'abc', 'abc'],
    ]);
  });

  it('is shortened at the end or in the middle', () => {
    expect(shorten('abcdef', 6, PLAIN)).toBe('abcdef');
    expect(shorten('abcdefg', 6, PLAIN)).toBe('abcde…');
    expect(shorten('abcdefg', 6, style(80, false, true))).toBe('abc...');
    expect(shorten('abcdefghij', 7, PLAIN, 'middle')).toBe('ab…ghij');
    expect(shorten('漢字漢', 4, PLAIN)).toBe('漢…');
    expect([2, 1, 0, -1].map((columns) => shorten('abc', columns, style(80, false, true)))).toEqual([
      ...['..', '.', '', ''],
    ]);
  });

  it('is wrapped at spaces', () => {
    expect(wrap('aa bb  cc', 5, PLAIN)).toEqual(['aa bb', 'cc']);
    expect(wrap('a longerword b', 6, PLAIN)).toEqual(['a', 'longe…', 'b']);
    expect(wrap('longerword', 6, PLAIN)).toEqual(['longe…']);
    expect(wrap('  ', 6, PLAIN)).toEqual([]);
  });

  it('has at most 100 columns in a paragraph, and retains the indent of each sentence', () => {
    expect(paragraph(['aa bb', '  cc dd'], style(5))).toBe('aa bb\n  cc\n  dd');
    const lines = paragraph(['word '.repeat(60)], style(300)).split('\n');
    // 20 words of five columns, without the last space.
    expect(lines.map((line) => line.length)).toEqual([99, 99, 99]);
    expect(paragraph([`${'a'.repeat(50)} ${'b'.repeat(49)}`], style(300))).not.toContain('\n');
  });

  it('has no control characters, and only ASCII if requested', () => {
    expect(printable('a\n\tb\u200ec', PLAIN)).toBe('a b c');
    expect(printable('−5 → 6…', style(80, false, true))).toBe('-5 -> 6...');
    expect(asciiText('×±≤≥†漢\n')).toBe('x+/-<=>=*?\n');
  });
});

describe('a formatted number', () => {
  it('has groups of three digits and rounds half to even', () => {
    expect([grouped(-56263.515, 2), grouped(1234567, 0), grouped('999.5', 0), grouped('0.5', 0)]).toEqual([
      ...['−56,263.52', '1,234,567', '1,000', '0'],
    ]);
    expect([grouped(-0.001, 2), grouped(-0.005, 2), grouped(-0.006, 2), grouped(12, 1)]).toEqual([
      ...['0.00', '0.00', '−0.01', '12.0'],
    ]);
    expect([percentage(4.62638), percentage(-0.5), percentage(0)]).toEqual(['462.64%', '−50.00%', '0.00%']);
  });
});

describe('a table', () => {
  it('aligns numbers to the right and text to the left', () => {
    const rows = [
      ['a', 1.5, '<0.1', true],
      ['longer', 22, null, false],
    ];
    expect(textTable(['name', 'n', 'p', 'yes'], rows, PLAIN).split('\n')).toEqual([
      'name      n     p  yes',
      'a       1.5  <0.1  true',
      'longer   22     –  false',
    ]);
  });

  it('shortens cells above 64 columns, and lines above the width of the terminal', () => {
    const wide = 'x'.repeat(65);
    expect(textTable(['n'], [[wide], ['x'.repeat(64)]], style(200)).split('\n')).toEqual([
      ...['n', `${'x'.repeat(63)}…`, 'x'.repeat(64)],
    ]);
    expect(textTable(['abc', 'def'], [['1', '2']], style(7))).toBe('abc  d…\n  1   …');
    expect(textTable([wide], [], style(200))).toBe(`${'x'.repeat(63)}…`);
  });

  it('has empty cells for missing values, and states its number of rows', () => {
    expect(countedTable(['a', 'b'], [['x']], PLAIN)).toBe('a  b\nx\n1 row');
    expect(countedTable(['a'], [], PLAIN)).toBe('a\n0 rows');
    expect(printed(countedTable(['a'], [['x'], ['y']], style(80, true)))).toBe(
      '\u001b[1ma\u001b[22m\nx\ny\n\u001b[2m2 rows\u001b[22m',
    );
  });
});
