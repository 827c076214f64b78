import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  type ChartOptions,
  createChart,
  createSeriesMarkers,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { line, type PageData, time } from './data.ts';
import { type Segment, Segments } from './levels.ts';
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
    timeScale: { timeVisible: true, borderColor: colour.line, minBarSpacing: 0.02 },
    rightPriceScale: { borderColor: colour.line },
    localization: { locale: 'en-US' },
  };
}

/** A chart in an element of the page that follows the page's theme. */
export function newChart(id: string): IChartApi | undefined {
  const container = document.getElementById(id);
  if (container === null) return undefined;
  const chart = createChart(container, options(colours()));
  onThemeChange(() => chart.applyOptions(options(colours())));
  return chart;
}

/** The price chart, and what the rest of the page does with it. */
export interface PriceChart {
  readonly chart: IChartApi;
  showSymbol(symbol: number): void;
  /** Moves to a trade, a little room on both sides. */
  showTrade(id: number): void;
  refresh(): void;
}

/** Points in sight up to which fills say their quantity: beyond, the texts lie over each other. */
const MOST_LABELLED_POINTS = 250;

export function priceChart(data: PageData): PriceChart | undefined {
  if (data.prices.length === 0) return undefined;
  const chart = newChart('price-chart');
  if (chart === undefined) return undefined;
  const candles = chart.addSeries(CandlestickSeries, {});
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
  });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.85, bottom: 0 } });
  const markers = createSeriesMarkers<Time>(candles, []);
  const segments = new Segments();
  candles.attachPrimitive(segments);
  let symbol = 0;
  let labelled = false;

  const paint = (): void => {
    const colour = colours();
    candles.applyOptions({
      upColor: colour.good,
      downColor: colour.bad,
      wickUpColor: colour.good,
      wickDownColor: colour.bad,
      borderVisible: false,
    });
    volume.applyOptions({ color: `${colour.soft}66`, lastValueVisible: false, priceLineVisible: false });
    markers.setMarkers(markersOf(data, symbol, colour, labelled));
    segments.show(segmentsOf(data, symbol, colour));
  };
  const showSymbol = (next: number): void => {
    symbol = next;
    const prices = data.prices[next]!;
    candles.setData(
      data.times.map((seconds, point) => {
        const [open, high, low, close] = [
          prices.open[point],
          prices.high[point],
          prices.low[point],
          prices.close[point],
        ];
        return typeof open === 'number' &&
          typeof high === 'number' &&
          typeof low === 'number' &&
          typeof close === 'number'
          ? { time: time(seconds), open, high, low, close }
          : { time: time(seconds) };
      }),
    );
    volume.setData(line(data.times, prices.volume));
    paint();
  };
  onThemeChange(paint);
  showSymbol(0);
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    const near = range !== null && range.to - range.from <= MOST_LABELLED_POINTS;
    if (near === labelled) return;
    labelled = near;
    markers.setMarkers(markersOf(data, symbol, colours(), labelled));
  });
  chart.timeScale().fitContent();
  return {
    chart,
    showSymbol,
    refresh: paint,
    showTrade(id) {
      const trade = data.trades.find((one) => one.id === id);
      if (trade === undefined) return;
      const room = Math.max(10, Math.round((trade.to - trade.from) / 2));
      chart.timeScale().setVisibleLogicalRange({ from: trade.from - room, to: trade.to + room });
    },
  };
}

function checked(id: string): boolean {
  const box = document.getElementById(id);
  return !(box instanceof HTMLInputElement) || box.checked;
}

function markersOf(data: PageData, symbol: number, colour: Colours, labelled: boolean): SeriesMarker<Time>[] {
  const fills = data.fills.filter((fill) => fill.symbol === symbol);
  return fills.map((fill) => ({
    time: time(data.times[fill.point]!),
    position: fill.side === 'buy' ? 'belowBar' : 'aboveBar',
    shape: fill.side === 'buy' ? 'arrowUp' : 'arrowDown',
    color: fill.side === 'buy' ? colour.good : colour.bad,
    ...(labelled ? { text: `${fill.quantity}${fill.ambiguous ? ' ?' : ''}` } : {}),
  }));
}

function segmentsOf(data: PageData, symbol: number, colour: Colours): Segment[] {
  const levelColour = { stop: colour.bad, target: colour.good, limit: colour.soft };
  const levels = checked('show-levels') ? data.levels : [];
  const trades = checked('show-trades') ? data.trades : [];
  const at = (point: number): Time => time(data.times[point]!);
  return [
    ...levels
      .filter((level) => level.symbol === symbol)
      .map((level) => ({
        from: at(level.from),
        to: at(level.to),
        fromPrice: level.price,
        toPrice: level.price,
        colour: levelColour[level.kind],
        dashed: true,
      })),
    ...trades
      .filter((trade) => trade.symbol === symbol)
      .map((trade) => ({
        from: at(trade.from),
        to: at(trade.to),
        fromPrice: trade.entry,
        toPrice: trade.exit,
        colour: trade.won ? colour.good : colour.bad,
        dashed: false,
      })),
  ];
}

export function equityChart(data: PageData): IChartApi | undefined {
  const chart = newChart('equity-chart');
  if (chart === undefined) return undefined;
  const bucketed = data.barsPerPoint > 1;
  const { equity, times } = data;
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
  chart.timeScale().fitContent();
  return chart;
}

export function rollingChart({ rolling }: PageData): void {
  if (rolling === null) return;
  const chart = newChart('rolling-chart');
  if (chart === undefined) return;
  const sharpe = chart.addSeries(BaselineSeries, {
    title: 'Sharpe',
    baseValue: { type: 'price', price: 0 },
    lineWidth: 2,
  });
  sharpe.setData(line(rolling.times, rolling.sharpe));
  const volatility = chart.addSeries(
    LineSeries,
    { title: 'volatility', lineWidth: 1, priceFormat: { type: 'percent', precision: 0 } },
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
