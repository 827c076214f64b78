import { z } from 'zod';
import type { TokenUsage } from '../../engine/index.ts';
import { decimal, decimalString } from '../../kernel/index.ts';

const amount = z.number().min(0).finite();

/** Price of a model in US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: amount,
  /** Price of cached input. Default: the price of input. */
  cached: amount.optional(),
  /** Price of output, including reasoning. */
  output: amount,
});

export type Price = z.infer<typeof priceSchema>;

/** User-defined prices. They override the built-in table. */
export const priceTableSchema = z.strictObject({
  /** Version of the table, for example a date. */
  version: z.string().min(1),
  models: z.array(
    priceSchema.extend({
      /** Name of the provider, one of `PROVIDERS`. Default: the price applies to all providers. */
      provider: z.string().optional(),
      model: z.string().min(1),
    }),
  ),
});

export type PriceTable = z.infer<typeof priceTableSchema>;

/** Price with the version of its table. */
export interface KnownPrice extends Price {
  readonly table: string;
}

/**
 * Returns a model's price by provider and name. If a dated name (`gpt-4.1-2025-04-14`) is not found, the name
 * without the date is used.
 *
 * @param tables price tables. The first table that contains the model is used
 * @returns null if no table contains the model
 */
export function priceOf(provider: string, model: string, tables: readonly PriceTable[]): KnownPrice | null {
  const plain = model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, '');
  for (const name of model === plain ? [model] : [model, plain]) {
    for (const { version, models } of tables) {
      const row = models.find((one) => one.model === name && (one.provider ?? provider) === provider);
      if (row !== undefined) {
        const { input, cached, output } = row;
        return { table: version, input, ...(cached === undefined ? {} : { cached }), output };
      }
    }
  }
  return null;
}

/**
 * Returns the exact cost of one exchange in US dollars, as a decimal string. `null` if price or tokens are
 * unknown.
 */
export function costOf(usage: TokenUsage | null, price: Price | null): string | null {
  if (usage === null || price === null) return null;
  const million = decimal(1_000_000);
  const part = (tokens: number, dollars: number) =>
    decimal(tokens).times(decimal(dollars)).dividedBy(million);
  return decimalString(
    part(Math.max(usage.input - usage.cached, 0), price.input)
      .plus(part(usage.cached, price.cached ?? price.input))
      .plus(part(usage.output, price.output)),
  );
}

/**
 * List prices published by the providers, in US dollars per million tokens. They apply to the shortest
 * context tier, without batch or volume discounts. A strategy can override them with its own file
 * (`prices:`).
 */
export const PRICE_TABLE: PriceTable = {
  version: 'sandtable-2025-12',
  models: [
    { provider: 'openai', model: 'gpt-4o', input: 2.5, cached: 1.25, output: 10 },
    { provider: 'openai', model: 'gpt-4o-mini', input: 0.15, cached: 0.075, output: 0.6 },
    { provider: 'openai', model: 'gpt-4.1', input: 2, cached: 0.5, output: 8 },
    { provider: 'openai', model: 'gpt-4.1-mini', input: 0.4, cached: 0.1, output: 1.6 },
    { provider: 'openai', model: 'gpt-4.1-nano', input: 0.1, cached: 0.025, output: 0.4 },
    { provider: 'openai', model: 'o3', input: 2, cached: 0.5, output: 8 },
    { provider: 'openai', model: 'o4-mini', input: 1.1, cached: 0.275, output: 4.4 },
    { provider: 'openai', model: 'gpt-5', input: 1.25, cached: 0.125, output: 10 },
    { provider: 'openai', model: 'gpt-5-mini', input: 0.25, cached: 0.025, output: 2 },
    { provider: 'openai', model: 'gpt-5-nano', input: 0.05, cached: 0.005, output: 0.4 },
    { provider: 'anthropic', model: 'claude-sonnet-4-5', input: 3, cached: 0.3, output: 15 },
    { provider: 'anthropic', model: 'claude-haiku-4-5', input: 1, cached: 0.1, output: 5 },
    { provider: 'anthropic', model: 'claude-opus-4-5', input: 5, cached: 0.5, output: 25 },
    { provider: 'google', model: 'gemini-2.5-pro', input: 1.25, cached: 0.125, output: 10 },
    { provider: 'google', model: 'gemini-2.5-flash', input: 0.3, cached: 0.03, output: 2.5 },
    { provider: 'google', model: 'gemini-2.5-flash-lite', input: 0.1, cached: 0.01, output: 0.4 },
  ],
};
