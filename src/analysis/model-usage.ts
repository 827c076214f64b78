import { z } from 'zod';
import type { TokenUsage } from '../engine/index.ts';
import type { EventOf, RunRecord } from '../journal/index.ts';
import { type Decimal, decimal, decimalString, grouped, percentage } from '../kernel/index.ts';

const count = z.number().int().min(0);
const money = z.string().regex(/^\d+(\.\d+)?$/, 'must be an amount as a decimal string');

const shareSchema = z.strictObject({
  /** Requests, those that failed included. */
  requests: count,
  inputTokens: count,
  /** Part of the input. */
  cachedTokens: count,
  outputTokens: count,
  /** Part of the output. */
  reasoningTokens: count,
  /** US dollars; null when the price, or the tokens of a reply, are not known. */
  cost: money.nullable(),
});

type Share = z.infer<typeof shareSchema>;

/** What a run's model was asked and what that cost; null for a run without a model. */
export const modelUsageSchema = z
  .strictObject({
    model: z.string(),
    provider: z.string(),
    api: z.string(),
    /** The table the price is from; null when the price is not known. */
    prices: z.string().nullable(),
    decisions: count,
    /** By how they ended. */
    outcomes: z.record(z.string(), count),
    failedRequests: count,
    /** The whole run, however many processes it took. */
    ...shareSchema.shape,
    /** What this process asked for itself … */
    incurred: shareSchema,
    /** … and what it found recorded, paid for before. */
    replayed: shareSchema,
  })
  .nullable();

export type ModelUsage = z.infer<typeof modelUsageSchema>;

/** @param replayed exchanges at the journal's beginning that the process found recorded */
export function modelUsage(record: RunRecord, replayed: number): ModelUsage {
  const { model, exchanges, decisions } = record;
  if (model === undefined) return null;
  const outcomes: Record<string, number> = {};
  for (const { outcome } of decisions) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const { price } = model;
  const table = typeof price === 'object' && price !== null && 'table' in price ? String(price.table) : null;
  return {
    model: model.model,
    provider: model.provider,
    api: model.api,
    prices: table,
    decisions: decisions.length,
    outcomes,
    failedRequests: exchanges.filter(({ failure }) => failure !== undefined).length,
    ...shareOf(exchanges, table),
    incurred: shareOf(exchanges.slice(replayed), table),
    replayed: shareOf(exchanges.slice(0, replayed), table),
  };
}

function shareOf(exchanges: readonly EventOf<'model_called'>[], prices: string | null): Share {
  const sum = (kind: keyof TokenUsage): number =>
    exchanges.reduce((total, { usage }) => total + (usage?.[kind] ?? 0), 0);
  // Where a price is known, a request that failed and reported no tokens cost nothing that anybody knows of.
  const unknown = exchanges.some(
    ({ cost, failure }) => cost === null && (failure === undefined || prices === null),
  );
  const cost = exchanges.reduce<Decimal>((total, one) => total.plus(one.cost ?? 0), decimal(0));
  return {
    requests: exchanges.length,
    inputTokens: sum('input'),
    cachedTokens: sum('cached'),
    outputTokens: sum('output'),
    reasoningTokens: sum('reasoning'),
    cost: unknown ? null : decimalString(cost),
  };
}

/**
 * The model's lines of the terminal summary, by label.
 *
 * @param returnAfter total return less the cost, as a fraction; null where it is not known
 */
export function modelLines(
  usage: ModelUsage,
  returnAfter: number | null,
): readonly (readonly [string, string])[] {
  if (usage === null) return [];
  const number = (value: number): string => grouped(value, 0);
  const failed = usage.failedRequests === 0 ? '' : `, ${number(usage.failedRequests)} of them failed`;
  const others = Object.entries(usage.outcomes)
    .filter(([outcome]) => outcome !== 'answered')
    .map(([outcome, times]) => `${number(times)} ${outcome.replaceAll('_', ' ')}`);
  const ends = others.length === 0 ? '' : ` (${others.join(', ')})`;
  const tokens = [
    `${number(usage.inputTokens)} in`,
    ...(usage.cachedTokens === 0 ? [] : [`${number(usage.cachedTokens)} of them cached`]),
    `${number(usage.outputTokens)} out`,
    ...(usage.reasoningTokens === 0 ? [] : [`${number(usage.reasoningTokens)} of them reasoning`]),
  ];
  const replayed =
    usage.replayed.requests === 0
      ? ''
      : `; ${dollars(usage.incurred.cost)} now, ${dollars(usage.replayed.cost)} replayed`;
  const after =
    returnAfter === null || Number(usage.cost) === 0 ? '' : `; return after it ${percentage(returnAfter)}`;
  return [
    [
      'Model',
      `${usage.model}: ${number(usage.decisions)} decisions${ends}, ${number(usage.requests)} requests${failed}`,
    ],
    ['Tokens', tokens.join(', ')],
    [
      'Cost',
      `${dollars(usage.cost)}${usage.cost === null ? ': no price for this model' : ''}${replayed}${after}`,
    ],
  ];
}

function dollars(cost: string | null): string {
  return cost === null ? 'not known' : `$${grouped(cost, Number(cost) < 1 ? 6 : 2)}`;
}
