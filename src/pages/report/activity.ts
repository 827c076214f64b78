import { decisionStatistics, holdName, modelUsage } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { Timing } from '../../runs/index.ts';
import { integer, ratio } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { table } from './sections.ts';

/**
 * Returns the section about activity other than trading: tool calls, rejections and the decisions of a model.
 */
export function activityTables(record: RunRecord, timing: Timing | undefined): Html {
  const found = decisionStatistics(record);
  const tools = Object.entries(found.tools);
  const calls = tools.reduce((sum, [, use]) => sum + use.calls, 0);
  const refusals = Object.entries(found.refusals);
  const refused = refusals.reduce((sum, [, times]) => sum + times, 0);
  const used =
    calls === 0
      ? 'No tool was called.'
      : `Tools were called ${integer(calls)} times on ${integer(found.barsWithCalls)} bars; ${integer(found.toolErrors)} calls answered with an error.`;
  const facts = html`<p>${integer(found.orders)} orders were accepted on ${integer(found.barsWithOrders)} of ${integer(record.bars.length)} bars and ${integer(refused)} refused. ${used}</p>`;
  const shown = [
    listed('Decisions', ['Decisions', ''], decisionRows(record)),
    listed(
      'Decisions without an order',
      ['Held because', 'Times'],
      Object.entries(found.holds).map(([kind, times]) => [holdName(kind), integer(times)]),
    ),
    listed('Tokens', ['Tokens', ''], tokenRows(record)),
    listed(
      'Tool use',
      ['Tool', 'Calls', 'Errors'],
      tools.map(([name, use]) => [name, integer(use.calls), integer(use.errors)]),
    ),
    listed(
      'Refusals',
      ['Refused because', 'Times'],
      refusals.map(([code, times]) => [code, integer(times)]),
    ),
    listed('Latency', ['Milliseconds', 'Measured', 'Median', '95%'], latencyRows(timing)),
  ].filter((part) => part !== undefined);
  const note =
    latencyRows(timing).length === 0
      ? ''
      : html`<p class="note">Latency is from timing.json: what the clock of that machine said of the last process at work on this run. It is no part of the journal.</p>`;
  return html`${facts}<div class="columns">${shown}</div>${note}`;
}

function listed(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Content[])[],
): Html | undefined {
  return rows.length === 0 ? undefined : table(caption, head, rows);
}

function decisionRows(record: RunRecord): Content[][] {
  const { decisions, meanRounds, maxRounds, holds } = decisionStatistics(record);
  if (decisions === 0) return [];
  const held = Object.values(holds).reduce((sum, times) => sum + times, 0);
  return [
    ['In all', integer(decisions)],
    ['With an order', integer(decisions - held)],
    ['Rounds, on average', ratio(meanRounds)],
    ['Rounds, at most', integer(maxRounds)],
  ];
}

function tokenRows(record: RunRecord): Content[][] {
  const usage = modelUsage(record, 0);
  if (usage === null) return [];
  return [
    ['Into the model', integer(usage.inputTokens)],
    ['of them cached', integer(usage.cachedTokens)],
    ['Out of it', integer(usage.outputTokens)],
    ['of them reasoning', integer(usage.reasoningTokens)],
    ['Cost in US dollars', usage.cost === null ? 'unknown' : usage.cost],
    ...(usage.roles ?? []).map(({ role, model, turns, cost }) => [
      `of it ${role} (${model}, ${integer(turns)} turns)`,
      cost ?? 'unknown',
    ]),
  ];
}

function latencyRows(timing: Timing | undefined): Content[][] {
  if (timing === undefined) return [];
  const row = (name: string, use: Timing['tools'][string]): Content[] => [
    name,
    integer(use.calls),
    ratio(use.p50Milliseconds, 1),
    ratio(use.p95Milliseconds, 1),
  ];
  return [
    ...(timing.model === undefined ? [] : [row('the model', timing.model)]),
    ...Object.entries(timing.tools).map(([name, use]) => row(name, use)),
  ];
}
