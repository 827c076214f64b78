import { z } from 'zod';

/** A JSON value; what tools take and give. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** `Value` itself where JSON can hold it: plain data, whether its type is an interface or has optional fields; else `never`. */
type PlainData<Value> = Value extends Json | undefined
  ? Value
  : Value extends (...given: never[]) => unknown
    ? never
    : Value extends object
      ? { readonly [Key in keyof Value]: PlainData<Value[Key]> }
      : never;

/**
 * Plain data as the JSON it is. TypeScript does not see that of interfaces and of optional fields.
 *
 * @param value without a field that is `undefined`, or written with `JSON.stringify`, which leaves it out
 */
export function asJson<Value>(value: Value & PlainData<Value>): AsJson<Value> {
  return value as AsJson<Value>;
}

type AsJson<Value> = Value extends Json
  ? Value
  : Value extends readonly unknown[]
    ? readonly Json[]
    : Readonly<Record<string, Json>>;

/** Whether JSON is an object: a list is none. */
export function isJsonObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What `JSON.parse` gives, by its name. @throws SyntaxError */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** A value that came through JSON, as zod's `unknown` leaves it: from a parsed file, a frame or a reply. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>();
