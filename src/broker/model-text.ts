import { z } from 'zod';
import { Exact, issueText, nearest, valueAt } from '../kernel/index.ts';
import { COMMISSION_MODELS, commissionSchema } from './cost-schema.ts';

/**
 * A model and its values as a flag writes them: `per-share:perShare=0.005,minimum=1`.
 *
 * @param names the models there are
 * @param numbered where the values of keys that are numbers go, and by which names: the tiers of a commission
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
      return refuse(`"${model}" is none of ${names.join(', ')}${hint}`);
    }
    const pairs = pairsOf(rest.join(':'));
    if (typeof pairs === 'string') return refuse(`"${pairs}" is not key=value, as in ${model}:key=value`);
    const given = numbered === undefined ? pairs : withTiers(pairs, numbered);
    const parsed = schema.safeParse({ model, ...given });
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map((issue) =>
      `${issue.path.join('.')} ${issueText(issue, valueAt({ model, ...given }, issue.path))}`.trim(),
    );
    return refuse(`${model}: ${faults.join('; ')}`);
  });
}

/** A commission as a flag writes it. */
export const commissionText = modelText(commissionSchema, COMMISSION_MODELS, {
  key: 'tiers',
  from: 'from',
  value: 'rate',
});

/** `a=1,b=x` as an object; the part that is no pair where there is one. */
export function pairsOf(text: string): Record<string, number | string> | string {
  const pairs: Record<string, number | string> = {};
  if (text === '') return pairs;
  for (const part of text.split(',')) {
    const [key = '', ...rest] = part.split('=');
    const value = rest.join('=').trim();
    if (key.trim() === '' || value === '') return part;
    // Of what flags give in pairs, a lot alone may have more digits than a number keeps.
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

/** A number where one keeps every digit of a text, else the text. */
export function numberOrText(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && !Exact.of(text).equals(Exact.of(number)) ? text : number;
}
