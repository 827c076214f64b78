import type { RunRecord } from '../../journal/index.ts';
import {
  type Alarm,
  decisionStatistics,
  holdName,
  modelUsage,
  type SpineRow,
  VERDICT_WORDS,
  type Verdict,
} from '../../results/analysis/index.ts';
import type { Timing } from '../../results/runs/index.ts';
import { integer, ratio } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { readableDate, signedPoints } from '../shared/number-formats.ts';
import { table } from './figure-table.ts';
import { spineTable } from './model/tiles.ts';

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

/**
 * Returns the head of a report: the verdict with its reason and interval, the alarms, and the error of a
 * failed run.
 */
export function verdictPart(
  { state, because, interval }: Verdict,
  alarms: readonly Alarm[],
  record: RunRecord,
): Html {
  const list =
    alarms.length === 0
      ? ''
      : html`<ul class="alarms">${alarms.map(({ problem, meaning, nextStep }) => html`<li><b>${problem}</b> ${meaning} ${nextStep}</li>`)}</ul>`;
  return html`<div class="judgement" id="verdict" role="note" aria-label="Verdict" data-state="${state}"><strong>${VERDICT_WORDS[state]}</strong>${because.map((line) => html`<p>${line}</p>`)}${failure(record)}${interval === undefined ? '' : intervalPicture(interval)}${list}</div>`;
}

function failure({ error, outcome, bars }: RunRecord): Html | string {
  if (error === undefined || outcome === 'completed') return '';
  const last = bars.at(-1);
  const when =
    last === undefined ? 'before its first bar ended' : `after ${readableDate(last.date)} (bar ${last.bar})`;
  return html`<p class="failure"><b>Why it ended:</b> ${error.message} <small>${error.code}, ${when}</small></p>`;
}

const WIDTH = 420;
const HEIGHT = 44;
/** Half of the width of a label. */
const EDGE = 40;

/** Draws the verdict's interval on a line with zero. */
function intervalPicture({ estimate, low, high, confidence }: NonNullable<Verdict['interval']>): Html {
  const reach = Math.max(Math.abs(low), Math.abs(high)) * 1.15 || 0.01;
  const x = (value: number): string => ((value / reach + 1) * (WIDTH / 2)).toFixed(1);
  const label = `Mean annualised return less that of the benchmark at equal volatility: ${signedPoints(estimate)}, ${confidence * 100}% interval ${signedPoints(low)} to ${signedPoints(high)}`;
  // A centred label at the edge would be cut off.
  const mark = (value: number): Html => {
    const anchor = Number(x(value)) < EDGE ? 'start' : Number(x(value)) > WIDTH - EDGE ? 'end' : 'middle';
    return html`<text x="${anchor === 'start' ? 0 : anchor === 'end' ? WIDTH : x(value)}" y="38" text-anchor="${anchor}">${signedPoints(value)}</text>`;
  };
  return html`<svg class="interval" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><path class="zero" d="M${WIDTH / 2} 2V26"/><path class="bounds" d="M${x(low)} 14H${x(high)}"/><circle cx="${x(estimate)}" cy="14" r="6"/>${mark(low)}${mark(high)}</svg>`;
}

/** Returns the comparison table with its notes. */
export function spinePart(
  rows: readonly SpineRow[],
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
  return html`<section id="spine" aria-labelledby="spine-title"><div class="part-head"><h2 id="spine-title">Against its benchmark</h2></div><div class="frame" tabindex="0" role="group" aria-label="The run beside its benchmark" id="spine-table">${spineTable(rows, { benchmark, isJudged })}</div><p class="note">${said.join(' ')}</p></section>`;
}
