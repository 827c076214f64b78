import { type Html, html } from '../../shared/html.ts';
import {
  beaten,
  distribution,
  exposure,
  origin,
  regimes,
  riskAdjusted,
  rolling,
  worst,
} from './of-performance.ts';
import { capacity, costs, model, parameters, sure, trades, why } from './of-trading.ts';
import type { QuestionSource } from './short.ts';

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
