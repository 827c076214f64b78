import { type ChartOptions, createChart, type DeepPartial, type IChartApi } from 'lightweight-charts';
import { type Colours, colours, onThemeChange } from './theme.ts';

function options(colour: Colours): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      background: { color: colour.card },
      textColor: colour.soft,
      panes: { separatorColor: colour.line },
      // The library's logo is a link, which the Tab key would have to pass in every chart. It is hidden, and
      // the end of the page names the library.
      attributionLogo: false,
    },
    grid: { vertLines: { color: colour.line }, horzLines: { color: colour.line } },
    timeScale: { borderColor: colour.line, minBarSpacing: 0.02 },
    rightPriceScale: { borderColor: colour.line, entireTextOnly: true },
    // The mouse wheel scrolls the page and not the chart.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
    localization: { locale: 'en-US' },
  };
}

/** Hides the time of day on the time axis if every bar is at midnight. */
export function showDays(chart: IChartApi, times: readonly number[]): void {
  if (times.every((seconds) => seconds % 86_400 === 0))
    chart.timeScale().applyOptions({ timeVisible: false });
}

/**
 * Creates a chart in an element of the page, with the theme of the page. Ctrl and the mouse wheel zoom the
 * chart.
 *
 * @returns `undefined` if the page has no such element
 */
export function newChart(id: string): IChartApi | undefined {
  const container = document.getElementById(id);
  if (container === null) return undefined;
  const chart = createChart(container, options(colours()));
  chart.timeScale().applyOptions({ timeVisible: true });
  onThemeChange(() => chart.applyOptions(options(colours())));
  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const x = event.clientX - container.getBoundingClientRect().left;
      zoom(chart, event.deltaY > 0 ? 1.25 : 0.8, chart.timeScale().coordinateToLogical(x) ?? undefined);
    },
    { passive: false },
  );
  return chart;
}

/**
 * Zooms a chart around a point, by default around the centre of the visible range. A `factor` below 1
 * enlarges the chart.
 */
export function zoom(chart: IChartApi, factor: number, around?: number): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null) return;
  const at = around ?? (range.from + range.to) / 2;
  const [from, to] = [at - (at - range.from) * factor, at + (range.to - at) * factor];
  if (to - from > 4) chart.timeScale().setVisibleLogicalRange({ from, to });
}
