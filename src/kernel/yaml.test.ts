import { describe, expect, it } from 'vitest';
import { readYaml } from './structured-input.ts';

const REFUSED = { code: 'bad_file', hint: 'Fix it.' };
const read = (text: string): unknown => readYaml(text, 'study.yaml', 0, REFUSED).value;

describe('YAML with aliases', () => {
  it('reads an alias of an anchor above it', () => {
    expect(read('a: &one [1]\nb: *one\n')).toEqual({ a: [1], b: [1] });
  });

  it('refuses an alias without an anchor, with its line', () => {
    expect(() => read('a: 1\nb: *gone\n')).toThrow(
      'study.yaml:2: the alias *gone needs an anchor &gone above it',
    );
  });

  it('refuses an alias bomb, with a line', () => {
    const lines = ['a0: &a0 [x, x]'];
    for (let level = 1; level < 20; level++)
      lines.push(
        `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    expect(() => read(lines.join('\n'))).toThrow(/study\.yaml:20: aliases expand to more than 100 nodes/);
  });
});
