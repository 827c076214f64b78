import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { AppError, type Fault, faultsError } from '../../kernel/index.ts';

type Fields = { readonly [name: string]: Json };
type Scalar = number | boolean | string;

const FIELDS = ['default', 'min', 'max', 'step', 'choices', 'summary'];
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const FORMS = 'Write a default, such as 35, or {"default": 35, "min": 5, "max": 95}.';

/** Parameters that a Python strategy declares. */
export interface PythonParameters {
  readonly schema: z.ZodObject;
  /** Names of parameters that are floats in Python, even if their value is a whole number such as 2.0. */
  readonly floats: readonly string[];
}

/**
 * Reads `parameters` of a Python strategy. A parameter has the type of its default value: integer, float,
 * boolean or text.
 *
 * @throws AppError `strategy_broken` with every fault
 */
export function readPythonParameters(declared: Json | undefined, file: string): PythonParameters {
  if (declared === undefined) return { schema: z.object({}), floats: [] };
  const faults: Fault[] = [];
  const shape: Record<string, z.ZodType> = {};
  const floats: string[] = [];
  if (!isFields(declared)) {
    throw new AppError({
      code: 'strategy_broken',
      message: `${file}: parameters is not a dict.`,
      hint: 'Write: parameters = {"low": 35, "high": 65}',
    });
  }
  for (const [name, value] of Object.entries(declared)) {
    const where = `parameters["${name}"]`;
    const message = NAME.test(name) ? undefined : 'is not a name such as low or fast_length';
    const read = message === undefined ? readOne(value) : message;
    if (typeof read === 'string') {
      faults.push({ where, message: read });
      continue;
    }
    shape[name] = read.schema;
    if (read.isFloat) floats.push(name);
    const checked = read.schema.safeParse(undefined);
    const range = read.bare.safeParse(typeof read.value === 'boolean' ? String(read.value) : read.value);
    if (!checked.success || !range.success)
      faults.push({ where, message: `its default ${String(read.value)} is outside its own bounds` });
  }
  if (faults.length > 0) throw faultsError('strategy_broken', `Parameters of ${file}`, faults, FORMS);
  return { schema: z.object(shape), floats };
}

interface OneParameter {
  readonly schema: z.ZodType;
  /** Schema without the default. */
  readonly bare: z.ZodType;
  readonly value: Scalar;
  readonly isFloat: boolean;
}

/**
 * Returns a parameter. If it is invalid, returns the fault as a text that follows the name, for example "is
 * empty".
 */
function readOne(declared: Json): OneParameter | string {
  const plain = scalarOf(declared);
  if (plain !== undefined) return withDefault(bareOf(plain, {}), plain);
  if (!isFields(declared)) return 'is neither a default nor a dict with a default';
  const stray = Object.keys(declared).find((name) => !FIELDS.includes(name));
  if (stray !== undefined) return `has an unknown field "${stray}"; known: ${FIELDS.join(', ')}`;
  const value = scalarOf(declared.default ?? null);
  if (value === undefined) return 'has no default';
  const { choices } = declared;
  if (choices !== undefined) {
    if (!Array.isArray(choices) || choices.length === 0) return 'has choices that are not a list';
    const values = choices.map((each) => scalarOf(each)?.value);
    if (values.some((each) => typeof each !== typeof value.value || typeof each === 'boolean'))
      return 'has choices of another type than its default';
    const listed =
      typeof value.value === 'string'
        ? z.enum(values as [string, ...string[]])
        : z.coerce.number().pipe(z.literal(values as [number, ...number[]]));
    return withDefault(listed, value);
  }
  const bounds = { min: numberOf(declared.min), max: numberOf(declared.max), step: numberOf(declared.step) };
  if (Object.values(bounds).some((each) => each === null)) return 'has a bound that is not a number';
  if (typeof value.value !== 'number' && Object.values(bounds).some((each) => each !== undefined))
    return 'has bounds, but its default is not a number';
  return withDefault(bareOf(value, bounds as Bounds), value);
}

interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
}

function bareOf({ value, isFloat }: Pick<OneParameter, 'value' | 'isFloat'>, bounds: Bounds): z.ZodType {
  if (typeof value === 'boolean') return z.stringbool();
  if (typeof value === 'string') return z.string();
  const { min, max, step } = bounds;
  let number = z.coerce.number();
  if (!isFloat) number = number.int();
  if (min !== undefined) number = number.min(min);
  if (max !== undefined) number = number.max(max);
  if (step !== undefined && !isFloat && min === undefined) number = number.multipleOf(step);
  return number;
}

function withDefault(
  bare: z.ZodType,
  { value, isFloat }: Pick<OneParameter, 'value' | 'isFloat'>,
): OneParameter {
  return { schema: bare.default(value), bare, value, isFloat };
}

function scalarOf(value: Json): Pick<OneParameter, 'value' | 'isFloat'> | undefined {
  if (isFields(value)) {
    const marked = Object.keys(value).length === 1 ? value.float : undefined;
    return typeof marked === 'number' ? { value: marked, isFloat: true } : undefined;
  }
  if (typeof value === 'number') return { value, isFloat: !Number.isInteger(value) };
  return typeof value === 'boolean' || typeof value === 'string' ? { value, isFloat: false } : undefined;
}

/** Returns a bound. `undefined` if absent, `null` if it is not a number. */
function numberOf(value: Json | undefined): number | undefined | null {
  if (value === undefined) return undefined;
  const scalar = scalarOf(value)?.value;
  return typeof scalar === 'number' ? scalar : null;
}

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
