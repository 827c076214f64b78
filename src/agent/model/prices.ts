import { z } from 'zod';
import type { TokenUsage } from '../../engine/index.ts';
import { decimal, decimalString } from '../../kernel/index.ts';

const amount = z.number().min(0).finite();

/** What a model costs, in US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: amount,
  /** Input that the server had cached; the price of input where it is left out. */
  cached: amount.optional(),
  /** Reasoning is output. */
  output: amount,
});

export type Price = z.infer<typeof priceSchema>;

/** A user's own prices: their rows win over ours. */
export const priceTableSchema = z.strictObject({
  /** Says which prices these are, such as a date. */
  version: z.string().min(1),
  models: z.array(
    priceSchema.extend({
      /** As in `provider:`; any where it is left out. */
      provider: z.string().optional(),
      model: z.string().min(1),
    }),
  ),
});

export type PriceTable = z.infer<typeof priceTableSchema>;

/** A price and the table it is from. */
export interface KnownPrice extends Price {
  readonly table: string;
}

/**
 * A model's price by provider and name; a dated name (`gpt-4.1-2025-04-14`) has the price of its plain one.
 *
 * @param tables the first that knows the model wins
 * @returns null where no table knows it
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

/** US dollars of one exchange, exact, as a decimal string; null where price or tokens are not known. */
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
