import { isJsonObject } from '../../../engine/index.ts';
import { capacityOf, costMultiples, modelUsage } from '../../../results/analysis/index.ts';
import { amount, integer, percent, ratio } from '../../shared/formats.ts';
import { type Html, html } from '../../shared/html.ts';
import { openingReasons } from '../answers.ts';
import { roughAmount } from '../model/costs.ts';
import type { TradeRow } from '../model/page-data.ts';
import { tradesIn, wholeRange } from '../model/range.ts';
import { tradeSums } from '../model/tiles.ts';
import {
  beaten,
  distribution,
  exposure,
  origin,
  type QuestionSource,
  regimes,
  riskAdjusted,
  rolling,
  type Short,
  worst,
} from './of-performance.ts';

function costs({ metrics, record }: QuestionSource): Short {
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
  return { question: 'What did trading cost?', at: 'costs', answer: amount(paid), detail };
}

function capacity({ counted }: QuestionSource): Short {
  const found = capacityOf(counted);
  const shared = { question: 'Room for more money?', at: 'capacity' };
  if ('reason' in found) return { ...shared, answer: 'Not known', detail: found.reason };
  const [first] = found.steps;
  return {
    ...shared,
    answer: roughAmount(first?.usual ?? 0),
    detail: `of initial cash, until fills take ${percent(first?.participation, 0)} of the volume`,
  };
}

function trades({ data }: QuestionSource): Short {
  const rows = tradesIn(data, wholeRange(data));
  const { best, worst: least, closed, winRate } = tradeSums(rows);
  const shared = { question: 'Best and worst trade?', at: 'trades-part' };
  if (best === undefined || least === undefined)
    return {
      ...shared,
      answer: 'None was closed',
      detail: rows.length === 0 ? '' : `${rows.length} open`,
    };
  const link = (row: TradeRow): Html =>
    html`<a href="#trades-part" data-open-trade="${row.id}">${amount(row.net)}</a>`;
  const middle = (values: readonly (number | null)[]): string => {
    const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
    return percent(sorted[Math.floor(sorted.length / 2)] ?? null, 1);
  };
  const excursions = `median MAE ${middle(rows.map(({ adverse }) => adverse))}, MFE ${middle(rows.map(({ favourable }) => favourable))}`;
  return {
    ...shared,
    answer: closed === 1 ? link(best) : html`${link(best)} and ${link(least)}`,
    detail:
      closed === 1
        ? `the only one; ${excursions}`
        : `${percent(winRate, 0)} of ${integer(closed)} won; ${excursions}`,
  };
}

/** Maximum number of parameters in the answer. */
const MOST_NAMED = 6;

function parameters({ record }: QuestionSource): Short {
  const { parameters: own } = record.started.strategy;
  const all = isJsonObject(own) ? Object.entries(own) : [];
  const named = all
    .slice(0, MOST_NAMED)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  const text = `${named}${more}`;
  return {
    question: 'Which parameters?',
    at: 'provenance',
    answer: all.length === 0 ? 'None' : '',
    detail: text.length > 120 ? `${text.slice(0, 120)} …` : text,
  };
}

function why({ record }: QuestionSource): Short {
  const [first] = openingReasons(record);
  return {
    question: 'Why this trade?',
    at: 'trades-part',
    answer:
      record.fills.length === 0
        ? 'It never traded'
        : first === undefined
          ? 'No reasons given'
          : `“${first[0]}”`,
    detail: first === undefined ? '' : `${integer(first[1])} ×; choose a trade to read its own`,
  };
}

function model({ record }: QuestionSource): Short | undefined {
  const usage = modelUsage(record, 0);
  if (usage === null) return undefined;
  return {
    question: 'What did the model cost?',
    at: 'decisions',
    answer: usage.cost === null ? 'Not known' : `${amount(usage.cost)} USD`,
    detail: `${integer(usage.inputTokens)} tokens in, ${integer(usage.outputTokens)} out`,
  };
}

function sure({ metrics, data }: QuestionSource): Short {
  const { psr, tradeCount, sessions } = metrics;
  const closed = tradeCount.value ?? 0;
  return {
    question: 'How sure is that?',
    at: 'luck',
    answer: psr.value === null ? 'Not known' : percent(psr.value, 0),
    detail:
      psr.value === null
        ? (psr.reason ?? '')
        : `that Sharpe is above 0: ${integer(closed)} ${closed === 1 ? 'trade' : 'trades'}, ${integer(sessions)} ${data.terms.intraday ? 'days' : 'bars'}`,
  };
}

/**
 * Returns the main questions about the whole run. Each has a one-line answer and a link to the part of the
 * page with details.
 */
export function questions(source: QuestionSource): Html {
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
  ].filter((row) => row !== undefined);
  return html`<section id="questions" aria-labelledby="questions-title"><h2 id="questions-title" class="of-whole">In short</h2><dl class="questions">${rows.map(
    ({ question, at, answer, detail, tone = '' }) =>
      html`<div><dt><a href="#${at}">${question}</a></dt><dd><strong class="${tone}">${answer}</strong> <span>${detail}</span></dd></div>`,
  )}</dl></section>`;
}
