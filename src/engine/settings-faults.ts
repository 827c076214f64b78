import type { z } from 'zod';
import { type Fault, issueText, nearest, valueAt } from '../kernel/index.ts';

/**
 * Returns the faults of settings with their places. An unknown key is reported with the most similar known
 * key.
 */
export function settingsFaults(schema: z.ZodType, given: unknown): Fault[] {
  const faults: Fault[] = (schema.safeParse(given).error?.issues ?? []).flatMap((issue) => {
    const where = issue.path.join('.') || 'settings';
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, given, issue.path);
      return issue.keys.map((key) => {
        const meant = nearest(key, known);
        const hint = meant === undefined ? `there is ${known.join(', ')}` : `did you mean ${meant}?`;
        return { where: [...issue.path, key].join('.'), message: 'there is no such setting', hint };
      });
    }
    if (issue.code === 'invalid_union' && issue.path.at(-1) === 'model') {
      const names = modelsAt(schema, issue.path.slice(0, -1));
      const model = valueAt(given, issue.path);
      const message = model === undefined ? 'is missing' : `${JSON.stringify(model)} is no model`;
      return [{ where, message, hint: `there is ${names.join(', ')}` }];
    }
    return [{ where, message: issueText(issue, valueAt(given, issue.path)) }];
  });
  for (const [short, model] of [
    ['commissionRate', 'commission'],
    ['slippageBps', 'slippage'],
  ] as const) {
    if (valueAt(given, [short]) && valueAt(given, [model]) !== undefined)
      faults.push({ where: short, message: `${model} says it too: give one of them` });
  }
  return faults;
}

type Definition = {
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly values?: readonly unknown[];
};

function definitionOf(schema: z.ZodType): Definition {
  let definition = schema.def as Definition;
  // Unwraps optional and default schemas.
  while (definition.innerType !== undefined) definition = definition.innerType.def as Definition;
  return definition;
}

/** Returns the schema at a path, also through records. For a choice of models, returns the choice. */
function definitionAt(schema: z.ZodType, path: readonly PropertyKey[]): Definition {
  return path.reduce<Definition>((definition, key) => {
    const next = definition.shape?.[String(key)] ?? definition.valueType;
    return next === undefined ? {} : definitionOf(next);
  }, definitionOf(schema));
}

function keysAt(schema: z.ZodType, given: unknown, path: readonly PropertyKey[]): string[] {
  const definition = definitionAt(schema, path);
  const model = valueAt(given, [...path, 'model']);
  const chosen = definition.options?.map(definitionOf).find((option) => modelOf(option) === model);
  return Object.keys((chosen ?? definition).shape ?? {});
}

function modelsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return (definitionAt(schema, path).options ?? []).map((option) => String(modelOf(definitionOf(option))));
}

function modelOf({ shape }: Definition): unknown {
  return shape?.model === undefined ? undefined : definitionOf(shape.model).values?.[0];
}
