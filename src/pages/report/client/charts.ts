import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  type ChartOptions,
  createChart,
  type DeepPartial,
  type IChartApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
} from 'lightweight-charts';
import { line, type PageData, time } from './data.ts';
import { type Colours, colours, onThemeChange } from './theme.ts';

function options(colour: Colours): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      background: { color: colour.card },
      textColor: colour.soft,
      panes: { separatorColor: colour.line },
      attributionLogo: true,
    },
    grid: { vertLines: { color: colour.line }, horzLines: { color: colour.line } },
    timeScale: { borderColor: colour.line, minBarSpacing: 0.02 },
    rightPriceScale: { borderColor: colour.line },
    localization: { locale: 'en-US' },
  };
}

/** A chart without a clock on its time axis, where every bar stands at midnight. */
export function showDays(chart: IChartApi, times: readonly number[]): void {
  if (times.every((seconds) => seconds % 86_400 === 0))
    chart.timeScale().applyOptions({ timeVisible: false });
}

/** A chart in an element of the page that follows the page's theme. */
export function newChart(id: string): IChartApi | undefined {
  const container = document.getElementById(id);
  if (container === null) return undefined;
  const chart = createChart(container, options(colours()));
  chart.timeScale().applyOptions({ timeVisible: true });
  onThemeChange(() => chart.applyOptions(options(colours())));
  return chart;
}

export function equityChart(data: PageData): IChartApi | undefined {
  const chart = newChart('equity-chart');
  if (chart === undefined) return undefined;
  const bucketed = data.barsPerPoint > 1;
  const { equity, times } = data;
  showDays(chart, times);
  const benchmark = chart.addSeries(LineSeries, {
    title: 'buy and hold',
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
  });
  if (data.benchmark !== null) benchmark.setData(line(times, data.benchmark));
  const own = bucketed
    ? chart.addSeries(CandlestickSeries, { title: 'equity', borderVisible: false })
    : chart.addSeries(AreaSeries, { title: 'equity', lineWidth: 2 });
  own.setData(
    bucketed
      ? times.map((seconds, point) => ({
          time: time(seconds),
          open: equity.open[point]!,
          high: equity.high[point]!,
          low: equity.low[point]!,
          close: equity.close[point]!,
        }))
      : line(times, equity.close),
  );
  const benchmarkFall = chart.addSeries(
    LineSeries,
    {
      title: 'buy and hold',
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
      lastValueVisible: false,
      priceLineVisible: false,
      priceFormat: { type: 'percent', precision: 1 },
    },
    1,
  );
  if (data.benchmarkDrawdown !== null)
    benchmarkFall.setData(
      line(
        times,
        data.benchmarkDrawdown.map((value) => (value === null ? null : value * 100)),
      ),
    );
  const drawdown = chart.addSeries(
    AreaSeries,
    {
      title: 'drawdown',
      lineWidth: 1,
      invertFilledArea: true,
      priceFormat: { type: 'percent', precision: 1 },
    },
    1,
  );
  drawdown.setData(
    line(
      times,
      data.drawdown.map((value) => value * 100),
    ),
  );
  chart.panes()[0]?.setStretchFactor(3);
  chart.panes()[1]?.setStretchFactor(1);
  const paint = (): void => {
    const colour = colours();
    benchmark.applyOptions({ color: colour.soft });
    benchmarkFall.applyOptions({ color: colour.soft });
    if (bucketed)
      own.applyOptions({
        upColor: colour.accent,
        downColor: colour.accent,
        wickUpColor: colour.accent,
        wickDownColor: colour.accent,
      });
    else
      own.applyOptions({
        lineColor: colour.accent,
        topColor: `${colour.accent}44`,
        bottomColor: `${colour.accent}08`,
      });
    drawdown.applyOptions({
      lineColor: colour.bad,
      topColor: `${colour.bad}08`,
      bottomColor: `${colour.bad}55`,
    });
  };
  paint();
  onThemeChange(paint);
  const logarithmic = document.getElementById('log-scale');
  logarithmic?.addEventListener('change', () => {
    const isOn = logarithmic instanceof HTMLInputElement && logarithmic.checked;
    chart
      .priceScale('right', 0)
      .applyOptions({ mode: isOn ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal });
  });
  chart.timeScale().fitContent();
  return chart;
}

export function rollingChart({ rolling }: PageData): void {
  if (rolling === null) return;
  const chart = newChart('rolling-chart');
  if (chart === undefined) return;
  showDays(chart, rolling.times);
  const sharpe = chart.addSeries(BaselineSeries, {
    title: 'Sharpe',
    baseValue: { type: 'price', price: 0 },
    lineWidth: 2,
  });
  sharpe.setData(line(rolling.times, rolling.sharpe));
  const volatility = chart.addSeries(
    LineSeries,
    { title: 'volatility', lineWidth: 1, priceFormat: { type: 'percent', precision: 1 } },
    1,
  );
  volatility.setData(
    line(
      rolling.times,
      rolling.volatility.map((value) => (value === null ? null : value * 100)),
    ),
  );
  const hasBeta = rolling.beta.some((value) => value !== null);
  const beta = hasBeta ? chart.addSeries(LineSeries, { title: 'beta', lineWidth: 1 }, 2) : undefined;
  beta?.setData(line(rolling.times, rolling.beta));
  const paint = (): void => {
    const colour = colours();
    sharpe.applyOptions({
      topLineColor: colour.good,
      topFillColor1: `${colour.good}33`,
      topFillColor2: `${colour.good}08`,
      bottomLineColor: colour.bad,
      bottomFillColor1: `${colour.bad}08`,
      bottomFillColor2: `${colour.bad}33`,
    });
    volatility.applyOptions({ color: colour.accent });
    beta?.applyOptions({ color: colour.soft });
  };
  paint();
  onThemeChange(paint);
  chart.timeScale().fitContent();
}

/** Keeps two charts of the same points on the same stretch of time. */
export function together(one: IChartApi, other: IChartApi): void {
  let moving = false;
  const follow = (from: IChartApi, to: IChartApi): void => {
    from.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (moving || range === null) return;
      moving = true;
      to.timeScale().setVisibleLogicalRange(range);
      moving = false;
    });
  };
  follow(one, other);
  follow(other, one);
}
