import { describe, expect, it } from 'vitest';
import { DEEPEST_INPUT, parseJsonInput, readYaml } from './structured-input.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const yaml = (text: string): unknown =>
  readYaml(text, 'study.yaml', 0, { code: 'bad_study', hint: 'Fix it.' }).value;

describe('nested JSON or YAML input', () => {
  it.each([nested(DEEPEST_INPUT), objects(DEEPEST_INPUT)])('is read up to the depth limit', (text) => {
    expect(JSON.stringify(parseJsonInput(text))).toBe(text);
    expect(JSON.stringify(yaml(text))).toBe(text);
  });

  it.each([
    nested(DEEPEST_INPUT + 2),
    objects(DEEPEST_INPUT + 2),
    nested(100_000),
    objects(100_000),
    nested(3_000_000),
  ])('is refused beyond the depth limit', (text) => {
    expect(() => parseJsonInput(text)).toThrow(/nested deeper than 100 levels, which is the limit/);
  });

  it.each([
    ['lists', nested(20_000)],
    ['objects', '{a: '.repeat(5_000)],
    ['blocks', Array.from({ length: 500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['list blocks', '- '.repeat(5_000)],
  ])('in YAML is refused beyond the depth limit: %s', (_, text) => {
    expect(() => yaml(text)).toThrow(
      expect.objectContaining({
        code: 'bad_study',
        message: expect.stringMatching(
          /study\.yaml.*nested deeper than 100 levels|study\.yaml:1/s,
        ) as unknown,
      }),
    );
  });
});
