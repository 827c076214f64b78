import { isObject, numberOf, textOf } from '../../kernel/index.ts';
import type { ToolTimes } from './blocks.ts';
import type { DecisionTimes } from './step-summary.ts';

/** Returns the durations by tool from a `timing.json`. Empty if it is missing or damaged. */
export function toolTimes(timing: unknown): ToolTimes {
  if (!isObject(timing) || !isObject(timing.tools)) return {};
  const times: Record<string, ToolTimes[string]> = {};
  for (const [name, use] of Object.entries(timing.tools)) {
    if (!isObject(use)) continue;
    const [calls, p50, p95] = [use.calls, use.p50Milliseconds, use.p95Milliseconds].map(numberOf);
    if (calls === undefined || p50 === undefined || p95 === undefined) continue;
    times[name] = { calls, p50Milliseconds: p50, p95Milliseconds: p95 };
  }
  return times;
}

/**
 * Returns the duration of each decision from a `timing.json`, which contains `bar:milliseconds` pairs
 * separated by spaces. Empty if missing.
 */
export function decisionTimes(timing: unknown): DecisionTimes {
  const text = isObject(timing) ? textOf(timing.decisions) : '';
  const times = new Map<number, number>();
  for (const [, bar, milliseconds] of text.matchAll(/(\d+):(\d+(?:\.\d+)?)/g))
    times.set(Number(bar), Number(milliseconds));
  return times;
}
