import { z } from 'zod';
import { type AgentBudget, agentBudgetSchema, type Budget, budgetSchema } from '../../agents/index.ts';
import { numberOrText, pairsOf } from '../../broker/index.ts';
import { decimal, type Fault, issueText, parseInstant, valueAt } from '../../kernel/index.ts';

/**
 * Returns the flag for the name that the library commander gives to its value: `--from-date` for `fromDate`.
 */
export function flagNamed(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export interface NumberRules {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
  /** If true, `min` itself is not allowed. */
  readonly above?: boolean;
  /** If true, `max` itself is not allowed. */
  readonly below?: boolean;
}

/** Schema of a date with an optional time of day, for example `2020-01-15` or `2020-01-15T09:30`. */
export const instantText = z.string().transform((text, context) => {
  if (parseInstant(text) !== undefined) return text.trim();
  context.addIssue({
    code: 'custom',
    message: `"${text}" is not a date. Expected for example 2020-01-15 or 2020-01-15T09:30`,
  });
  return z.NEVER;
});

/** Returns the schema of a number that is written as text in a flag. */
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
    const fraction = whole || max > LARGEST_FRACTION ? undefined : fractionOf(text);
    const advice = fraction === undefined ? '' : `. Write ${text.trim()} as ${fraction}`;
    context.addIssue({ code: 'custom', message: `"${text}" is not ${kind} ${range}${advice}` });
    return z.NEVER;
  });
}

/**
 * A flag whose `max` is above this number cannot be a fraction, for example a count or an amount. For any
 * other flag with a text such as `0.1%`, the error suggests the fraction 0.001. The number is not 1, because
 * a fraction of the equity, such as the gross exposure, can exceed 1.
 */
const LARGEST_FRACTION = 1000;

/** Converts a percentage such as `0.1%` to the text of a fraction. `undefined` for any other text. */
function fractionOf(text: string): string | undefined {
  const [, number] = /^([+-]?\d+(?:\.\d+)?)\s*%$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : decimal(number).dividedBy(100).toString();
}

/**
 * Returns the schema of a quantity step such as 0.001. The parsed value is text instead of a number if a
 * float64 cannot represent all of its digits.
 */
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
    error: (issue) => `"${String(issue.input)}" is not a positive amount. Expected for example 100000`,
  });

/**
 * Returns the schema of texts such as `SYMBOL:lot=1,tick=0.01`. The parsed value contains the instrument
 * settings by symbol.
 */
export function instrumentTexts<Output>(
  schema: z.ZodType<Output>,
): z.ZodType<Record<string, Output>, string[]> {
  return z.array(z.string()).transform((texts, context) => {
    const instruments: Record<string, Output> = {};
    for (const text of texts) {
      // The last colon before the first `=` ends the symbol. Colons can also occur in symbols and in values
      // such as times.
      const equals = text.indexOf('=');
      const colon = equals < 0 ? text.lastIndexOf(':') : text.lastIndexOf(':', equals);
      const pairs = colon <= 0 ? text : pairsOf(text.slice(colon + 1));
      if (typeof pairs === 'string') {
        context.addIssue({
          code: 'custom',
          message: `"${text}" is not an instrument setting. Expected for example AAPL:lot=1,tick=0.01`,
        });
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

/** Reads budget limits such as `usd=5`. Returns all faults together. */
export function readBudget(texts: readonly string[]): { budget: Budget; faults: Fault[] } {
  return readLimits(budgetSchema, texts, '--budget');
}

/** Reads budget limits such as `usd=5`, including those for agents. Returns all faults together. */
export function readAgentBudget(
  texts: readonly string[],
  where: string,
): { budget: AgentBudget; faults: Fault[] } {
  return readLimits(agentBudgetSchema, texts, where);
}

function readLimits<Read>(
  schema: z.ZodType<Read>,
  texts: readonly string[],
  where: string,
): { budget: Read; faults: Fault[] } {
  const values: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const text of texts) {
    const [name = '', amount = ''] = text.split('=');
    if (name === '' || amount === '' || !Number.isFinite(Number(amount))) {
      faults.push({
        where,
        message: `"${text}" is not a limit. Expected for example usd=5 or tokens=200000`,
      });
    } else if (Object.hasOwn(values, name)) faults.push({ where, message: `${name} is given twice` });
    else values[name] = Number(amount);
  }
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    faults.push({ where, message: `${issue.path.join('.')} ${issueText(issue)}`.trim() });
  }
  return { budget: parsed.data ?? schema.parse({}), faults };
}
