import { AreaSeries, LineSeries } from 'lightweight-charts';
import { newChart, showDays } from '../../report/client/charts.ts';
import { line } from '../../report/client/data.ts';
import { colours, onThemeChange } from '../../report/client/theme.ts';
import type { ComparisonCurve } from '../curves.ts';
import { startReadout } from './readout.ts';

// Colours that are distinguishable with colour blindness (Okabe and Ito, 2008). The first run has the accent
// colour of the page.
const CURVE_COLOURS = ['#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8a8f00', '#999999'];

/** Draws the returns of all runs in one chart, with their drawdowns in a second pane. */
export function startOverlay(curves: readonly ComparisonCurve[]): void {
  const chart = curves.length === 0 ? undefined : newChart('equity-chart');
  if (chart === undefined) return;
  showDays(
    chart,
    curves.flatMap(({ times }) => times),
  );
  const percent = { type: 'percent', precision: 1 } as const;
  const series = curves.map((curve, index) => {
    // No title on the price scale: long names would cover the curves. The key below the chart shows the
    // names.
    const own = chart.addSeries(LineSeries, { lineWidth: 2, priceFormat: percent });
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
  startReadout(chart, curves, series[0]?.own);
}
