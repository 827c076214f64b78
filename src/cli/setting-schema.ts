import { z } from 'zod';
import type { NumberRules } from './flag-values.ts';

/**
 * Returns the schema of one setting, with its description.
 *
 * @param path names of settings, from the outermost
 */
export function settingAt(
  schema: z.ZodObject,
  path: readonly (string | undefined)[],
): { readonly schema: unknown; readonly description: string } {
  let found: unknown = schema;
  let description = '';
  for (const name of path) {
    if (name === undefined) break;
    if (!(found instanceof z.ZodObject)) throw new Error(`unknown setting ${path.join('.')}`);
    const inner: unknown = found.shape[name];
    if (!(inner instanceof z.ZodType)) throw new Error(`unknown setting ${path.join('.')}`);
    description = inner.description ?? '';
    found = bare(inner);
  }
  if (description === '') throw new Error(`the setting ${path.join('.')} has no description`);
  return { schema: found, description };
}

/** Removes the wrappers for optional values. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return bare(schema.unwrap());
  return schema;
}

/** Bound in the checks that zod stores for a number. */
const boundSchema = z.object({
  check: z.enum(['greater_than', 'less_than']),
  value: z.number(),
  inclusive: z.boolean(),
});

/** Returns the bounds of a number. */
export function numberRulesOf(schema: z.ZodNumber): NumberRules {
  const bounds = (schema.def.checks ?? []).flatMap((check) => {
    const bound = boundSchema.safeParse(check._zod.def);
    return bound.success ? [bound.data] : [];
  });
  // A later bound on the same side is narrower.
  const least = bounds.findLast(({ check }) => check === 'greater_than');
  const most = bounds.findLast(({ check }) => check === 'less_than');
  return {
    min: least?.value ?? Number.NEGATIVE_INFINITY,
    max: most?.value ?? Number.POSITIVE_INFINITY,
    whole: schema.isInt,
    above: least?.inclusive === false,
    below: most?.inclusive === false,
  };
}
