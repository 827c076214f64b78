import { isJsonObject } from '../../../engine/index.ts';
import { capacityOf, costMultiples, modelUsage } from '../../../results/analysis/index.ts';
import { dollars, quantileOf } from '../../../results/analysis/series/index.ts';
import { amount, integer, percent, ratio } from '../../shared/formats.ts';
import { type Html, html } from '../../shared/html.ts';
import { openingReasons } from '../key-facts.ts';
import { roughAmount } from '../model/costs.ts';
import type { TradeRow } from '../model/page-data.ts';
import { tradesIn, wholeRange } from '../model/range.ts';
import { tradeSums } from '../model/tiles.ts';
import {
  beaten,
  distribution,
  exposure,
  origin,
  regimes,
  riskAdjusted,
  rolling,
  type SummaryLine,
  type SummaryLineSource,
  worst,
} from './performance-lines.ts';

function costs({ metrics, record }: SummaryLineSource): SummaryLine {
  const found = costMultiples(metrics.costSteps);
  const paid = Number(metrics.commission.value ?? 0) + Number(metrics.slippage.value ?? 0);
  const even = found?.breakEven;
  const detail =
    record.fills.length === 0
      ? 'nothing was traded'
      : paid === 0
        ? 'neither commission nor slippage was set'
        : even === null || even === undefined
          ? 'there was no gain before them'
          : `nothing is left at ${ratio(even)} times that`;
  return { label: 'Trading costs', at: 'costs', value: amount(paid), detail };
}

function capacity({ counted }: SummaryLineSource): SummaryLine {
  const found = capacityOf(counted);
  const shared = { label: 'Capacity', at: 'capacity' };
  if ('reason' in found) return { ...shared, value: 'Not known', detail: found.reason };
  const [first] = found.steps;
  return {
    ...shared,
    value: roughAmount(first?.usual ?? 0),
    detail: `of initial cash, until fills take ${percent(first?.participation, 0)} of the volume`,
  };
}

function trades({ data }: SummaryLineSource): SummaryLine {
  const rows = tradesIn(data, wholeRange(data));
  const { best, worst: least, closed, winRate } = tradeSums(rows);
  const shared = { label: 'Best and worst trade', at: 'trades-part' };
  if (best === undefined || least === undefined)
    return {
      ...shared,
      value: 'None was closed',
      detail: rows.length === 0 ? '' : `${rows.length} open`,
    };
  const link = (row: TradeRow): Html =>
    html`<a href="#trades-part" data-open-trade="${row.id}">${amount(row.net)}</a>`;
  const middle = (values: readonly (number | null)[]): string => {
    const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
    return percent(sorted.length === 0 ? null : quantileOf(sorted, 0.5), 1);
  };
  const excursions = `median MAE ${middle(rows.map(({ adverse }) => adverse))}, MFE ${middle(rows.map(({ favourable }) => favourable))}`;
  return {
    ...shared,
    value: closed === 1 ? link(best) : html`${link(best)} and ${link(least)}`,
    detail:
      closed === 1
        ? `the only one; ${excursions}`
        : `${percent(winRate, 0)} of ${integer(closed)} won; ${excursions}`,
  };
}

/** Maximum number of parameters named in the line. */
const MOST_NAMED = 6;

function parameters({ record }: SummaryLineSource): SummaryLine {
  const { parameters: own } = record.started.strategy;
  const all = isJsonObject(own) ? Object.entries(own) : [];
  const named = all
    .slice(0, MOST_NAMED)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  const text = `${named}${more}`;
  return {
    label: 'Parameters',
    at: 'provenance',
    value: all.length === 0 ? 'None' : '',
    detail: text.length > 120 ? `${text.slice(0, 120)} …` : text,
  };
}

function why({ record }: SummaryLineSource): SummaryLine {
  const [first] = openingReasons(record);
  return {
    label: 'Reasons for trades',
    at: 'trades-part',
    value:
      record.fills.length === 0
        ? 'It never traded'
        : first === undefined
          ? 'No reasons given'
          : `“${first[0]}”`,
    detail: first === undefined ? '' : `${integer(first[1])} ×; choose a trade to read its own`,
  };
}

function model({ record }: SummaryLineSource): SummaryLine | undefined {
  const usage = modelUsage(record, 0);
  if (usage === null) return undefined;
  return {
    label: 'Model cost',
    at: 'decisions',
    value: dollars(usage.cost, 'Not known'),
    detail: `${integer(usage.inputTokens)} tokens in, ${integer(usage.outputTokens)} out`,
  };
}

function sure({ metrics, data }: SummaryLineSource): SummaryLine {
  const { psr, tradeCount, sessions } = metrics;
  const closed = tradeCount.value ?? 0;
  return {
    label: 'Confidence',
    at: 'luck',
    value: psr.value === null ? 'Not known' : percent(psr.value, 0),
    detail:
      psr.value === null
        ? (psr.reason ?? '')
        : `that Sharpe is above 0: ${integer(closed)} ${closed === 1 ? 'trade' : 'trades'}, ${integer(sessions)} ${data.terms.intraday ? 'days' : 'bars'}`,
  };
}

function overfit({ luck: { trials, dsr } }: SummaryLineSource): SummaryLine {
  const count = trials?.trials ?? 0;
  return {
    label: 'Overfitting',
    at: 'luck',
    value: dsr.value === null ? (count < 2 ? 'Not tested' : 'Not known') : percent(dsr.value, 0),
    detail:
      dsr.value === null
        ? count < 2
          ? 'no other parameters were tried'
          : (dsr.reason ?? '')
        : `deflated Sharpe ratio after ${integer(count)} trials`,
  };
}

/**
 * Returns the summary of the whole run. Each line has a label, a short answer and a link to the part of the
 * page with details.
 */
export function summaryLines(source: SummaryLineSource): Html {
  if (source.metrics.totalReturn.value === null) return html``;
  const rows = [
    beaten(source),
    riskAdjusted(source),
    worst(source),
    origin(source),
    rolling(source),
    distribution(source),
    exposure(source),
    costs(source),
    capacity(source),
    trades(source),
    regimes(source),
    parameters(source),
    why(source),
    model(source),
    sure(source),
    overfit(source),
  ].filter((row) => row !== undefined);
  return html`<section id="questions" aria-labelledby="questions-title"><h2 id="questions-title" class="of-whole">Summary</h2><dl class="questions">${rows.map(
    ({ label, at, value, detail, tone = '' }) =>
      html`<div><dt><a href="#${at}">${label}</a></dt><dd><strong class="${tone}">${value}</strong> <span>${detail}</span></dd></div>`,
  )}</dl></section>`;
}
