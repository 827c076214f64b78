import type { RunRecord } from '../../journal/index.ts';
import {
  type Alarm,
  type BenchmarkRow,
  decisionStatistics,
  holdName,
  modelUsage,
  VERDICT_WORDS,
  type Verdict,
} from '../../results/analysis/index.ts';
import type { Timing } from '../../results/runs/index.ts';
import { integer, ratio, readableDate } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { table } from './figure-table.ts';
import { benchmarkTableHtml } from './model/tiles.ts';

/** Returns the section about activity other than trading: tool calls, rejections and decisions of a model. */
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

/** Returns the verdict of a run with its reasons, the error of a failed run, and the alarms. */
export function verdictPart({ state, because }: Verdict, alarms: readonly Alarm[], record: RunRecord): Html {
  return html`<div class="judgement" id="verdict" role="note" aria-label="Verdict" data-state="${state}"><strong>${VERDICT_WORDS[state]}</strong>${because.map((line) => html`<p>${line}</p>`)}${failure(record)}${alarmLines(alarms)}</div>`;
}

/**
 * Returns all alarms as an expandable element. When collapsed, it shows their number and the first problem.
 */
function alarmLines(alarms: readonly Alarm[]): Html | string {
  const [first, ...others] = alarms;
  if (first === undefined) return '';
  const count = alarms.length === 1 ? 'Alarm' : `${alarms.length} alarms`;
  const more =
    others.length === 0 ? '' : html` <span>${others.map(({ problem }) => problem).join(' ')}</span>`;
  return html`<details class="warnings"><summary><b>${count}:</b> ${first.problem}${more}</summary><ul class="alarms">${alarms.map(({ problem, meaning, nextStep }) => html`<li><b>${problem}</b> ${meaning} ${nextStep}</li>`)}</ul></details>`;
}

function failure({ error, outcome, bars }: RunRecord): Html | string {
  if (error === undefined || outcome === 'completed') return '';
  const last = bars.at(-1);
  const when =
    last === undefined ? 'before its first bar ended' : `after ${readableDate(last.date)} (bar ${last.bar})`;
  return html`<p class="failure bad"><b>Why it ended:</b> ${error.message} <small>${error.code}, ${when}</small></p>`;
}

/** Returns the table that compares the run with its benchmark, and the notes below it. */
export function benchmarkPart(
  rows: readonly BenchmarkRow[],
  benchmark: string,
  isJudged: boolean,
  notes: readonly string[],
): Html {
  const said = [
    `Benchmark: ${benchmark}.`,
    'Differences are to the benchmark at equal volatility (†: as it is).',
    isJudged
      ? 'Coloured is what the 95% interval supports; intervals are of session returns, resampled in blocks.'
      : 'Nothing is coloured: the verdict does not allow to call a difference better or worse.',
    ...notes,
  ];
  return html`<section id="spine" aria-labelledby="spine-title"><div class="part-head"><h2 id="spine-title">Comparison with the benchmark</h2></div><div class="frame" tabindex="0" role="group" aria-label="Comparison with the benchmark" id="spine-table">${benchmarkTableHtml(rows, { benchmark, isJudged })}</div><p class="note">${said.join(' ')}</p></section>`;
}
