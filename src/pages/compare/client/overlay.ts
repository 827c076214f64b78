import { AreaSeries, LineSeries } from 'lightweight-charts';
import { newChart, showDays } from '../../report/client/charts.ts';
import { line } from '../../report/client/data.ts';
import { colours, onThemeChange } from '../../report/client/theme.ts';
import type { ComparisonCurve } from '../curves.ts';
import { startReadout } from './readout.ts';

// Colours that can be told apart, by Okabe and Ito (2008); the first run has the page's own accent.
const CURVE_COLOURS = ['#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8a8f00', '#999999'];

/** Draws the runs' returns over each other, with their drawdowns below. */
export function startOverlay(curves: readonly ComparisonCurve[]): void {
  const chart = curves.length === 0 ? undefined : newChart('equity-chart');
  if (chart === undefined) return;
  showDays(
    chart,
    curves.flatMap(({ times }) => times),
  );
  const percent = { type: 'percent', precision: 1 } as const;
  const series = curves.map((curve, index) => {
    // A name that is long would cover the curves: the key below has it.
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
