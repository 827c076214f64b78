import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { strictFaults } from '../../test/support/strict-schema.ts';
import { fittedForm } from './arguments.ts';
import { schemaOf, strictSchemaOf } from './schemas.ts';

const parameters = z.strictObject({
  name: z.string().min(2).max(40).describe('A name'),
  count: z.number().int().min(1).max(9).default(3).describe('How many'),
  mode: z.enum(['a', 'b']).optional().describe('A mode'),
  exact: z.literal('yes').optional().describe('A word'),
  level: z
    .union([z.number(), z.strictObject({ atr: z.number().positive() })])
    .optional()
    .describe('A level'),
  free: z.record(z.string(), z.unknown()).optional().describe('Anything'),
  paths: z
    .array(z.strictObject({ path: z.string(), most: z.number().optional() }))
    .optional()
    .describe('Paths'),
  nothing: z.string().nullable().optional().describe('May be null'),
});

describe('the strict variant of a schema', () => {
  const strict = strictSchemaOf(parameters);

  it('follows the rules of strict mode', () => {
    expect(strictFaults(strict)).toEqual([]);
    // The plain schema violates the rules of strict mode. This proves that the check can fail.
    expect(strictFaults(schemaOf(parameters)).length).toBeGreaterThan(3);
  });

  it('describes constraints without strict keywords in words', () => {
    expect(strict.properties).toMatchObject({
      name: { type: 'string', description: 'A name (at least 2 characters, at most 40 characters)' },
      count: { type: ['integer', 'null'], description: 'How many (at least 1, at most 9, 3 when null)' },
      mode: { type: ['string', 'null'], enum: ['a', 'b', null] },
      exact: { type: ['string', 'null'], enum: ['yes', null] },
      free: { type: ['string', 'null'], description: 'Anything (as a text of JSON)' },
      level: { anyOf: [{ type: 'number' }, { type: 'object', required: ['atr'] }, { type: 'null' }] },
    });
    expect(strict.required).toEqual(Object.keys(parameters.shape));
  });

  it('is parsed like the plain schema', () => {
    const given = {
      name: 'xy',
      count: null,
      mode: null,
      exact: null,
      level: null,
      free: '{"a": [1, null]}',
      paths: [{ path: 'p', most: null }],
      nothing: null,
    };
    expect(fittedForm(given, schemaOf(parameters))).toEqual({
      name: 'xy',
      free: { a: [1, null] },
      paths: [{ path: 'p' }],
      nothing: null,
    });
    expect(fittedForm('{"name": "xy", "paths": "[]"}', schemaOf(parameters))).toEqual({
      name: 'xy',
      paths: [],
    });
  });

  it('leaves invalid values unchanged, so that validation reports them', () => {
    for (const given of [null, 5, [1], 'text', { free: 'text', name: null, other: null, paths: {} }])
      expect(fittedForm(given, schemaOf(parameters))).toEqual(given);
  });
});

describe('a plain tool schema', () => {
  it('has no meaningless bounds', () => {
    expect(JSON.stringify(schemaOf(z.strictObject({ n: z.number().int() })))).not.toContain(
      '9007199254740991',
    );
  });
});
