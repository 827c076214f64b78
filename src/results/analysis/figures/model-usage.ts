import { z } from 'zod';
import type { TokenUsage } from '../../../engine/index.ts';
import type { EventOf, RunRecord } from '../../../journal/index.ts';
import { type Decimal, decimal, decimalString, grouped, percentage } from '../../../kernel/index.ts';
import { dollars } from '../series/dollars.ts';

const count = z.number().int().min(0);
const money = z.string().regex(/^\d+(\.\d+)?$/, 'must be an amount as a decimal string');

const shareSchema = z.strictObject({
  /** Number of requests, including failed requests. */
  requests: count,
  inputTokens: count,
  /** Cached tokens, included in `inputTokens`. */
  cachedTokens: count,
  outputTokens: count,
  /** Reasoning tokens, included in `outputTokens`. */
  reasoningTokens: count,
  /** Cost in US dollars. `null` if the price or the tokens of a reply are unknown. */
  cost: money.nullable(),
});

type Share = z.infer<typeof shareSchema>;

/** Requests to a run's model and their cost. `null` for a run without a model. */
export const modelUsageSchema = z
  .strictObject({
    model: z.string(),
    provider: z.string(),
    api: z.string(),
    /** Name of the price table that determines the cost. `null` if the price is unknown. */
    prices: z.string().nullable(),
    decisions: count,
    /** Number of decisions by outcome. */
    outcomes: z.record(z.string(), count),
    failedRequests: count,
    /**
     * Usage by role, in the order of the strategy's file. Roles are the parts of a strategy that call a model
     * separately. Absent for a strategy without roles.
     */
    roles: z
      .array(
        z.strictObject({
          role: z.string(),
          model: z.string(),
          /**
           * Number of steps, that is, times at which the role worked. `outcomes` is the number of steps by
           * outcome.
           */
          turns: count,
          outcomes: z.record(z.string(), count),
          ...shareSchema.shape,
        }),
      )
      .exactOptional(),
    /** Number of requests whose tokens are estimated, because the server reported no tokens. Absent if 0. */
    estimatedRequests: count.exactOptional(),
    /**
     * Models that answered, as reported by the server. Present only if the name or fingerprint of a model
     * changed within the run.
     */
    servedBy: z
      .array(z.strictObject({ model: z.string(), fingerprint: z.string(), firstBar: count, requests: count }))
      .exactOptional(),
    /** Usage of the whole run, across all processes. */
    ...shareSchema.shape,
    /** Usage of requests sent by this process. */
    incurred: shareSchema,
    /** Usage of requests whose recorded replies this process used instead of sending the requests. */
    replayed: shareSchema,
  })
  .nullable();

export type ModelUsage = z.infer<typeof modelUsageSchema>;

/**
 * Returns the usage of a run's models.
 *
 * @param replayed number of exchanges (model requests with replies) at the beginning of the journal that this
 *   process replayed instead of sending them
 */
export function modelUsage(record: RunRecord, replayed: number): ModelUsage {
  const { models, exchanges, decisions } = record;
  const [model] = models;
  if (model === undefined) return null;
  const outcomes = outcomesOf(decisions);
  const tables = models.map(tableOf);
  // The total has a known price table only if the model of every role has one.
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

/**
 * Returns a text that lists the outcomes other than `answered` with their counts. Empty without such
 * outcomes.
 */
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

/**
 * Returns the models that the server reported, if they changed within the run. Different models in different
 * roles do not count as a change.
 */
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
  // If the price is known, a failed request without reported tokens counts as free. The total is unknown if
  // any other request has no cost.
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
 * Returns the lines of the terminal summary about the model, each with its label.
 *
 * @param returnAfter total return after deducting the cost of the model's tokens, as a fraction. `null` if
 *   unknown
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
      : `; estimated for ${number(usage.estimatedRequests)} of ${number(usage.requests)} requests whose server reported no usage`;
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
