import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
} from 'lightweight-charts';
import { grouped, percent, ratio } from '../../shared/number-formats.ts';
import type { PageData, Value } from '../model/page-data.ts';
import { line, time } from './data.ts';
import type { Exposures } from './exposures.ts';
import { Segments } from './levels.ts';
import { colours } from './theme.ts';

/** A pane under the prices. */
export interface CurvePane {
  /** What the crosshair is set on. */
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

export function equityPane(chart: IChartApi, data: PageData, pane: number): CurvePane {
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
        { borderVisible: false, priceFormat: money, priceLineVisible: false, title: 'equity' },
        pane,
      )
    : chart.addSeries(
        LineSeries,
        { lineWidth: 2, priceFormat: money, priceLineVisible: false, title: 'equity' },
        pane,
      );
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
  const logarithmic = document.getElementById('log-scale');
  const scale = (): void => {
    const isOn = logarithmic instanceof HTMLInputElement && logarithmic.checked;
    own.priceScale().applyOptions({ mode: isOn ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal });
  };
  scale();
  logarithmic?.addEventListener('change', scale);
  return {
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
    AreaSeries,
    { lineWidth: 1, invertFilledArea: true, priceFormat: share, priceLineVisible: false, title: 'drawdown' },
    pane,
  );
  own.setData(line(data.times, data.drawdown));
  return {
    series: own,
    paint() {
      const { accent, soft } = colours();
      held.applyOptions({ color: soft });
      own.applyOptions({ lineColor: accent, topColor: `${accent}10`, bottomColor: `${accent}55` });
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
  const long = chart.addSeries(BaselineSeries, { ...base, title: 'long' }, pane);
  const short = chart.addSeries(BaselineSeries, { ...base, title: 'short' }, pane);
  long.setData(line(data.times, exposures.long));
  short.setData(line(data.times, exposures.short));
  const many = data.symbols.length > 1;
  const own = many
    ? chart.addSeries(LineSeries, { ...quiet, lineWidth: 2, priceFormat: share }, pane)
    : undefined;
  return {
    series: long,
    showSymbol(symbol) {
      own?.setData(line(data.times, exposures.of(symbol)));
      own?.applyOptions({ title: data.symbols[symbol] ?? '' });
    },
    paint() {
      const { accent, soft, second } = colours();
      const fill = (colour: string) => ({
        topLineColor: colour,
        bottomLineColor: colour,
        topFillColor1: `${colour}55`,
        topFillColor2: `${colour}22`,
        bottomFillColor1: `${colour}22`,
        bottomFillColor2: `${colour}55`,
      });
      long.applyOptions(fill(accent));
      short.applyOptions(fill(second));
      own?.applyOptions({ color: soft });
    },
  };
}

/** Rolling figures stand on the points that their sessions end in. */
export function rollingPane(
  chart: IChartApi,
  { rolling, times }: PageData,
  pane: number,
): CurvePane | undefined {
  if (rolling === null) return undefined;
  const atPoints = (values: readonly Value[]) => {
    const found = new Map<number, Value>();
    let point = 0;
    for (const [session, seconds] of rolling.times.entries()) {
      while (point + 1 < times.length && times[point + 1]! <= seconds) point += 1;
      found.set(times[point]!, values[session] ?? null);
    }
    // A session without a figure leaves a gap.
    return line([...found.keys()], [...found.values()]);
  };
  const sharpe = chart.addSeries(
    BaselineSeries,
    {
      baseValue: { type: 'price', price: 0 },
      lineWidth: 2,
      priceFormat: plain,
      priceLineVisible: false,
      title: 'Sharpe',
    },
    pane,
  );
  sharpe.setData(atPoints(rolling.sharpe));
  const beta = chart.addSeries(
    LineSeries,
    { lineWidth: 1, lineStyle: LineStyle.Dashed, priceFormat: plain, priceLineVisible: false, title: 'beta' },
    pane,
  );
  beta.setData(atPoints(rolling.beta));
  const volatility = chart.addSeries(
    LineSeries,
    { lineWidth: 1, priceScaleId: 'left-volatility', priceFormat: share, ...quiet, title: 'volatility' },
    pane,
  );
  volatility.setData(atPoints(rolling.volatility));
  return {
    series: sharpe,
    paint() {
      const { accent, soft, second } = colours();
      sharpe.applyOptions({
        topLineColor: accent,
        topFillColor1: `${accent}33`,
        topFillColor2: `${accent}08`,
        bottomLineColor: accent,
        bottomFillColor1: `${accent}08`,
        bottomFillColor2: `${accent}33`,
      });
      beta.applyOptions({ color: soft });
      volatility.applyOptions({ color: second });
    },
  };
}
