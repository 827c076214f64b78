import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combination, pointAt, type Space, sizeOf, spaceOf, unitOf } from './space.ts';

const schemas = {
  fast: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  mode: { type: 'string', enum: ['long', 'both'] },
  few: { type: 'integer', minimum: 2, maximum: 4 },
  on: { type: 'boolean' },
};

const valuesOf = (space: Space, name: string) => {
  const found = space.dimensions.find((one) => one.name === name);
  return found !== undefined && 'values' in found ? found.values : undefined;
};

describe('the space of a sweep', () => {
  it('reads ranges with an inclusive end, in exact decimals, and lists', () => {
    const space = spaceOf({ fast: '5:50:15', share: '0.1:0.3:0.1', mode: 'both' }, schemas, false);
    expect(valuesOf(space, 'fast')).toEqual([5, 20, 35, 50]);
    expect(valuesOf(space, 'share')).toEqual([0.1, 0.2, 0.3]);
    expect(valuesOf(space, 'mode')).toEqual(['both']);
    // For parameters without given values, the values come from the schema: bounds, enums and booleans.
    expect(valuesOf(space, 'few')).toEqual([2, 3, 4]);
    expect(valuesOf(space, 'on')).toEqual([false, true]);
    expect(sizeOf(space)).toBe(4 * 3 * 1 * 3 * 2);
  });

  it('has at most 100,000 values of a range', () => {
    expect(valuesOf(spaceOf({ fast: '1:100000:1' }, schemas, false), 'fast')?.length).toBe(100_000);
    expect(() => spaceOf({ fast: '1:100001:1' }, schemas, false)).toThrow('has 100001 values');
  });

  it.each([
    ['1:5:0', 'the step is 0'],
    ['5:1:1', 'never reaches its end'],
    ['1:5:x', 'is not start:end:step in numbers'],
    ['1,,2', 'has an empty value'],
    ['1,2,1', 'duplicate value 1'],
  ])('refuses %s', (text, fault) => {
    expect(() => spaceOf({ fast: text }, schemas, false)).toThrow(fault);
  });

  it('has one value for a range whose start is its end', () => {
    expect(valuesOf(spaceOf({ fast: '5:5:1' }, schemas, false), 'fast')).toEqual([5]);
    expect(valuesOf(spaceOf({ fast: '5:5:-1' }, schemas, false), 'fast')).toEqual([5]);
  });

  it('reads descending ranges, and stops before an end that no step reaches', () => {
    expect(valuesOf(spaceOf({ fast: '9:4:-2' }, schemas, false), 'fast')).toEqual([9, 7, 5]);
  });

  it('uses the default of a number without bounds, and searches a bounded one without a grid', () => {
    expect(spaceOf({}, { share: schemas.share, free: { type: 'number' } }, true).dimensions).toEqual([
      { name: 'share', low: 0, high: 1, integer: false, given: 'schema' },
    ]);
    expect(spaceOf({}, { share: schemas.share }, false).dimensions).toEqual([]);
  });

  it('reports all faults together', () => {
    const given = { fast: '5:50:0', share: '0.1:0.9:x', few: '1,,2', fats: '1' };
    expect(() => spaceOf(given, schemas, false)).toThrow(
      /4 faults[\s\S]*step is 0[\s\S]*fats: unknown parameter/,
    );
  });

  it('contains each combination once, and maps each point back', () => {
    const list = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        const space = spaceOf({ a, b, c }, { a: {}, b: {}, c: {} }, false);
        const all = Array.from({ length: sizeOf(space) }, (_, number) => combination(space, number));
        expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(a.length * b.length * c.length);
        for (const point of all) expect(pointAt(space, unitOf(space, point))).toEqual(point);
      }),
    );
  });
});
