import { z } from 'zod';
import { Exact, issueText, nearest, parseInstant, valueAt } from '../kernel/index.ts';

export interface NumberRules {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
  /** Whether `min` itself is too little. */
  readonly above?: boolean;
  /** Whether `max` itself is too much. */
  readonly below?: boolean;
}

/** A date as settings keep it. */
export const instantText = z.string().transform((text, context) => {
  if (parseInstant(text) !== undefined) return text.trim();
  context.addIssue({
    code: 'custom',
    message: `"${text}" is no date such as 2020-01-15 or 2020-01-15T09:30`,
  });
  return z.NEVER;
});

/** A number as a flag writes it. */
export function numberText({
  min,
  max,
  whole = false,
  above = false,
  below = false,
}: NumberRules): z.ZodType<number, string> {
  const kind = whole ? 'a whole number' : 'a number';
  return z.string().transform((text, context) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const inRange = (above ? value > min : value >= min) && (below ? value < max : value <= max);
    if (inRange && (!whole || Number.isSafeInteger(value))) return value;
    const open = max >= Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    const closed = above ? `above ${min} and at most ${max}` : open;
    const range = below ? `of at least ${min} and below ${max}` : closed;
    context.addIssue({ code: 'custom', message: `"${text}" is not ${kind} ${range}` });
    return z.NEVER;
  });
}

/** A number where one keeps every digit of a text, else the text. */
function numberOrText(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && !Exact.of(text).equals(Exact.of(number)) ? text : number;
}

/** A step of quantities, with every digit that was given. */
export function lotText(rules: NumberRules): z.ZodType<number | string, string> {
  const number = numberText(rules);
  return z.string().transform((text, context) => {
    const parsed = number.safeParse(text);
    if (parsed.success) return numberOrText(text.trim());
    for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

export const wholeText = (min: number): z.ZodType<number, string> =>
  numberText({ min, max: Number.MAX_SAFE_INTEGER, whole: true });

export const moneyText = z
  .string()
  .trim()
  .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0, {
    error: (issue) => `"${String(issue.input)}" is not a positive amount such as 100000`,
  });

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

/** `SYMBOL:lot=1,tick=0.01`, any number of them, as what each symbol trades in. */
export function instrumentTexts<Output>(
  schema: z.ZodType<Output>,
): z.ZodType<Record<string, Output>, string[]> {
  return z.array(z.string()).transform((texts, context) => {
    const instruments: Record<string, Output> = {};
    for (const text of texts) {
      const colon = text.lastIndexOf(':');
      const pairs = colon <= 0 ? text : pairsOf(text.slice(colon + 1));
      if (typeof pairs === 'string') {
        context.addIssue({ code: 'custom', message: `"${text}" is not like AAPL:lot=1,tick=0.01` });
        continue;
      }
      const parsed = schema.safeParse(pairs);
      for (const issue of parsed.error?.issues ?? []) {
        const message = `${text}: ${issue.path.join('.')} ${issueText(issue, valueAt(pairs, issue.path))}`;
        context.addIssue({ code: 'custom', message });
      }
      if (parsed.success) instruments[text.slice(0, colon)] = parsed.data;
    }
    return instruments;
  });
}

/** `a=1,b=x` as an object; the part that is no pair where there is one. */
function pairsOf(text: string): Record<string, number | string> | string {
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
