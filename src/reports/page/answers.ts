import type { RunRecord } from '../../journal/index.ts';
import { decimal, decimalString } from '../../kernel/index.ts';
import { drawdownCurve } from '../drawdown.ts';
import type { EquityColumns } from '../equity.ts';
import type { Metrics } from '../metrics.ts';
import { modelUsage } from '../model-usage.ts';
import { amount, integer, percent, signedPercent } from './formats.ts';
import { type Html, html } from './html.ts';
import type { Reservation } from './reservations.ts';

/** What the answers are made from. */
export interface AnswerSource {
  readonly record: RunRecord;
  readonly metrics: Metrics;
  readonly columns: EquityColumns;
  /** Equity by bar of buying and holding; undefined where there is none. */
  readonly benchmark: Float64Array | undefined;
  /** What was bought and held, where it is not all the run's own symbols. */
  readonly benchmarkName: string | undefined;
  readonly initialCash: string;
  /** What a reader must know first. */
  readonly reservations: readonly Reservation[];
  /** Address of the trace; undefined where there is none beside the page. */
  readonly trace: string | undefined;
  readonly runId: string;
}

/** The five questions somebody comes with, answered in words before any figure. */
export function answers(source: AnswerSource): Html {
  const { metrics } = source;
  if (metrics.totalReturn.value === null)
    return html`<p class="verdict">No result: ${metrics.totalReturn.reason ?? ''}.</p>`;
  const entries: readonly (readonly [question: string, answer: Html])[] = [
    ['Did it make money after all costs?', moneyAnswer(source)],
    ['Compared with what?', benchmarkAnswer(source)],
    ['How bad did it get?', fallAnswer(source)],
    ['Why did it buy on that day?', reasonsAnswer(source)],
    ['Can I believe it?', beliefAnswer(source)],
  ];
  return html`<section id="answers" aria-label="In short"><dl class="answers">${entries.map(
    ([question, answer]) => html`<div><dt>${question}</dt><dd>${answer}</dd></div>`,
  )}</dl></section>`;
}

function moneyAnswer({ record, metrics, initialCash, columns }: AnswerSource): Html {
  const { totalReturn, finalEquity, cagr, returnBeforeCosts } = metrics;
  const change = totalReturn.value ?? 0;
  const costs = decimal(metrics.commission.value ?? 0).plus(metrics.slippage.value ?? 0);
  const yearly = cagr.value === null || metrics.underAYear ? '' : `, ${signedPercent(cagr.value)} a year`;
  const paid = costs.isZero()
    ? 'Trading cost nothing in it.'
    : `Commission and slippage of ${amount(decimalString(costs))} are paid in that; without them it would be ${signedPercent(returnBeforeCosts.value)}.`;
  // The model's tokens are paid beside the account; where nobody knows their price, that is said with the word.
  const kept = metrics.returnAfterModel.value ?? change;
  const usage = modelUsage(record, 0);
  const but =
    kept > 0 && usage !== null && usage.cost === null ? ', before what the model’s tokens cost' : '';
  const word = kept > 0 ? 'Yes' : kept < 0 ? 'No' : 'It made nothing and lost nothing';
  return html`<strong class="${kept > 0 ? 'good' : kept < 0 ? 'bad' : 'even'}">${word}${but}.</strong> ${amount(initialCash)} became ${amount(finalEquity.value ?? initialCash)}: ${signedPercent(change)}${yearly}, over ${spanText(columns)}. ${paid}${tokensText(usage, metrics)}`;
}

function tokensText(usage: ReturnType<typeof modelUsage>, metrics: Metrics): string {
  if (usage === null) return '';
  return usage.cost === null
    ? ' What the model’s tokens cost is not known, and not in it.'
    : ` The model’s tokens cost ${amount(usage.cost)} USD beside it: ${signedPercent(metrics.returnAfterModel.value)} after that.`;
}

function spanText({ times, dates }: EquityColumns): string {
  const days = Math.round((times.at(-1)! - times[0]!) / 86_400_000);
  const long =
    days >= 730 ? `${(days / 365.25).toFixed(1)} years` : `${integer(days)} ${days === 1 ? 'day' : 'days'}`;
  return `${long} to ${dates.at(-1) ?? ''}`;
}

function benchmarkAnswer({ metrics, benchmark, benchmarkName, columns, record }: AnswerSource): Html {
  if (benchmark === undefined)
    return html`There is nothing to compare with: ${metrics.benchmarkReturn.reason ?? 'the journal has no prices'}.`;
  const held = benchmark.at(-1)! / columns.initialCash.toNumber() - 1;
  const own = metrics.totalReturn.value ?? 0;
  const fall = drawdownCurve({ ...columns, equity: benchmark }).reduce(
    (low, value) => Math.min(low, value),
    0,
  );
  const ownFall = Math.abs(metrics.maxDrawdown.value ?? 0);
  const verdict = own > held ? 'Better than' : own < held ? 'Worse than' : 'The same as';
  const { symbols } = record.started;
  const what =
    benchmarkName ?? (symbols.length === 1 ? symbols[0]! : `all ${symbols.length} symbols in equal parts`);
  const fell = ownFall < Math.abs(fall) ? 'less' : ownFall > Math.abs(fall) ? 'more' : 'as much';
  return html`<strong class="${own > held ? 'good' : own < held ? 'bad' : 'even'}">${verdict} buying and holding.</strong> Buying and holding would have returned ${signedPercent(held)} on the same days with ${what}, before costs, and at worst have been ${percent(Math.abs(fall))} below its high. The strategy was in the market ${percent(metrics.timeInMarket.value, 0)} of the time and fell ${fell}.`;
}

function fallAnswer({ metrics }: AnswerSource): Html {
  const { deepestDrawdown: deepest, longestDrawdown: longest } = metrics;
  if (deepest === null) return html`It never fell below an earlier high.`;
  const back = deepest.recovered
    ? `It was back there on ${deepest.endDate}.`
    : 'It was not back there by the end.';
  const also =
    longest === null
      ? ''
      : ` The longest wait for a new high took ${integer(Math.round(longest.days))} days${longest.recovered ? '' : ', and was not over at the end'}.`;
  return html`At worst <strong>${percent(Math.abs(deepest.depth))} below its high</strong>, from ${deepest.peakDate} to ${deepest.troughDate}. ${back}${also}`;
}

const MOST_REASONS = 3;

function reasonsAnswer({ record, trace, runId }: AnswerSource): Html {
  const counts = new Map<string, number>();
  for (const { reason } of openingFills(record))
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_REASONS);
  const named =
    record.fills.length === 0
      ? 'It never traded.'
      : most.length === 0
        ? 'It gave no reasons when it opened positions.'
        : `When it opened a position it most often said ${most.map(([reason, count]) => `“${reason}” (${count} ×)`).join(', ')}.`;
  const where = record.fills.every(({ reason }) => reason === undefined)
    ? ''
    : html` Click a <a href="#trades-part">trade</a> or an arrow in the <a href="#prices">chart</a> to read why.`;
  const all =
    trace === undefined
      ? html`<span class="note">All that it saw and did on each day: <code>npx sandtable trace</code> with this run’s folder (${runId}) makes trace.html beside this page; <code>npx sandtable serve</code> shows both.</span>`
      : html`All that it saw and did on each day is in the <a href="${trace}">trace</a>.`;
  return html`${named}${where} ${all}`;
}

/** Fills that opened a position or added to one: why something ended is another question. */
function openingFills({ fills, splits }: RunRecord): RunRecord['fills'] {
  const held = new Map<string, number>();
  let split = 0;
  return fills.filter(({ bar, symbol, side, quantity }) => {
    for (; split < splits.length && splits[split]!.bar <= bar; split++)
      held.set(splits[split]!.symbol, Number(splits[split]!.quantityAfter));
    const before = held.get(symbol) ?? 0;
    const after = before + (side === 'buy' ? Number(quantity) : -Number(quantity));
    held.set(symbol, Math.abs(after) < 1e-9 ? 0 : after);
    return Math.abs(after) > Math.abs(before) || before * after < 0;
  });
}

const MOST_SHOWN = 3;

function beliefAnswer({ reservations: all, record }: AnswerSource): Html {
  const reservations = all.filter(({ isSmall }) => !isSmall);
  const isUsual = record.started.sealed && (record.started.stamps ?? []).length === 0;
  const how = isUsual
    ? 'Each decision saw only bars that had closed and traded on a later one; data, strategy and versions are named by their hashes.'
    : '';
  const known = reservations.length - MOST_SHOWN;
  const more =
    known <= 0
      ? ''
      : html` <a href="#provenance">${known === 1 ? 'One thing more' : `${known} things more`} to know</a>.`;
  if (reservations.length === 0)
    return html`<strong>Nothing in the run speaks against it</strong>, though one run cannot tell how it goes on. ${how} <a href="#provenance">What the run was made of</a>.`;
  return html`<strong>With reservations.</strong> ${reservations
    .slice(0, MOST_SHOWN)
    .map(({ text }) => text)
    .join(' ')}${more} ${how}`;
}
