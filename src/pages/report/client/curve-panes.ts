import {
  BaselineSeries,
  CandlestickSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
} from 'lightweight-charts';
import { grouped, percent, ratio } from '../../shared/number-formats.ts';
import type { PageData, RollingName, Value } from '../model/page-data.ts';
import type { Exposures } from './exposures.ts';
import { Segments, StackedAreas } from './levels.ts';
import { colours, stackColour } from './theme.ts';
import { line, time } from './view.ts';

/** Pane of the time chart below the prices. */
export interface CurvePane {
  /** Title with the content of the pane and the unit of its axis. */
  readonly title: string;
  /** Series that the crosshair follows. */
  readonly series: ISeriesApi<'Line' | 'Area' | 'Baseline' | 'Candlestick'>;
  paint(): void;
  showSymbol?(symbol: number): void;
}

const share = {
  type: 'custom',
  formatter: (value: number) => percent(value, Math.abs(value) < 0.1 ? 2 : 1),
  minMove: 1e-5,
} as const;
const money = {
  type: 'custom',
  formatter: (value: number) => grouped(value, Math.abs(value) < 1000 ? 2 : 0),
  minMove: 1e-4,
} as const;
const plain = { type: 'custom', formatter: (value: number) => ratio(value), minMove: 0.001 } as const;
const quiet = { priceLineVisible: false, lastValueVisible: false } as const;

export function equityPane(
  chart: IChartApi,
  data: PageData,
  pane: number,
  isLogarithmic: boolean,
): CurvePane {
  const { equity, times, barsPerPoint } = data;
  const bucketed = barsPerPoint > 1;
  const held = chart.addSeries(
    LineSeries,
    { ...quiet, lineWidth: 1, lineStyle: LineStyle.Dashed, priceFormat: money },
    pane,
  );
  if (data.benchmark !== null) held.setData(line(times, data.benchmark));
  const own = bucketed
    ? chart.addSeries(
        CandlestickSeries,
        { borderVisible: false, priceFormat: money, priceLineVisible: false },
        pane,
      )
    : chart.addSeries(LineSeries, { lineWidth: 2, priceFormat: money, priceLineVisible: false }, pane);
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
  const bounds = new Segments();
  own.attachPrimitive(bounds);
  own.priceScale().applyOptions({ mode: isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal });
  return {
    title: data.benchmark === null ? 'Equity' : 'Equity; the benchmark is dashed',
    series: own,
    paint() {
      const { accent, soft, notice } = colours();
      held.applyOptions({ color: soft });
      own.applyOptions(
        bucketed
          ? { upColor: accent, downColor: accent, wickUpColor: accent, wickDownColor: accent }
          : { color: accent },
      );
      bounds.show(
        data.ambiguous.map(({ point, worse, better }) => ({
          from: point,
          to: point,
          fromPrice: worse,
          toPrice: better,
          colour: notice,
          dashed: false,
        })),
      );
    },
  };
}

export function drawdownPane(chart: IChartApi, data: PageData, pane: number): CurvePane {
  const held = chart.addSeries(
    LineSeries,
    { ...quiet, lineWidth: 1, lineStyle: LineStyle.Dashed, priceFormat: share },
    pane,
  );
  if (data.benchmarkDrawdown !== null) held.setData(line(data.times, data.benchmarkDrawdown));
  const own = chart.addSeries(
    BaselineSeries,
    { baseValue: { type: 'price', price: 0 }, lineWidth: 1, priceFormat: share, priceLineVisible: false },
    pane,
  );
  own.setData(line(data.times, data.drawdown));
  return {
    title: 'Drawdown',
    series: own,
    paint() {
      const { accent, soft } = colours();
      held.applyOptions({ color: soft });
      own.applyOptions({
        topLineColor: accent,
        bottomLineColor: accent,
        bottomFillColor1: `${accent}10`,
        bottomFillColor2: `${accent}55`,
      });
    },
  };
}

export function exposurePane(
  chart: IChartApi,
  data: PageData,
  exposures: Exposures,
  pane: number,
): CurvePane {
  const base = {
    ...quiet,
    lineWidth: 1,
    baseValue: { type: 'price', price: 0 },
    priceFormat: share,
  } as const;
  const long = chart.addSeries(BaselineSeries, base, pane);
  const short = chart.addSeries(BaselineSeries, base, pane);
  long.setData(line(data.times, exposures.long));
  short.setData(line(data.times, exposures.short));
  const { stack } = exposures;
  const layers = new StackedAreas();
  long.attachPrimitive(layers);
  const own =
    data.symbols.length > 1
      ? chart.addSeries(LineSeries, { ...quiet, lineWidth: 2, priceFormat: share }, pane)
      : undefined;
  return {
    title:
      own === undefined
        ? 'Exposure, long and short'
        : 'Exposure by symbol, long and short; the chosen one is a line',
    series: long,
    showSymbol: (symbol) => own?.setData(line(data.times, exposures.of(symbol))),
    paint() {
      const { accent, text, second } = colours();
      const fill = (colour: string) => {
        const [near, far] = stack.length > 0 ? ['00', '00'] : ['22', '55'];
        return {
          topLineColor: colour,
          bottomLineColor: colour,
          topFillColor1: `${colour}${far}`,
          topFillColor2: `${colour}${near}`,
          bottomFillColor1: `${colour}${near}`,
          bottomFillColor2: `${colour}${far}`,
        };
      };
      long.applyOptions(fill(accent));
      short.applyOptions(fill(second));
      own?.applyOptions({ color: text });
      layers.show(stack.map(({ symbol, values }, place) => ({ values, colour: stackColour(symbol, place) })));
    },
  };
}

/**
 * Draws the rolling figures, for example the Sharpe ratio of a moving window. The value of a session is drawn
 * at the point at which the session ends.
 */
export function rollingPane(
  chart: IChartApi,
  { rolling, times }: PageData,
  pane: number,
  name: RollingName,
): CurvePane | undefined {
  if (rolling === null) return undefined;
  const figure = ROLLING[name];
  const atPoints = (values: readonly Value[]) => {
    const found = new Map<number, Value>();
    let point = 0;
    for (const [session, seconds] of rolling.times.entries()) {
      while (point + 1 < times.length && times[point + 1]! <= seconds) point += 1;
      found.set(times[point]!, values[session] ?? null);
    }
    return broken([...found.keys()], [...found.values()]);
  };
  const own = chart.addSeries(
    BaselineSeries,
    {
      baseValue: { type: 'price', price: figure.base },
      lineWidth: 2,
      priceFormat: figure.format,
      priceLineVisible: false,
    },
    pane,
  );
  own.setData(atPoints(rolling[name]));
  return {
    title: figure.title,
    series: own,
    paint() {
      const { accent } = colours();
      own.applyOptions({
        topLineColor: accent,
        topFillColor1: `${accent}33`,
        topFillColor2: `${accent}08`,
        bottomLineColor: accent,
        bottomFillColor1: `${accent}08`,
        bottomFillColor2: `${accent}33`,
      });
    },
  };
}

const CLEAR = 'transparent';
/** Options of a point with which the line to the next point, and the area below this line, are invisible. */
const UNSEEN = {
  topLineColor: CLEAR,
  topFillColor1: CLEAR,
  topFillColor2: CLEAR,
  bottomLineColor: CLEAR,
  bottomFillColor1: CLEAR,
  bottomFillColor2: CLEAR,
} as const;

/**
 * Returns the points of a line with gaps where sessions have no value. The chart library would connect the
 * values on both sides of a gap, so this segment is made invisible.
 */
function broken(times: readonly number[], values: readonly Value[]) {
  const end = values.findLastIndex((value) => value !== null);
  return line(times, values).map((point, at) =>
    'value' in point && at < end && values[at + 1] === null ? { ...point, ...UNSEEN } : point,
  );
}

const ROLLING = {
  sharpe: { title: 'Rolling Sharpe ratio', format: plain, base: 0 },
  beta: { title: 'Rolling beta to the benchmark', format: plain, base: 0 },
  volatility: { title: 'Rolling volatility, a year', format: share, base: 0 },
} as const satisfies Record<RollingName, unknown>;
