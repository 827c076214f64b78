import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { insteadOf, isDeeperThan, isJsonText, readYaml, yamlFaults } from './structured-input.ts';

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

const TEXT = `# comment
arms:
  - name: "a"
    &size size: 1e3
  - *size : 2
    names: [x, 1.10, null]
limits: &limits
  most: 5
other: *limits
empty:
`;

describe('settings of a YAML text', () => {
  const document = readYaml(TEXT, 'study.yaml', 10, REFUSED);

  it('have the lines of their names, or of the nearest parent', () => {
    const lines = (...paths: (string | number)[][]) => paths.map((path) => document.lineOf(path) - 10);
    expect(lines(['arms'], ['arms', 0], ['arms', 0, 'name'], ['arms', 0, 'size'])).toEqual([2, 3, 3, 4]);
    expect(lines(['arms', 1, 'names', 1], ['arms', 1, 'gone', 'x'], ['arms', 7])).toEqual([6, 5, 2]);
    // The line of a value inside an alias is the line of the value at the anchor.
    expect(lines(['other', 'most'], ['limits', 'most', 'x'])).toEqual([8, 8]);
    expect([document.lineOf(['gone']), document.lineOf([])]).toEqual([1, 1]);
  });

  it('are shown as they are written', () => {
    const texts = [
      ['arms', 0, 'name'],
      ['arms', 0, 'size'],
      ['arms', 1, 'names', 1],
      ['other', 'most'],
    ].map(document.textOf);
    expect(texts).toEqual(['a', '1e3', '1.10', '5']);
    expect([['arms'], ['gone'], ['empty'], ['arms', 1, 'names', 2]].map(document.textOf)).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('are an empty object without text', () => {
    expect(read('')).toEqual({});
    expect(() => readYaml('a: [1\nb: {', 'f.yaml', 3, REFUSED)).toThrow(/f\.yaml:[45]/);
  });
});

describe('faults of settings in YAML', () => {
  const schema = z.strictObject({
    most: z.number().max(5).default(1),
    arms: z.array(z.strictObject({ name: z.string(), size: z.number().optional() })).optional(),
    way: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a'), fast: z.number() }),
        z.strictObject({ kind: z.literal('b'), slow: z.number() }),
      ])
      .optional(),
  });
  const faults = (text: string, known: z.ZodType | undefined = schema) => {
    const document = readYaml(text, 'f', 0, REFUSED);
    const { error } = schema.safeParse(document.value);
    return yamlFaults('f', document, error!, known).map(({ where, message }) => `${where} ${message}`);
  };

  it.each([
    ['most: 6', ['f:1 most: 6 is above the maximum, 5']],
    ['\nmoost: 1', ['f:2 unknown setting moost. Did you mean most?']],
    ['zzzz: 1', ['f:1 unknown setting zzzz. Expected most, arms, way']],
    ['arms:\n  - name: a\n    sizes: 1', ['f:3 unknown setting arms.0.sizes. Did you mean size?']],
    ['arms:\n  - 3', ['f:2 arms.0: 3 is not an object. Expected {name: …, size: …}']],
    ['arms: 3', ['f:1 arms: 3 is not an array']],
    ['3', ['f:1 3 is not an object. Expected {most: …, arms: …, way: …}']],
    [
      'arms:\n  - size: x',
      ['f:2 arms.0.name: is missing: expected a string', 'f:2 arms.0.size: "x" is not a number'],
    ],
    ['way:\n  kind: a\n  fast: 1\n  sloww: 1', ['f:4 unknown setting way.sloww. Did you mean slow?']],
  ])('have a line, a name and a remedy: %j', (text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it('have no remedy without a schema, or with more than twenty names', () => {
    expect(
      yamlFaults('f', readYaml('mots: 1', 'f', 0, REFUSED), schema.safeParse({ mots: 1 }).error!),
    ).toEqual([{ where: 'f:1', message: 'unknown setting mots' }]);
    const names = Array.from({ length: 20 }, (_, at) => `name${at}`);
    expect(insteadOf('zzzz', names)).toBe(`. Expected ${names.join(', ')}`);
    expect(insteadOf('zzzz', [...names, 'more'])).toBe('');
    expect(insteadOf('zzzz', [])).toBe('');
  });
});

it('the depth of a value counts objects and lists', () => {
  expect([
    isDeeperThan(1, 0),
    isDeeperThan({}, 0),
    isDeeperThan({ a: 1 }, 0),
    isDeeperThan([[1]], 0),
  ]).toEqual([...[false, false, false, true]]);
  expect([isDeeperThan([[1]], 1), isDeeperThan([1, { a: [] }], 1), isDeeperThan([1, { a: [] }], 2)]).toEqual([
    ...[false, true, false],
  ]);
  expect([isJsonText('{"a": 1}'), isJsonText('{a: 1}')]).toEqual([true, false]);
});
