import { z } from 'zod';

/** A JSON value. Type of the arguments and results of tools. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * `Value` if it is plain data that JSON can represent, including interfaces and optional fields. Otherwise
 * `never`.
 */
type PlainData<Value> = Value extends Json | undefined
  ? Value
  : Value extends (...given: never[]) => unknown
    ? never
    : Value extends object
      ? { readonly [Key in keyof Value]: PlainData<Value[Key]> }
      : never;

/**
 * Casts plain data to JSON. TypeScript cannot assign interfaces and optional fields to JSON.
 *
 * @param value must not have fields that are `undefined`, unless it is written with `JSON.stringify`, which
 *   omits them
 */
export function asJson<Value>(value: Value & PlainData<Value>): AsJson<Value> {
  return value as AsJson<Value>;
}

type AsJson<Value> = Value extends Json
  ? Value
  : Value extends readonly unknown[]
    ? readonly Json[]
    : Readonly<Record<string, Json>>;

/** True for a JSON object. False for a list. */
export function isJsonObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON with a precise return type.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Schema that accepts a parsed JSON value without checking it again. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>();
