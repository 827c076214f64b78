import type { CrossValidationResult, WalkForwardResult } from '../../results/runs/index.ts';
import { section, table, toned } from '../report/figure-table.ts';
import { integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { parametersText, scale } from './plots.ts';

const WIDTH = 900;
const HEIGHT = 260;
const LEFT = 64;
const FOOT = 26;
const HEAD = 12;

/**
 * Returns the section about a walk-forward test: the equity of all test windows joined together, and the
 * parameters chosen for each window.
 */
export function walkForwardSection(
  result: WalkForwardResult,
  objective: string,
  text: (value: number | null) => string,
): Html {
  const { windows, terms, positions, history, totalReturn, sharpe, maxDrawdown, tradeCount, efficiency } =
    result;
  const said = [
    `trained on ${terms.train}, tested on ${terms.test}`,
    terms.step === terms.test ? '' : `a window every ${terms.step}`,
    terms.anchored ? 'training always from the first bar' : '',
    terms.embargo === null ? '' : `${terms.embargo} left out between`,
  ].filter((part) => part !== '');
  const facts = html`<dl class="tiles">${[
    ['Return out of sample', toned(signedPercent(totalReturn), totalReturn)],
    ['Sharpe out of sample', ratio(sharpe)],
    ['Max drawdown', percent(maxDrawdown)],
    ['Trades', integer(tradeCount)],
    ['Kept of in-sample', percent(efficiency, 0)],
  ].map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
  const rows = windows.map(
    ({ test, train, parameters, inSample, outOfSample, totalReturn: own, tradeCount: trades }) => [
      `${dayOf(test.from)} to ${dayOf(test.to)}`,
      `${dayOf(train.from)} to ${dayOf(train.to)}`,
      `${integer(train.historyBars)}, ${integer(test.historyBars)}`,
      parameters === null ? 'nothing chosen' : parametersText(parameters),
      text(inSample),
      text(outOfSample),
      toned(signedPercent(own), own),
      integer(trades),
    ],
  );
  return section(
    'walk-forward',
    'Walk-forward: chosen before, traded after',
    html`<p>${`${windows.length} windows, ${said.join(', ')}.`}</p>`,
    facts,
    stitched(result),
    table(
      'Walk-forward windows',
      [
        'Tested',
        'Trained',
        'Bars of history (trained, tested)',
        'Chosen',
        `${objective} before`,
        `${objective} after`,
        'Return after',
        'Trades',
      ],
      rows,
    ),
    html`<p class="note">${`${positions} ${history}`.trim()}</p>`,
  );
}

function dayOf(date: string): string {
  return date.replace(/[T ]00:00(:00)?Z?$/, '');
}

function stitched({ equity, windows }: WalkForwardResult): Html {
  if (equity.length < 2) return html`<p>The test windows hold too few sessions to draw.</p>`;
  const values = equity.map(([, value]) => value);
  const y = scale([...values, 1], HEIGHT - FOOT, HEAD);
  const x = (place: number): number => LEFT + (place / (equity.length - 1)) * (WIDTH - LEFT - 4);
  const points = thinned(equity.length).map(
    (place) => `${x(place).toFixed(1)},${y.at(values[place]!).toFixed(1)}`,
  );
  const starts = windows.flatMap(({ test }) => {
    const place = equity.findIndex(([date]) => date >= test.from);
    return place < 0 ? [] : [x(place)];
  });
  const [first, last] = [equity[0]![0], equity.at(-1)![0]];
  const words = `Equity of the test windows, from 1 on ${dayOf(first)} to ${values.at(-1)!.toFixed(3)} on ${dayOf(last)}.`;
  return html`<figure class="broad"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">${starts.map((place) => html`<line class="grid" x1="${place.toFixed(1)}" x2="${place.toFixed(1)}" y1="${HEAD}" y2="${HEIGHT - FOOT}"></line>`)}<line class="zero" x1="${LEFT}" x2="${WIDTH}" y1="${y.at(1).toFixed(1)}" y2="${y.at(1).toFixed(1)}"></line><polyline class="own" points="${points.join(' ')}"></polyline><text x="${LEFT - 8}" y="${(y.at(y.high) + 4).toFixed(1)}" text-anchor="end">${signedPercent(y.high - 1, 1)}</text><text x="${LEFT - 8}" y="${(y.at(y.low) + 4).toFixed(1)}" text-anchor="end">${signedPercent(y.low - 1, 1)}</text><text x="${LEFT}" y="${HEIGHT - 6}">${dayOf(first)}</text><text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">${dayOf(last)}</text></svg><figcaption>${words} Upright lines: where a window begins.</figcaption></figure>`;
}

/** Maximum number of points of the equity curve in the picture. */
const MOST_POINTS = 1800;

function thinned(length: number): number[] {
  const step = Math.max(1, Math.ceil(length / MOST_POINTS));
  const places = Array.from({ length: Math.ceil(length / step) }, (_, place) => place * step);
  return places.at(-1) === length - 1 ? places : [...places, length - 1];
}

/**
 * Returns the section about the cross-validation of a sweep.
 *
 * @param text formats a value of the objective, which is the figure that the sweep optimises
 */
export function crossValidationSection(
  result: CrossValidationResult,
  text: (value: number | null) => string,
): Html {
  const { groups, test, embargo, by, splits, paths, lossShare, positions, history, windows } = result;
  const rows = splits.map(({ test: tested, parameters, inSample, outOfSample }) => [
    tested.map((group) => group + 1).join(', '),
    parametersText(parameters),
    text(inSample),
    toned(text(outOfSample), outOfSample),
  ]);
  const known = paths.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const pathsText =
    known.length === 0
      ? ''
      : ` The ${paths.length} paths through all groups have Sharpe ratios from ${ratio(low)} to ${ratio(high)}.`;
  return section(
    'cross-validation',
    'Cross-validation',
    html`<p>${`The time in ${groups} groups, ${test} tested at a time${embargo === null ? '' : `, ${embargo} left out beside them`}: ${splits.length} splits, of which ${percent(lossShare, 0)} lose out of sample.${pathsText} ${by}`}</p>`,
    table('Splits', ['Groups tested', 'Chosen on the others', 'In sample', 'Out of sample'], rows),
    windows.length === 0
      ? html``
      : table(
          'Groups',
          ['Group', 'From', 'To', 'Bars of history'],
          windows.map(({ from, to, historyBars }, group) => [
            String(group + 1),
            dayOf(from),
            dayOf(to),
            integer(historyBars),
          ]),
        ),
    positions === '' ? html`` : html`<p class="note">${`${positions} ${history}`}</p>`,
  );
}
