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
    /** What each role took, in the order of the strategy's file; left out for a strategy of one prompt. */
    roles: z
      .array(
        z.strictObject({
          role: z.string(),
          model: z.string(),
          /** How often it spoke, and by how that ended. */
          turns: count,
          outcomes: z.record(z.string(), count),
          ...shareSchema.shape,
        }),
      )
      .exactOptional(),
    /** Requests whose tokens we counted ourselves, since the server told none; left out where there are none. */
    estimatedRequests: count.exactOptional(),
    /** Who answered, where that changed within the run: name and fingerprint as the server gave them, and how often. */
    servedBy: z
      .array(z.strictObject({ model: z.string(), fingerprint: z.string(), firstBar: count, requests: count }))
      .exactOptional(),
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
  const { models, exchanges, decisions } = record;
  const [model] = models;
  if (model === undefined) return null;
  const outcomes = outcomesOf(decisions);
  const tables = models.map(tableOf);
  // Of several roles the cost is known where that of each is.
  const table = tables.includes(null) ? null : [...new Set(tables)].join(', ');
  const roles = rolesOf(record);
  const estimated = exchanges.filter(({ usage }) => usage?.estimated === true).length;
  const servers = changedServers(record);
  return {
    model: [...new Set(models.map((one) => one.model))].join(', '),
    provider: [...new Set(models.map((one) => one.provider))].join(', '),
    api: model.api,
    prices: table,
    decisions: decisions.length,
    outcomes,
    failedRequests: exchanges.filter(({ failure }) => failure !== undefined).length,
    ...(roles.length === 0 ? {} : { roles }),
    ...(estimated === 0 ? {} : { estimatedRequests: estimated }),
    ...(servers.length === 0 ? {} : { servedBy: servers }),
    ...shareOf(exchanges, table),
    incurred: shareOf(exchanges.slice(replayed), table),
    replayed: shareOf(exchanges.slice(0, replayed), table),
  };
}

type RoleUsage = NonNullable<NonNullable<ModelUsage>['roles']>[number];

function rolesOf({ models, exchanges, speeches }: RunRecord): RoleUsage[] {
  return models.flatMap((configured): RoleUsage[] => {
    const { role, model } = configured;
    if (role === undefined) return [];
    const own = speeches.filter((speech) => speech.role === role);
    return [
      {
        role,
        model,
        turns: own.length,
        outcomes: outcomesOf(own),
        ...shareOf(
          exchanges.filter((exchange) => exchange.role === role),
          tableOf(configured),
        ),
      },
    ];
  });
}

/** How often what ended otherwise than with an answer did so; empty where nothing did. */
function endsText(outcomes: Readonly<Record<string, number>>): string {
  const others = Object.entries(outcomes)
    .filter(([outcome]) => outcome !== 'answered')
    .map(([outcome, times]) => {
      const name = outcome === 'held' ? 'not reached' : outcome.replaceAll('_', ' ');
      return `${grouped(times, 0)} ${name}`;
    });
  return others.length === 0 ? '' : ` (${others.join(', ')})`;
}

function outcomesOf(ended: readonly { readonly outcome: string }[]): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const { outcome } of ended) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return outcomes;
}

function tableOf({ price }: EventOf<'model_configured'>): string | null {
  return typeof price === 'object' && price !== null && 'table' in price ? String(price.table) : null;
}

type Server = NonNullable<NonNullable<ModelUsage>['servedBy']>[number];

/** Those who answered for a model that is not always the same; roles of several models are no change. */
function changedServers({ models, exchanges }: RunRecord): Server[] {
  const names = new Map(models.map(({ role, model }) => [role, model]));
  return [...new Set(names.values())].flatMap((name) => {
    const servers = serversOf(exchanges.filter(({ role }) => names.get(role) === name));
    return servers.length < 2 ? [] : servers;
  });
}

function serversOf(exchanges: readonly EventOf<'model_called'>[]): Server[] {
  const servers = new Map<string, Server>();
  for (const { served, bar } of exchanges) {
    if (served === undefined) continue;
    const { model = '', fingerprint = '' } = served;
    const key = JSON.stringify([model, fingerprint]);
    const known = servers.get(key) ?? { model, fingerprint, firstBar: bar, requests: 0 };
    servers.set(key, { ...known, requests: known.requests + 1 });
  }
  return [...servers.values()];
}

function shareOf(exchanges: readonly EventOf<'model_called'>[], prices: string | null): Share {
  const sum = (kind: Exclude<keyof TokenUsage, 'estimated'>): number =>
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
  const textCalls = usage.outcomes.text_tool_calls ?? 0;
  const failed = usage.failedRequests === 0 ? '' : `, ${number(usage.failedRequests)} of them failed`;
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
  const estimated =
    usage.estimatedRequests === undefined
      ? ''
      : `; estimated for ${number(usage.estimatedRequests)} of ${number(usage.requests)} requests, whose server told none`;
  const after =
    returnAfter === null || Number(usage.cost) === 0 ? '' : `; return after it ${percentage(returnAfter)}`;
  return [
    [
      'Model',
      `${usage.model}: ${number(usage.decisions)} decisions${endsText(usage.outcomes)}, ${number(usage.requests)} requests${failed}`,
    ],
    ['Tokens', `${tokens.join(', ')}${estimated}`],
    ...(usage.roles ?? []).map(
      ({ role, model, turns, outcomes, requests, cost }) =>
        [
          `  ${role}`,
          `${model}: ${number(turns)} turns${endsText(outcomes)}, ${number(requests)} requests${cost === null ? '' : `, ${dollars(cost)}`}`,
        ] as const,
    ),
    ...(usage.servedBy === undefined ? [] : [['Answered by', serversText(usage.servedBy)] as const]),
    ...(textCalls === 0 ? [] : [['Warning', textCallsText(textCalls)] as const]),
    [
      'Cost',
      `${dollars(usage.cost)}${usage.cost === null ? ': no price for this model' : ''}${replayed}${after}`,
    ],
  ];
}

function serversText(servers: readonly Server[]): string {
  const named = servers.map(({ model, fingerprint, firstBar, requests }) => {
    const name = [model, fingerprint].filter((part) => part !== '').join(' ');
    return `${name} (${grouped(requests, 0)} requests from bar ${grouped(firstBar, 0)})`;
  });
  return `${named.join(', ')}: the model changed within the run`;
}

function textCallsText(times: number): string {
  return `${grouped(times, 0)} decisions ended with tool calls written as text, which were not made; text_tool_calls: true makes them`;
}

function dollars(cost: string | null): string {
  return cost === null ? 'not known' : `$${grouped(cost, Number(cost) < 1 ? 6 : 2)}`;
}
