import { z } from 'zod';
import type { RunRecord } from '../../../journal/index.ts';
import { decimal, decimalString, grouped } from '../../../kernel/index.ts';
import { groupBy } from '../alarms/order-alarms.ts';
import { mean } from '../figures/figures.ts';
import { dollars } from '../series/dollars.ts';

const count = z.number().int().min(0);

/** Statistics of the decisions, orders and tool calls of a run. */
export const decisionStatisticsSchema = z.strictObject({
  /** Number of accepted orders, without stop-loss and take-profit orders that the broker created. */
  orders: count,
  /** Number of bars on which an order was accepted. */
  barsWithOrders: count,
  /** Number of bars on which a tool was called. */
  barsWithCalls: count,
  /** Number of tool calls whose result contains `error`. */
  toolErrors: count,
  /** Number of calls and errors by tool name. */
  tools: z.record(z.string(), z.strictObject({ calls: count, errors: count })),
  /** Number of rejected orders by error code, most frequent first. */
  refusals: z.record(z.string(), count),
  /** Number of decisions of a model or an agent. 0 for other strategies. */
  decisions: count,
  /** Mean over all decisions: number of model requests that received a reply. `null` without decisions. */
  meanRounds: z.number().nullable(),
  maxRounds: count.nullable(),
  /**
   * Number of decisions to hold, by reason, most frequent first. A decision counts as a hold if it has no
   * accepted order, or if a role of the strategy vetoed its orders.
   */
  holds: z.record(z.string(), count),
  /** Usage reported by an external agent. Absent without such a report. */
  agentSaid: z
    .strictObject({
      inputTokens: count,
      /** Cached tokens, included in `inputTokens`. */
      cachedTokens: count,
      outputTokens: count,
      /**
       * Sum of reported costs in US dollars. `decisionsWithCost` is the number of decisions that report a
       * cost.
       */
      cost: z.string(),
      decisionsWithCost: count,
    })
    .exactOptional(),
});
export type DecisionStatistics = z.infer<typeof decisionStatisticsSchema>;

/** Counts tool calls, orders and rejected orders, and summarises the model's decisions. */
export function decisionStatistics(record: RunRecord): DecisionStatistics {
  const tools = groupBy(record.toolCalls, (call) => call.name);
  const placed = record.orders.filter((order) => order.role === undefined);
  const ordered = new Set(placed.map((order) => order.bar));
  const refused = new Set(record.rejections.map(({ bar }) => bar));
  const rounds = record.decisions.map((decision) => decision.rounds);
  const holds = record.decisions
    // Vetoed orders were accepted and then cancelled. A vetoed decision therefore counts as a hold although
    // its bar has orders.
    .filter(({ bar, outcome }) => outcome === 'vetoed' || !ordered.has(bar))
    .map(({ bar, outcome }) =>
      outcome !== 'answered' ? outcome : refused.has(bar) ? 'orders_refused' : 'by_choice',
    );
  return {
    orders: placed.length,
    barsWithOrders: ordered.size,
    barsWithCalls: new Set(record.toolCalls.map((call) => call.bar)).size,
    toolErrors: record.toolCalls.filter(failed).length,
    tools: Object.fromEntries(
      [...tools]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, calls]) => [name, { calls: calls.length, errors: calls.filter(failed).length }]),
    ),
    refusals: counted(record.rejections.map(({ code }) => code)),
    decisions: rounds.length,
    meanRounds: rounds.length === 0 ? null : mean(rounds),
    maxRounds: rounds.length === 0 ? null : rounds.reduce((most, one) => Math.max(most, one)),
    holds: counted(holds),
    ...agentSaid(record),
  };
}

function agentSaid({ models, decisions }: RunRecord): Pick<DecisionStatistics, 'agentSaid'> {
  if (models.length > 0) return {};
  const costs = decisions.flatMap(({ cost }) => cost ?? []);
  const sum = (kind: 'input' | 'cached' | 'output'): number =>
    decisions.reduce((total, { usage }) => total + usage[kind], 0);
  const [inputTokens, cachedTokens, outputTokens] = [sum('input'), sum('cached'), sum('output')];
  if (costs.length === 0 && inputTokens + outputTokens === 0) return {};
  const cost = decimalString(costs.reduce((total, one) => total.plus(one), decimal(0)));
  return { agentSaid: { inputTokens, cachedTokens, outputTokens, cost, decisionsWithCost: costs.length } };
}

function failed({ result }: RunRecord['toolCalls'][number]): boolean {
  return typeof result === 'object' && result !== null && 'error' in result;
}

/** Returns the number of occurrences of each word, most frequent first. */
function counted(words: readonly string[]): Record<string, number> {
  const groups = [...groupBy(words, (word) => word)].map(([word, same]) => [word, same.length] as const);
  return Object.fromEntries(
    groups.sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1)),
  );
}

/** Returns the display name of a kind of hold. */
export function holdName(kind: string): string {
  return HOLD_NAMES[kind] ?? kind.replaceAll('_', ' ');
}

const HOLD_NAMES: Readonly<Record<string, string>> = {
  by_choice: 'by its own choice',
  orders_refused: 'all its orders were refused',
  refused: 'the model refused to answer',
  empty: 'empty reply',
  cut: 'reply cut short',
  filtered: 'reply filtered by the provider',
  rounds_exhausted: 'no rounds left',
  text_tool_calls: 'tool calls came as text',
  vetoed: 'vetoed by another role',
  malformed_answer: 'answer not in the requested form',
  budget: 'budget of the decision used up',
  held: 'the model could not be reached',
};

/** Returns the lines of the terminal summary about decisions, each with its label. */
export function decisionLines(statistics: DecisionStatistics): readonly (readonly [string, string])[] {
  const { decisions, meanRounds, maxRounds, holds, agentSaid } = statistics;
  if (decisions === 0 || meanRounds === null) return [];
  const held = Object.values(holds).reduce((sum, times) => sum + times, 0);
  const kinds = Object.entries(holds).map(([kind, times]) => `${times} ${holdName(kind)}`);
  return [
    [
      'Decisions',
      `${decisions - held} with orders, ${held} held${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}; ${meanRounds.toFixed(2)} rounds on average, ${maxRounds} at most`,
    ],
    ...(agentSaid === undefined ? [] : [['Agent said', agentSaidText(agentSaid, decisions)] as const]),
  ];
}

function agentSaidText(
  { inputTokens, outputTokens, cost, decisionsWithCost }: NonNullable<DecisionStatistics['agentSaid']>,
  decisions: number,
): string {
  const tokens = `${grouped(inputTokens, 0)} tokens in, ${grouped(outputTokens, 0)} out`;
  if (decisionsWithCost === 0) return `${tokens}, nothing of its cost`;
  const some = decisionsWithCost === decisions ? '' : ` for ${decisionsWithCost} of ${decisions} decisions`;
  return `${tokens}, ${dollars(cost)}${some}`;
}
