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
      /** Provider, as in `provider:`. Default: any. */
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
 * Returns a model's price by provider and name. A dated name (`gpt-4.1-2025-04-14`) falls back to the name
 * without the date.
 *
 * @param tables the first table with the model wins
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

/** Exact cost of one exchange in US dollars, as a decimal string. `null` if price or tokens are unknown. */
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
