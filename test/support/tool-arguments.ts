import fc from 'fast-check';
import type { JsonSchema } from '../../src/toolkit/schemas.ts';

/** Unexpected values that models and attackers may send for any argument. */
const ODD = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    ' ',
    '../../etc/passwd',
    '__proto__',
    '{"a": 1}',
    0,
    -0,
    -1,
    0.5,
    1e308,
    5e-324,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    10n ** 30n,
    Symbol('s'),
    () => 1,
    new Date(0),
    new Date(Number.NaN),
    new Map([[1, 2]]),
    [],
    {},
    '\ud800',
    '漢'.repeat(3_000),
  ),
  fc.jsonValue(),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/**
 * Plausible values for arguments with these names. With them, calls pass the validation and reach the tool's
 * implementation.
 */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  symbol: fc.constantFrom('AAA', 'BRK.B', 'aaa', 'ZZZ'),
  quantity: fc.constantFrom(1, 10, 1e9),
  price: fc.constantFrom(50, 100),
  stop_price: fc.constantFrom(50, 100),
  order_id: fc.integer({ min: 1, max: 400 }),
  replaces: fc.integer({ min: 1, max: 400 }),
  good_till: fc.constantFrom('2020-03-31', '2000-02-30', 'soon'),
  name: fc.constantFrom('rsi', 'sma', 'macd', 'none', 'cdl_pattern'),
  code: fc.constantFrom('1 + 1', 'df.close', 'x =', 'def f(', 'len(df)', 'y', '(', '"aaaaaaaaaaaaaaaaaaaa"'),
};

/** Returns random arguments for a tool, drawn from its schema: valid, nearly valid, or completely invalid. */
export function argumentsOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const right = Object.fromEntries(
    properties.map(([name, property]) => [name, BY_NAME[name] ?? arbitraryOf(property)]),
  );
  const required = schema.required ?? [];
  const optional = Object.keys(right).filter((name) => !required.includes(name));
  const needed = Object.fromEntries(Object.entries(right).filter(([name]) => required.includes(name)));
  // Most calls of models have at most three of the optional arguments.
  const few = fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((names) =>
      fc.record({ ...needed, ...Object.fromEntries(names.map((name) => [name, right[name]!])) }),
    );
  return fc.oneof(
    { weight: 5, arbitrary: few },
    { weight: 2, arbitrary: fc.record(right, { requiredKeys: [] }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(right), '__proto__', 'extra'), ODD),
    },
    { weight: 1, arbitrary: few.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(ODD, fc.constant(circular())) },
  );
}

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(arbitraryOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constantFrom('plan', 'a b', 'notes/a.txt'),
      );
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -3) - 1, max: Number(schema.maximum ?? 300) + 1 });
    case 'number':
      return fc.oneof(fc.constantFrom(1, 5, 50, 100), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return Object.keys(schema.properties ?? {}).length === 0
        ? fc.dictionary(fc.constantFrom('length', 'a', 'x_1'), fc.jsonValue())
        : fc.record(
            Object.fromEntries(
              Object.entries(schema.properties ?? {}).map(([name, property]) => [
                name,
                arbitraryOf(property),
              ]),
            ),
            { requiredKeys: [...(schema.required ?? [])] },
          );
    default:
      return fc.jsonValue();
  }
}

function circular(): unknown {
  const value: Record<string, unknown> = { symbol: 'AAA' };
  value.self = value;
  return value;
}
