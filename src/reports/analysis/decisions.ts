import type { RunRecord } from '../../journal/index.ts';
import { groupBy } from './group-by.ts';

/** How one tool was used in a run. */
interface ToolUse {
  readonly name: string;
  readonly calls: number;
  /** Calls whose result says `error`. */
  readonly errors: number;
}

/** What a run's decider did beside trading. */
export interface DecisionStatistics {
  readonly toolCalls: number;
  readonly toolErrors: number;
  /** Bars on which a tool was called. */
  readonly barsWithCalls: number;
  /** Bars on which an order was accepted. */
  readonly barsWithOrders: number;
  readonly orders: number;
  readonly refusals: number;
  /** By name. */
  readonly tools: readonly ToolUse[];
  /** Refusals by code, most frequent first. */
  readonly refusalCodes: readonly { readonly code: string; readonly count: number }[];
}

/** Counts tool use, orders and refusals. */
export function decisionStatistics(record: RunRecord): DecisionStatistics {
  const tools = groupBy(record.toolCalls, (call) => call.name);
  const codes = groupBy(record.rejections, (rejection) => rejection.code);
  const placed = record.orders.filter((order) => order.role === undefined);
  return {
    toolCalls: record.toolCalls.length,
    toolErrors: record.toolCalls.filter(failed).length,
    barsWithCalls: new Set(record.toolCalls.map((call) => call.bar)).size,
    barsWithOrders: new Set(placed.map((order) => order.bar)).size,
    orders: placed.length,
    refusals: record.rejections.length,
    tools: [...tools]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, calls]) => ({ name, calls: calls.length, errors: calls.filter(failed).length })),
    refusalCodes: [...codes]
      .map(([code, refused]) => ({ code, count: refused.length }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
  };
}

function failed({ result }: RunRecord['toolCalls'][number]): boolean {
  return typeof result === 'object' && result !== null && 'error' in result;
}
