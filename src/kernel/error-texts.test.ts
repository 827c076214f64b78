import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  AppError,
  describeValue,
  editDistance,
  faultsError,
  fileProblem,
  isObject,
  issueText,
  joinedError,
  messageOf,
  missingFile,
  nearest,
  numberOf,
  recordOf,
  textOf,
  thrownText,
  valueAt,
} from './errors.ts';

const issueOf = (schema: z.ZodType, value: unknown): z.core.$ZodIssue =>
  schema.safeParse(value).error!.issues[0]!;
const textFor = (schema: z.ZodType, value: unknown): string => issueText(issueOf(schema, value), value);

describe('the text of a schema fault', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.number(), undefined, 'is missing: expected a number'],
    [z.int(), 1.5, '1.5 is not a whole number'],
    [z.array(z.number()), undefined, 'is missing: expected an array'],
    [z.record(z.string(), z.number()), undefined, 'is missing: expected an object'],
    [z.number(), 'x', '"x" is not a number'],
    [z.number(), Number.NaN, 'NaN is not a number'],
    [z.string(), { a: 1 }, '{"a":1} is not a string'],
    [z.enum(['a', 'b']), 'c', 'invalid value "c". Expected a, b'],
    [z.enum(['a', 'b']), undefined, 'invalid value. Expected a, b'],
    [z.string().min(3), 'ab', '"ab" needs at least 3 characters'],
    [z.string().max(1), 'ab', '"ab" may have at most 1 characters'],
    [z.array(z.number()).min(2), [1], '[1] needs at least 2 items'],
    [z.array(z.number()).max(1), [1, 2], '[1,2] may have at most 1 items'],
    [z.number().min(3), 2, '2 is below the minimum, 3'],
    [z.number().gt(3), 3, '3 is below the minimum, 3 (not included)'],
    [z.number().max(3), 4, '4 is above the maximum, 3'],
    [z.number().lt(3), 3, '3 is above the maximum, 3 (not included)'],
    [z.strictObject({}), { b: 1, c: 2 }, 'unknown field b, c'],
    [z.union([z.number(), z.boolean()]), 'x', '"x" is not a valid value'],
    [z.union([z.number(), z.boolean()], { error: 'choose one' }), 'x', 'choose one'],
    [z.record(z.string().regex(/^a/, { error: 'bad name' }), z.number()), { b: 1 }, 'bad name'],
    [z.string().refine(() => false, { error: 'own text' }), 'x', 'own text'],
  ])('names the value and the expected values (case %#)', (schema, value, expected) => {
    expect(textFor(schema, value)).toBe(expected);
  });

  it('refers to a value that is not given as "it", and cuts a long value after 60 characters', () => {
    expect(issueText(issueOf(z.number().min(3), 2))).toBe('it is below the minimum, 3');
    expect(issueText(issueOf(z.union([z.number(), z.boolean()]), 'x'))).toBe('it is not a valid value');
    // A quote and 59 letters. A text of exactly 60 characters is not cut.
    expect(textFor(z.number(), 'y'.repeat(70))).toBe(`"${'y'.repeat(59)}… is not a number`);
    expect(textFor(z.number(), 'y'.repeat(58))).toBe(`"${'y'.repeat(58)}" is not a number`);
  });
});

describe('a description of a value', () => {
  it('is at most 60 characters long, and never throws', () => {
    const circular: Record<string, unknown> = {};
    circular.me = circular;
    const values = ['a', () => 1, 5, null, undefined, [1], { a: 1 }, circular, { toJSON: () => undefined }];
    expect(values.map(describeValue)).toEqual([
      ...['"a"', 'a function', '5', 'null', 'undefined', 'a list', '{"a":1}', 'an object', 'an object'],
    ]);
    expect(describeValue('z'.repeat(80))).toBe(`"${'z'.repeat(59)}…`);
  });

  it('shows what user code threw', () => {
    expect(thrownText(new Error('broken'))).toBe('broken');
    expect(thrownText('text')).toBe('it threw "text", which is not an error');
    expect(messageOf(new TypeError(''))).toBe('TypeError');
    expect(messageOf({ a: 1 })).toBe('{"a":1}');
    expect(messageOf(Object.defineProperty(new Error('x'), 'message', { get: () => 1n / 0n }))).toBe(
      'an error whose message cannot be read',
    );
  });
});

describe('helpers for JSON data', () => {
  it('recognise objects, texts and numbers, and find values by path', () => {
    expect([{}, { a: 1 }, [], null, 'a', undefined].map(isObject)).toEqual([
      ...[true, true, false, false, false, false],
    ]);
    expect([undefined, null, 'a', 5, [1], () => 1].map(textOf)).toEqual(['', '', 'a', '5', '[1]', '']);
    expect([1, 0, Number.NaN, Number.POSITIVE_INFINITY, '1'].map(numberOf)).toEqual([
      ...[1, 0, undefined, undefined, undefined],
    ]);
    expect(Object.entries(recordOf(['b', 'a'], (key) => `${key}!`))).toEqual([
      ['b', 'b!'],
      ['a', 'a!'],
    ]);
    const root = { a: [{ b: 7 }], n: null };
    expect([['a', 0, 'b'], ['a', 1, 'b'], ['n', 'x'], []].map((path) => valueAt(root, path))).toEqual([
      ...[7, undefined, undefined, root],
    ]);
  });
});

describe('several errors', () => {
  it('are joined into one error with each message and hint, in order', () => {
    const one = (text: string) =>
      new AppError({ code: text, message: `${text} is bad.`, hint: `Fix ${text}.` });
    const single = one('a');
    expect(joinedError([single])).toBe(single);
    expect(joinedError([one('a'), one('b'), one('c')])).toMatchObject({
      code: 'bad_input',
      message: 'a is bad.\n  Fix a.\nerror: b is bad.\n  Fix b.\nerror: c is bad.',
      hint: 'Fix c.',
    });
    expect(one('a').remedy).toBe('Fix a.');
  });

  it('are combined into one line if a file has the same fault at least five times', () => {
    const message = (count: number, place = 'line'): string =>
      faultsError(
        'c',
        'Data',
        Array.from({ length: count }, (_, row) => ({
          where: `p.csv ${place} ${row + 2}`,
          message: `"${row}" at 2020-01-0${row + 1}`,
          hint: 'fix it',
        })),
        'r',
      ).message;
    expect(message(4).split('\n')).toHaveLength(5);
    expect(message(5)).toBe(
      'Data: 5 faults\n  p.csv: 5 rows have this fault, the first in line 2: "0" at 2020-01-01 (fix it)',
    );
    expect(message(5, 'row')).toContain('the first in row 2');
    // Places outside of files are never combined.
    expect(message(5, 'x').split('\n')).toHaveLength(6);
    const flags = Array.from({ length: 6 }, () => ({ where: '--cash', message: 'is 1' }));
    expect(faultsError('c', 'Flags', flags, 'r').message.split('\n')).toHaveLength(7);
  });

  it('count each row of a combined fault that is not listed', () => {
    const singles = Array.from({ length: 20 }, (_, at) => ({ where: `--flag${at}`, message: 'x' }));
    const equal = Array.from({ length: 7 }, (_, at) => ({ where: `p.csv line ${at}`, message: 'y' }));
    const lines = faultsError('c', 'Input', [...singles, ...equal], 'r').message.split('\n');
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('  … and 7 more');
  });
});

describe('a problem with a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  for (const name of ['prices.csv', '.hidden', 'study.yaml']) writeFileSync(join(folder, name), '');

  it('suggests the file with the nearest name, also with another extension', () => {
    const of = (name: string) => missingFile(join(folder, name), 'file');
    const meant = (name: string) => `the file does not exist (nearest name: ${join(folder, name)})`;
    expect(of('price.csv')).toBe(meant('prices.csv'));
    expect(of('study.markdown')).toBe(meant('study.yaml'));
    expect(of('study')).toBe(meant('study.yaml'));
    for (const name of ['hidden', 'other.txt', 'gone/x.csv'])
      expect(of(name)).toBe('the file does not exist');
    expect(missingFile(join(folder, 'zzz'))).toBe('the file or folder does not exist');
  });

  it('is described in words instead of an error code', () => {
    const error = (code: string, more: object = {}) => Object.assign(new Error('raw'), { code, ...more });
    expect(fileProblem(error('EACCES'))).toBe('permission denied');
    expect(fileProblem(error('ENOENT'))).toBe('the file or folder does not exist');
    expect(fileProblem(error('ENOENT', { path: join(folder, 'price.csv') }))).toContain('prices.csv');
    expect(fileProblem(error('EOTHER'))).toBe('raw');
    expect(fileProblem(new Error('plain'))).toBe('plain');
    expect(fileProblem('text')).toBe('text');
  });
});

describe('the distance of two words', () => {
  it('is the number of letters to insert, delete or change', () => {
    expect(editDistance('kitten', 'sitting')).toBe(3);
    expect(editDistance('', 'abc')).toBe(3);
    expect(editDistance('abc', '')).toBe(3);
    expect(editDistance('flaw', 'lawn')).toBe(2);
    expect(editDistance('same', 'same')).toBe(0);
  });

  it('may be up to a third of the longer word, or one letter, for a suggestion', () => {
    expect(nearest('ab', ['ac'])).toBe('ac');
    expect(nearest('ab', ['cd'])).toBeUndefined();
    // Two changed letters of six are a third. Two of five are more than a third.
    expect(nearest('abcdef', ['abcdxy'])).toBe('abcdxy');
    expect(nearest('abcde', ['abcxy'])).toBeUndefined();
  });

  it('is small if one word is the beginning of the other and has at least four letters', () => {
    expect(nearest('comm', ['commission_model'])).toBe('commission_model');
    expect(nearest('com', ['commission_model'])).toBeUndefined();
    expect(nearest('commission_model_x', ['comm'])).toBe('comm');
    // One wrong letter is a smaller distance than a common beginning. The first of equal distances wins.
    expect(nearest('stop', ['stop_price', 'shop'])).toBe('shop');
    expect(nearest('lots', ['lotsize', 'lot'])).toBe('lotsize');
    expect(nearest('slipp', ['slippage', 'slip'])).toBe('slippage');
    expect(nearest('stop', ['stoq', 'stor'])).toBe('stoq');
  });
});
