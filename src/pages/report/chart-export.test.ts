import { describe, expect, it } from 'vitest';
import { readRun } from '../../results/runs/index.ts';
import { reportCharts, reportFragment } from './chart-export.ts';

const run = readRun('reports/example-sma-cross');

describe('charts of a report', () => {
  const charts = reportCharts(run);

  it('include equity, drawdown, distribution, attribution, trades and costs', () => {
    expect(charts.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...['equity-lines', 'drawdown-lines', 'spread-bar', 'waterfall', 'excursions', 'cost-curve'],
      ]),
    );
  });

  it('are standalone files with their colours and without a script', () => {
    for (const { svg, width, height } of charts) {
      expect(svg).toMatch(
        new RegExp(
          `^<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="${width}" height="${height}"`,
        ),
      );
      expect(svg).toMatch(/--accent: ?#/);
      expect(svg).toContain('svg .own{');
      expect(svg).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
      expect(svg.match(/<svg/g)).toHaveLength(1);
    }
  });
});

describe('the fragment of a report', () => {
  const fragment = reportFragment(run);

  it('has the verdict, eight figures and the equity, and no script', () => {
    expect(fragment).toMatch(/^<div class="sandtable" data-verdict="\w+"/);
    expect(fragment.match(/<dt>/g)).toHaveLength(8);
    expect(fragment).toContain('class="pane pane-equity"');
    expect(fragment).not.toContain('<script');
  });

  it('can be in a document several times and does not change its style', () => {
    expect(fragment).not.toMatch(/ id="/);
    const style = /<style>([\s\S]*)<\/style>/.exec(fragment)?.[1] ?? '';
    expect(style).toMatch(/^\.sandtable\{/);
    expect(style.match(/\{/g)?.length).toBe(style.match(/\}/g)?.length);
    expect(style).not.toContain(':root');
  });
});
