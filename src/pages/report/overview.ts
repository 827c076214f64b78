import { type Alarm, type SpineRow, VERDICT_WORDS, type Verdict } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { type Html, html } from '../shared/html.ts';
import { readableDate, signedPoints } from '../shared/number-formats.ts';
import { spineTable } from './model/spine-table.ts';

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
