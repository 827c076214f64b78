import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thrownMessage } from '../../../test/support/error-of.ts';
import {
  type Dimension,
  type ParameterSchema,
  pointAt,
  type Space,
  sizeOf,
  spaceOf,
  unitOf,
} from './space.ts';

const integer = (low: number, high: number): Dimension => ({
  ...{ name: 'n', low, high, integer: true, given: 'schema' },
});
const real = (low: number, high: number): Dimension => ({
  ...{ name: 'x', low, high, integer: false, given: 'schema' },
});
const listed: Dimension = { name: 'mode', values: ['a', 'b', 'c', 'd'], given: 'flag' };

describe('coordinates of a point', () => {
  it('divide a range of whole numbers into equal parts', () => {
    const space = { dimensions: [integer(2, 4)] };
    const at = (unit: number) => pointAt(space, [unit]).n;
    expect([-1, 0, 0.33, 0.34, 0.66, 0.67, 0.999, 1, 5].map(at)).toEqual([2, 2, 2, 3, 3, 4, 4, 4, 4]);
    expect([2, 3, 4].map((n) => unitOf(space, { n })[0])).toEqual([0.5 / 3, 0.5, 2.5 / 3]);
  });

  it('are proportional in a range of numbers', () => {
    const space = { dimensions: [real(10, 14)] };
    expect([-1, 0, 0.25, 0.5, 1, 2].map((unit) => pointAt(space, [unit]).x)).toEqual([
      10, 10, 11, 12, 14, 14,
    ]);
    expect(pointAt({ dimensions: [real(0, 1)] }, [1 / 3]).x).toBe(0.333333333333);
    expect([10, 11, 13].map((x) => unitOf(space, { x })[0])).toEqual([0, 0.25, 0.75]);
  });

  it('divide a list into one part per value', () => {
    const space = { dimensions: [listed] };
    expect([0, 0.24, 0.25, 0.99, 1].map((unit) => pointAt(space, [unit]).mode)).toEqual([
      'a',
      'a',
      'b',
      'd',
      'd',
    ]);
    expect(['a', 'd'].map((mode) => unitOf(space, { mode })[0])).toEqual([0.125, 0.875]);
  });

  it('convert back to the same point', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const space: Space = { dimensions: [integer(-3, 9), real(-2, 5), listed] };
    fc.assert(
      fc.property(unit, unit, unit, (...units) => {
        const point = pointAt(space, units);
        const again = pointAt(space, unitOf(space, point));
        expect([again.n, again.mode]).toEqual([point.n, point.mode]);
        expect(again.x).toBeCloseTo(Number(point.x), 9);
      }),
    );
  });
});

const of = (schema: ParameterSchema, numbers = true) => spaceOf({}, { p: schema }, numbers).dimensions[0];

describe('the values of a schema', () => {
  it.each<[string, ParameterSchema, readonly unknown[]]>([
    ['whole numbers between bounds', { type: 'integer', minimum: 2, maximum: 4 }, [2, 3, 4]],
    [
      'whole numbers inside open bounds',
      { type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 6 },
      [3, 4, 5],
    ],
    ['multiples of a step', { type: 'number', minimum: 1, maximum: 2, multipleOf: 0.5 }, [1, 1.5, 2]],
    [
      'multiples inside open bounds',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 20, multipleOf: 5 },
      [5, 10, 15],
    ],
    ['a list', { type: 'string', enum: ['x', 'y'] }, ['x', 'y']],
    ['constants', { anyOf: [{ const: 1 }, { const: 'z' }] }, [1, 'z']],
    ['both truth values', { type: 'boolean' }, [false, true]],
  ])('are %s', (_, schema, values) => {
    expect(of(schema)).toEqual({ name: 'p', values, given: 'schema' });
    expect(of(schema, false)).toEqual({ name: 'p', values, given: 'schema' });
  });

  it('are a range without a step, and for more than 100,000 values', () => {
    expect(of({ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 3 })).toEqual({
      ...{ name: 'p', low: 1, high: 3, integer: false, given: 'schema' },
    });
    expect(of({ type: 'integer', minimum: 0, maximum: 100_000 })).toEqual({
      ...{ name: 'p', low: 0, high: 100_000, integer: true, given: 'schema' },
    });
    expect(of({ type: 'integer', minimum: 0, maximum: 100_000 }, false)).toBeUndefined();
    const many = of({ type: 'integer', minimum: 1, maximum: 100_000 })!;
    expect('values' in many && many.values.length).toBe(100_000);
  });

  it.each<[string, ParameterSchema]>([
    ['texts', { type: 'string' }],
    ['one open end', { type: 'number', minimum: 1 }],
    ['another open end', { type: 'integer', maximum: 1 }],
    ['alternatives that are not constants', { anyOf: [{ const: 1 }, { type: 'string' }] }],
    ['bounds without numbers', { minimum: 1, maximum: 2 }],
  ])('are not searched for %s', (_, schema) => {
    expect(of(schema)).toBeUndefined();
  });
});

const given = (values: string | readonly number[], name = 'p') => {
  const [one] = spaceOf({ [name]: values }, { p: {} }, false).dimensions;
  return one !== undefined && 'values' in one ? one.values : undefined;
};

describe('given values', () => {
  it('are numbers, truth values or texts', () => {
    expect(given('+5, -1e2,.5,6.,true,false, x ,1e,1.2.3')).toEqual([
      5,
      -100,
      0.5,
      6,
      true,
      false,
      'x',
      '1e',
      '1.2.3',
    ]);
    expect(given([3, 3.5])).toEqual([3, 3.5]);
    expect(given(' 1 : 2 : 0.5 ')).toEqual([1, 1.5, 2]);
    expect(given('0:1:0.3')).toEqual([0, 0.3, 0.6, 0.9]);
    expect(given('3:-3:-2')).toEqual([3, 1, -1, -3]);
  });

  it('are in the order of the schema, together with the values of other parameters', () => {
    const schemas = { a: { type: 'boolean' }, b: {}, c: {} };
    expect(spaceOf({ c: '1', b: '2' }, schemas, false).dimensions).toEqual([
      { name: 'a', values: [false, true], given: 'schema' },
      { name: 'b', values: [2], given: 'flag' },
      { name: 'c', values: [1], given: 'flag' },
    ]);
  });

  it('of an unknown parameter are an error with the closest name or all names', () => {
    const message = (name: string, schemas: object) =>
      thrownMessage(() => spaceOf({ [name]: '1' }, schemas as Record<string, ParameterSchema>, false));
    expect(message('fasst', { fast: {}, slow: {} })).toContain(
      '--param fasst: unknown parameter (did you mean fast?)',
    );
    expect(message('zzzzzzzz', { fast: {}, slow: {} })).toContain(
      'unknown parameter (parameters: fast, slow)',
    );
    expect(message('zzzzzzzz', {})).toContain('unknown parameter (parameters: none)');
  });
});

describe('the number of combinations', () => {
  it('is the product of the numbers of values', () => {
    expect(sizeOf({ dimensions: [] })).toBe(1);
    expect(sizeOf({ dimensions: [listed, { ...listed, values: [1, 2, 3] }] })).toBe(12);
    expect(sizeOf({ dimensions: [listed, real(0, 1)] })).toBe(Number.POSITIVE_INFINITY);
  });
});
