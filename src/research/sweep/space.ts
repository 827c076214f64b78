import { type Decimal, decimal, type Fault, faultsError, nearest } from '../../kernel/index.ts';

export type ParameterValue = number | string | boolean;
export type Point = Readonly<Record<string, ParameterValue>>;

/**
 * Searched parameter with a list of values or a range of numbers. `given` states the source of the values.
 */
export type Dimension =
  | { readonly name: string; readonly values: readonly ParameterValue[]; readonly given: 'flag' | 'schema' }
  | {
      readonly name: string;
      readonly low: number;
      readonly high: number;
      readonly integer: boolean;
      readonly given: 'schema';
    };

/** Space of a search: all combinations of the values of its parameters. */
export interface Space {
  readonly dimensions: readonly Dimension[];
}

/** Part of a parameter's JSON schema that determines its possible values. */
export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly ParameterValue[];
  readonly const?: ParameterValue;
  readonly anyOf?: readonly ParameterSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

/** Maximum number of values of one parameter. A longer list is an error. */
const MOST_VALUES = 100_000;
const RANGE = /^([^:]+):([^:]+):([^:]+)$/;

/**
 * Returns the space of a sweep: the parameters given by flags and the parameters whose schema has bounds.
 *
 * @param given by parameter name: `start:end:step`, where `end` is included, `a,b,c`, one value, or an
 *   array of values
 * @param schemas schemas of all parameters
 * @param numbers true if the search can use ranges of numbers without a step
 * @throws AppError `bad_space` with every fault
 */
export function spaceOf(
  given: Readonly<Record<string, string | readonly ParameterValue[]>>,
  schemas: Readonly<Record<string, ParameterSchema>>,
  numbers: boolean,
): Space {
  const faults: Fault[] = [];
  const known = Object.keys(schemas);
  const dimensions: Dimension[] = [];
  for (const [name, written] of Object.entries(given)) {
    const where = `--param ${name}`;
    if (!known.includes(name)) {
      const meant = nearest(name, known);
      const hint =
        meant === undefined ? `parameters: ${known.join(', ') || 'none'}` : `did you mean ${meant}?`;
      faults.push({ where, message: 'unknown parameter', hint });
      continue;
    }
    const read = typeof written === 'string' ? valuesIn(written) : { values: [...written] };
    if ('fault' in read) faults.push({ where, message: read.fault });
    else dimensions.push({ name, values: read.values, given: 'flag' });
  }
  for (const name of known) {
    if (Object.hasOwn(given, name)) continue;
    const own = dimensionOf(name, schemas[name]!, numbers);
    if (own !== undefined) dimensions.push(own);
  }
  if (faults.length > 0)
    throw faultsError(
      'bad_space',
      'The parameters of the sweep',
      faults,
      'Write them as --param fast=5:50:5 or --param mode=long,both.',
    );
  // Parameters are sorted in the order of the strategy's schema, so that the order of flags does not change
  // the search.
  dimensions.sort((one, other) => known.indexOf(one.name) - known.indexOf(other.name));
  return { dimensions };
}

/**
 * Parses the values of `5:50:5` or `0.5,0.99`. Steps are computed with decimal numbers, so 0.1:0.3:0.1 gives
 * exactly 0.1, 0.2 and 0.3.
 */
function valuesIn(text: string): { readonly values: ParameterValue[] } | { readonly fault: string } {
  const range = RANGE.exec(text.trim());
  if (range === null) {
    const words = text.split(',').map((word) => word.trim());
    if (words.some((word) => word === '')) return { fault: `"${text}" has an empty value` };
    const values = words.map(valueIn);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    return twice === undefined ? { values } : { fault: `duplicate value ${String(twice)}` };
  }
  const [start, end, step] = range.slice(1).map((word) => numberIn(word));
  if (start === undefined || end === undefined || step === undefined)
    return { fault: `"${text}" is not start:end:step in numbers` };
  if (step.isZero()) return { fault: 'the step is 0' };
  const steps = end.minus(start).dividedBy(step);
  if (steps.isNegative() && !steps.isZero()) return { fault: `"${text}" never reaches its end` };
  const count = Math.floor(steps.toNumber() + 1e-12) + 1;
  if (count > MOST_VALUES) return { fault: `"${text}" has ${count} values` };
  return { values: Array.from({ length: count }, (_, index) => start.plus(step.times(index)).toNumber()) };
}

function numberIn(word: string): Decimal | undefined {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word.trim())
    ? decimal(word.trim().replace(/^\+/, ''))
    : undefined;
}

function valueIn(word: string): ParameterValue {
  if (word === 'true' || word === 'false') return word === 'true';
  return numberIn(word)?.toNumber() ?? word;
}

function dimensionOf(name: string, schema: ParameterSchema, numbers: boolean): Dimension | undefined {
  const values =
    schema.enum ?? constants(schema.anyOf) ?? (schema.type === 'boolean' ? [false, true] : undefined);
  if (values !== undefined) return { name, values, given: 'schema' };
  const integer = schema.type === 'integer';
  if (!integer && schema.type !== 'number') return undefined;
  const { multipleOf: step = integer ? 1 : undefined } = schema;
  const gap = step ?? 0;
  const low =
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? undefined : schema.exclusiveMinimum + gap);
  const high =
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - gap);
  // zod adds the limits of safe integers to the JSON schema of an integer without bounds. These limits are
  // not a searchable range.
  if (low === undefined || high === undefined) return undefined;
  if (Math.abs(low) >= Number.MAX_SAFE_INTEGER || Math.abs(high) >= Number.MAX_SAFE_INTEGER) return undefined;
  if (step !== undefined && (high - low) / step < MOST_VALUES) {
    const read = valuesIn(`${low}:${high}:${step}`);
    return 'values' in read ? { name, values: read.values, given: 'schema' } : undefined;
  }
  return numbers ? { name, low, high, integer, given: 'schema' } : undefined;
}

function constants(schemas: readonly ParameterSchema[] | undefined): ParameterValue[] | undefined {
  const values = schemas?.map((one) => one.const);
  return values?.every((value) => value !== undefined) ? values : undefined;
}

/** Returns the number of combinations. `Infinity` if a parameter is a range of numbers without steps. */
export function sizeOf({ dimensions }: Space): number {
  return dimensions.reduce(
    (size, one) => size * ('values' in one ? one.values.length : Number.POSITIVE_INFINITY),
    1,
  );
}

/** Returns the combination with the given index. The last parameter changes fastest. */
export function combination({ dimensions }: Space, number: number): Point {
  const point: [string, ParameterValue][] = [];
  let rest = number;
  for (const one of [...dimensions].reverse()) {
    if (!('values' in one)) continue;
    point.unshift([one.name, one.values[rest % one.values.length]!]);
    rest = Math.floor(rest / one.values.length);
  }
  return Object.fromEntries(point);
}

/** Returns the point (combination of parameter values) at coordinates in [0, 1), one per parameter. */
export function pointAt({ dimensions }: Space, unit: readonly number[]): Point {
  return Object.fromEntries(
    dimensions.map((one, index): [string, ParameterValue] => {
      const at = Math.min(Math.max(unit[index]!, 0), 1 - Number.EPSILON);
      if ('values' in one) return [one.name, one.values[Math.floor(at * one.values.length)]!];
      const value = one.low + at * (one.high - one.low + (one.integer ? 1 : 0));
      return [one.name, one.integer ? Math.floor(value) : Number(value.toPrecision(12))];
    }),
  );
}

/**
 * Returns the coordinates of a point in [0, 1), one per parameter. For a parameter with a list of values, [0,
 * 1) is divided into one interval per value. The coordinate is the middle of the interval.
 */
export function unitOf({ dimensions }: Space, point: Point): number[] {
  return dimensions.map((one) => {
    const value = point[one.name]!;
    if ('values' in one) return (one.values.indexOf(value) + 0.5) / one.values.length;
    return (Number(value) - one.low + (one.integer ? 0.5 : 0)) / (one.high - one.low + (one.integer ? 1 : 0));
  });
}
