import { describe, expect, it } from 'vitest';
import { textIn } from '../../../../../test/support/page-sketch.ts';
import { html } from '../../../shared/html.ts';
import type { PageData } from '../page-data.ts';
import { figure, histogram, plot, timeLines, valueAxis, yearBars } from './plot.ts';

const DAY = 86_400;
const places = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...found]) => found);

describe('the lines of equity and drawdown', () => {
  const data = {
    times: [0, 1, 2, 3, 4].map((day) => day * DAY),
    equity: { close: [90, 100, 110, 80, 100] },
    benchmark: [90, 100, null, 105, 90],
    drawdown: [0, 0, 0, -0.25, -0.1],
    benchmarkDrawdown: [0, 0, null, 0, -0.1],
  } as unknown as PageData;
  const drawn = timeLines(data, 1, 4).text;
  const [equity, drawdown] = drawn.split('id="drawdown-lines"') as [string, string];
  // The pictures are 760 units wide, with a margin of 62 on the left and 10 on the right.
  const x = (point: number) => 62 + (point / 3) * 688;
  const shown = (value: number) => String(Math.round(value * 10) / 10);
  const line = (values: readonly (number | null)[], y: (value: number) => number) =>
    values
      .map((value, at) =>
        value === null
          ? ''
          : `${at === 0 || values[at - 1] === null ? 'M' : 'L'}${shown(x(at))} ${shown(y(value))}`,
      )
      .join('');

  it('show the equity of the run and of the benchmark', () => {
    // Equity is between 80 and 110, with a margin of 1.5. The plot is between 8 and 208 units from the top.
    const y = (value: number) => 208 - ((value - 78.5) / 33) * 200;
    expect(equity).toContain('<svg viewBox="0 0 760 230"');
    expect(equity).toContain(`<path class="own" d="${line([100, 110, 80, 100], y)}"/>`);
    expect(equity).toContain(`<path class="held" d="${line([100, null, 105, 90], y)}"/>`);
    expect(textIn(equity)).toContain('Equity, 100.00 in the end; the benchmark is grey.');
    expect(places(equity, /<text x="([\d.]+)" y="224"[^>]*>(.*?)</g)).toEqual([
      ['62', '1970-01-02'],
      ['234', '1970-01-02'],
      ['406', '1970-01-03'],
      ['578', '1970-01-04'],
      ['750', '1970-01-05'],
    ]);
    expect(places(equity, /text-anchor="end">(\d+)</g)).toEqual([['80'], ['90'], ['100'], ['110']]);
  });

  it('show the drawdown below zero', () => {
    // The deepest drawdown is 0.25, with a margin of 3% at the bottom only.
    const y = (value: number) => 98 - ((value + 0.2575) / 0.2575) * 90;
    expect(drawdown).toContain('<svg viewBox="0 0 760 120"');
    expect(drawdown).toContain(`<path class="own loss" d="${line([0, 0, -0.25, -0.1], y)}"/>`);
    expect(drawdown).toContain(`<path class="held" d="${line([0, null, 0, -0.1], y)}"/>`);
    expect(drawdown).toContain(`<path class="zero" d="M62 ${shown(y(0))}H750"/>`);
    expect(places(drawdown, /text-anchor="end">(.*?)</g)).toEqual([['−20%'], ['−10%'], ['0%']]);
  });

  it('omit a missing benchmark', () => {
    const alone = timeLines({ ...data, benchmark: null, benchmarkDrawdown: null }, 0, 4).text;
    expect(places(alone, /<path class="held" d="(.*?)"/g)).toEqual([[''], ['']]);
  });
});

it('a value axis has a grid line and a label for each round value', () => {
  const at = plot({ width: 172, height: 130 }, { low: 0, high: 1 }, { low: 0, high: 4 });
  expect(valueAxis(at, { low: 0, high: 4 }, String).map(({ text }) => text)).toEqual(
    [0, 1, 2, 3, 4].map(
      (value) =>
        `<path class="grid" d="M62 ${108 - value * 25}H162"/><text x="56" y="${112 - value * 25}" text-anchor="end">${value}</text>`,
    ),
  );
  expect(figure('id', 'A "b"', { width: 1, height: 2 }, html`<g/>`).text).toBe(
    '<figure class="plot" id="id"><svg viewBox="0 0 1 2" role="img" aria-label="A &quot;b&quot;"><g/></svg><figcaption>A &quot;b&quot;</figcaption></figure>',
  );
});

describe('a histogram', () => {
  const rects = (text: string) =>
    places(text, /<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g);

  it('has bars by the share of returns in each bin', () => {
    const returns = Float64Array.of(-0.04, -0.02, -0.02, -0.02, 0.01, 0.02, 0.02, 0.04, 0.04);
    const { text } = histogram(returns, Float64Array.of(0.04, 0.04, -1, 0), 'a day');
    const step = 560 / 9;
    // The axis ends at the 99.5% quantile, 0.04. One bin is 0.01 wide. The benchmark has the largest share.
    const shares = [1, 0, 3, 0, 0, 1, 2, 0, 2].map((count) => count / 9);
    const highest = Math.min(0.5, 0.5 * 1.3);
    const y = (share: number) => 190 - 22 - (share / highest) * 150;
    const shown = (value: number) => String(Math.round(value * 10) / 10);
    expect(rects(text)).toEqual(
      shares.map((share, bin) => [
        ...[bin === 4 ? 'even' : bin > 4 ? 'gain' : 'loss', shown(bin * step + 0.5), shown(y(share))],
        ...[shown(step - 1), shown(168 - y(share))],
      ]),
    );
    const held = [0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.5];
    const outline = held.map((share, bin) => `V${shown(y(share))}H${shown((bin + 1) * step)}`).join('');
    expect(text).toContain(`<path class="held" d="M0 168${outline}V168"/>`);
    expect(text).toContain('id="spread-aday"');
    expect(textIn(text)).toContain(
      '9 a day returns: mean 0.333%, worst −4.00%, best 4.00%; the line is the benchmark’s.',
    );
    expect(places(text, /<text x="(\d+)" y="184" text-anchor="(\w+)">(.*?)</g)).toEqual([
      ['0', 'start', '≤ −4.0%'],
      ['280', 'middle', '0'],
      ['560', 'end', '≥ 4.0%'],
    ]);
    expect(text).toContain('<path class="zero" d="M0 168H560"/>');
  });

  it('limits the height of the bin at zero if the other bins would be invisible', () => {
    const idle = Float64Array.from({ length: 20 }, (_, at) => (at === 0 ? -0.01 : at === 1 ? 0.01 : 0));
    const { text } = histogram(idle, undefined, 'bar');
    const bars = rects(text);
    expect([bars[0]![2], bars[4]![2], bars[4]![4]]).toEqual(['52.6', '18', '150']);
    expect(text).toContain('<text x="280" y="12" text-anchor="middle">90% at 0</text>');
    expect(histogram(Float64Array.of(0.01, 0.02), undefined, 'bar').text).toContain('<figure');
  });

  it('counts the most extreme returns in the outer bins', () => {
    const returns = Float64Array.from({ length: 1001 }, (_, at) =>
      at === 0 ? -5 : at === 1 ? 5 : ((at % 9) - 4) / 100,
    );
    const { text } = histogram(returns, undefined, 'bar');
    expect(textIn(text)).toContain('≥ 4.0%');
    expect(rects(text)).toHaveLength(33);
  });
});

describe('the bars of calendar years', () => {
  it('are next to those of the benchmark, on one axis', () => {
    const years = [
      { year: 2019, own: 0.2, held: 0.1 },
      { year: 2020, own: -0.2, held: 0 },
      { year: 2021, own: 0.1, held: 0.1 },
      { year: 2022, own: null, held: 0.2 },
    ];
    const { text } = yearBars(years);
    // The values are between −0.2 and 0.2, with a margin of 0.02. One year is 122 units wide.
    const y = (value: number) => 168 - ((value + 0.22) / 0.44) * 160;
    const width = 122 * 0.4;
    const shown = (value: number) => String(Math.round(value * 10) / 10);
    const bar = (kind: string, year: number, value: number) => {
      const x = 62 + year * 122 + width * (kind === 'own' ? 0.2 : 1.2);
      const [top, bottom] = [Math.min(y(0), y(value)), Math.max(y(0), y(value))];
      return [kind, shown(x), shown(top), shown(width), shown(Math.max(bottom - top, 0.5))];
    };
    expect(
      places(text, /<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g),
    ).toEqual([
      ...[
        bar('own', 0, 0.2),
        bar('held', 0, 0.1),
        bar('own', 1, -0.2),
        bar('held', 1, 0),
        bar('own', 2, 0.1),
      ],
      ...[bar('held', 2, 0.1), bar('held', 3, 0.2)],
    ]);
    expect(places(text, /<text x="([\d.]+)" y="184" text-anchor="middle">(\d+)</g)).toEqual(
      [2019, 2020, 2021, 2022].map((year, at) => [shown(62 + at * 122 + width * 1.2), String(year)]),
    );
    expect(text).toContain(`<path class="zero" d="M62 ${shown(y(0))}H550"/>`);
    expect(textIn(text)).toContain(
      'Returns of 4 calendar years, the benchmark’s in grey; the run was ahead in 1.',
    );
    expect(text).toContain('<title>2022: –, benchmark +20.00%</title>');
    expect(yearBars(years.slice(0, 1)).text).toBe('');
  });

  it('have at most twelve labels', () => {
    const labels = (count: number) =>
      places(
        yearBars(Array.from({ length: count }, (_, at) => ({ year: 2000 + at, own: 0.1, held: null }))).text,
        /y="184" text-anchor="middle">(\d+)</g,
      ).map(([year]) => Number(year) - 2000);
    expect(labels(12)).toHaveLength(12);
    expect(labels(13)).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect(labels(25)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24]);
  });
});
