import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../engine/index.ts';
import { type AnswerSchema, answerFaults, faultsText, isStrict, schemaFaults } from './answer-schema.ts';

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom(0.5, -1.5, 'buy', 'sell', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const schema: fc.Arbitrary<AnswerSchema> = fc.letrec<{ schema: AnswerSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.record(
      {
        type: fc.constantFrom<Json[]>('number', 'integer', ['number', 'null']),
        minimum: fc.integer({ min: -3, max: 0 }),
        exclusiveMaximum: fc.integer({ min: 1, max: 4 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({
      type: fc.constant('string'),
      minLength: fc.constantFrom(0, 1),
      pattern: fc.constant('^[bs]?'),
    }),
    fc.record({ enum: fc.constant(['buy', 0, null]) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.constantFrom(1, 2) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
        required: fc.subarray(['a', 'b']),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        minProperties: fc.constantFrom(0, 1),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  ),
})).schema;

describe('the JSON schema of an answer', () => {
  it('accepts the same answers as a JSON Schema validator', () => {
    const ajv = new Ajv({ strict: false });
    fc.assert(
      fc.property(schema, value, (form, answer) => {
        expect(answerFaults(form, answer).length === 0).toBe(ajv.validate(form, answer));
      }),
      { numRuns: 500 },
    );
  });

  it('reports faults with their path and the given value', () => {
    const form: AnswerSchema = {
      type: 'object',
      properties: { weights: { type: 'object', additionalProperties: { type: 'number', maximum: 100 } } },
      required: ['weights', 'reason'],
    };
    expect(schemaFaults(form)).toEqual([{ path: ['required'], message: 'reason is not a property' }]);
    expect(faultsText(answerFaults(form, { weights: { AAPL: 120, MSFT: '3' } }))).toBe(
      'reason is missing; weights.AAPL is 120, above 100; weights.MSFT is "3", not a number',
    );
  });

  it('is strict if every field is required and additional fields are forbidden', () => {
    const closed = {
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(isStrict(closed)).toBe(true);
    expect(isStrict({ ...closed, required: [] })).toBe(false);
    expect(isStrict({ ...closed, properties: { a: { type: 'object', properties: {} } } })).toBe(false);
  });
});
