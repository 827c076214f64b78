import { AreaSeries, LineSeries } from 'lightweight-charts';
import type { ComparisonData } from '../../compare/page.ts';
import { newChart, showDays } from './charts.ts';
import { line } from './data.ts';
import { colours, onThemeChange, startTheme } from './theme.ts';

// Colours that can be told apart, by Okabe and Ito (2008); the first run has the page's own accent.
const CURVE_COLOURS = ['#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8a8f00', '#999999'];

startTheme();
const { curves } = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as ComparisonData;
const chart = newChart('equity-chart');
if (chart !== undefined) {
  showDays(
    chart,
    curves.flatMap(({ times }) => times),
  );
  const percent = { type: 'percent', precision: 1 } as const;
  const series = curves.map((curve, index) => {
    const own = chart.addSeries(LineSeries, { title: curve.name, lineWidth: 2, priceFormat: percent });
    own.setData(line(curve.times, curve.equity));
    const below = chart.addSeries(
      AreaSeries,
      { lineWidth: 1, priceFormat: percent, lastValueVisible: false },
      1,
    );
    below.setData(line(curve.times, curve.drawdown));
    return { index, own, below };
  });
  const paint = (): void => {
    for (const { index, own, below } of series) {
      const colour = index === 0 ? colours().accent : CURVE_COLOURS[(index - 1) % CURVE_COLOURS.length]!;
      own.applyOptions({ color: colour });
      below.applyOptions({ lineColor: colour, topColor: `${colour}00`, bottomColor: `${colour}00` });
    }
  };
  chart.panes()[0]?.setStretchFactor(3);
  chart.panes()[1]?.setStretchFactor(1);
  paint();
  onThemeChange(paint);
  chart.timeScale().fitContent();
}
