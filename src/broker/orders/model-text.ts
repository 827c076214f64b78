import { z } from 'zod';
import { Exact, issueText, nearest, valueAt } from '../../kernel/index.ts';
import { COMMISSION_MODELS, commissionSchema } from '../costs/cost-schema.ts';

/**
 * Returns a schema that parses a cost model from the text format of command-line flags, for example
 * `per-share:perShare=0.005,minimum=1`.
 *
 * @param schema schema of the parsed model
 * @param names names of the allowed models
 * @param numbered for texts with numeric keys, such as `tiered:0=0.001,1e6=0.0005`: `key` is the field for
 *   the list of tiers, `from` and `value` are the fields of a tier
 */
export function modelText<Output>(
  schema: z.ZodType<Output>,
  names: readonly string[],
  numbered?: { readonly key: string; readonly from: string; readonly value: string },
): z.ZodType<Output, string> {
  return z.string().transform((text, context) => {
    const refuse = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const [model = '', ...rest] = text.split(':');
    if (!names.includes(model)) {
      const meant = nearest(model, names);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return refuse(`invalid model "${model}". Expected ${names.join(', ')}${hint}`);
    }
    const pairs = pairsOf(rest.join(':'));
    if (typeof pairs === 'string')
      return refuse(`"${pairs}" is not key=value. Expected a form such as ${model}:key=value`);
    const given = numbered === undefined ? pairs : withTiers(pairs, numbered);
    const parsed = schema.safeParse({ model, ...given });
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map((issue) =>
      `${issue.path.join('.')} ${issueText(issue, valueAt({ model, ...given }, issue.path))}`.trim(),
    );
    return refuse(`${model}: ${faults.join('; ')}`);
  });
}

/** Schema that parses commission settings from the text format of command-line flags. */
export const commissionText = modelText(commissionSchema, COMMISSION_MODELS, {
  key: 'tiers',
  from: 'from',
  value: 'rate',
});

/**
 * Parses a text such as `a=1,b=x` to an object. If a part of the text is faulty, returns the first faulty
 * part instead.
 */
export function pairsOf(text: string): Record<string, number | string> | string {
  const pairs: Record<string, number | string> = {};
  if (text === '') return pairs;
  for (const part of text.split(',')) {
    const [key = '', ...rest] = part.split('=');
    const value = rest.join('=').trim();
    if (key.trim() === '' || value === '') return part;
    // A number is parsed as a float64. Only a lot size may have more digits than a float64 can represent; it
    // then remains a text.
    if (Number.isNaN(Number(value))) pairs[key.trim()] = value;
    else pairs[key.trim()] = key.trim() === 'lot' ? numberOrText(value) : Number(value);
  }
  return pairs;
}

function withTiers(
  pairs: Record<string, number | string>,
  { key, from, value }: { readonly key: string; readonly from: string; readonly value: string },
): Record<string, unknown> {
  const tiers = Object.entries(pairs).filter(([name]) => !Number.isNaN(Number(name)));
  if (tiers.length === 0) return pairs;
  const others = Object.entries(pairs).filter(([name]) => Number.isNaN(Number(name)));
  return {
    ...Object.fromEntries(others),
    [key]: tiers.map(([name, number]) => ({ [from]: Number(name), [value]: number })),
  };
}

/** Converts a numeric text to a float64. Returns the text if the float64 would lose digits. */
export function numberOrText(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && !Exact.of(text).equals(Exact.of(number)) ? text : number;
}
