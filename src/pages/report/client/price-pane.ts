import {
  CandlestickSeries,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPrimitivePaneRenderer,
  type IPrimitivePaneView,
  type ISeriesApi,
  type ISeriesPrimitive,
  type Logical,
  type SeriesAttachedParameter,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import type { PageData } from '../model/page-data.ts';
import { type Segment, Segments } from './levels.ts';
import { type Colours, colours } from './theme.ts';
import { line, time } from './view.ts';

/** Fill as a mark in the chart: its point on the time axis and its side. */
interface Mark {
  readonly point: number;
  readonly isBuy: boolean;
}

type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

const CELL = 4;
const STRIP = 7;

/**
 * Two strips below the prices, one for buys and one for sells. They replace arrows if there are many fills. A
 * darker colour means more fills.
 */
class DensityStrip implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined;
  #marks: readonly Mark[] = [];
  #colours: readonly [buy: string, sell: string] = ['', ''];

  attached(parameters: SeriesAttachedParameter<Time>): void {
    this.#attached = parameters;
  }

  detached(): void {
    this.#attached = undefined;
  }

  /**
   * Shows fills. If `marks` is empty, clears the strips.
   *
   * @param marks fills in chronological order
   */
  show(marks: readonly Mark[], colours: readonly [buy: string, sell: string]): void {
    this.#marks = marks;
    this.#colours = colours;
    this.#attached?.requestUpdate();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#draw(target) }) }];
  }

  #draw(target: DrawTarget): void {
    const scale = this.#attached?.chart.timeScale();
    if (scale === undefined || this.#marks.length === 0) return;
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      const cells = Math.ceil(mediaSize.width / CELL);
      const counts = [new Uint16Array(cells), new Uint16Array(cells)] as const;
      for (const { point, isBuy } of this.#marks) {
        const x = scale.logicalToCoordinate(point as Logical);
        const cell = x === null ? -1 : Math.floor(x / CELL);
        if (cell >= 0 && cell < cells) counts[isBuy ? 0 : 1][cell]! += 1;
      }
      const most = Math.max(...counts[0], ...counts[1], 1);
      for (const [side, row] of counts.entries()) {
        context.fillStyle = this.#colours[side]!;
        const y = mediaSize.height - (side === 0 ? STRIP : 2 * STRIP + 1);
        for (const [cell, count] of row.entries()) {
          if (count === 0) continue;
          context.globalAlpha = 0.25 + 0.75 * (count / most);
          context.fillRect(cell * CELL, y, CELL, STRIP);
        }
      }
      context.globalAlpha = 1;
    });
  }
}

/** Pane with the prices of one symbol and its fills, trades and resting orders. */
export interface PricePane {
  readonly series: ISeriesApi<'Candlestick'>;
  showSymbol(symbol: number): void;
  /** Highlights a point. Removes the highlight if the point is `undefined`. */
  choose(point: number | undefined): void;
  /** Redraws the pane after a change of colours, selected content or visible range. */
  paint(): void;
}

/**
 * Maximum number of visible points for which arrows of fills also show the quantity. With more points, the
 * texts would overlap.
 */
const MOST_LABELLED_POINTS = 250;
/**
 * Maximum number of visible fills that are drawn as arrows. More fills are drawn as strips (`DensityStrip`).
 */
const MOST_ARROWS = 160;
/**
 * Minimum width of a volume bar, in pixels. Narrower bars are hidden, because they would merge into one area.
 */
const VOLUME_WIDTH = 2.5;

/**
 * Creates the price pane.
 *
 * @param hasLevels returns true if the user wants to see stops, targets and trades
 * @param highlighted point to highlight at the beginning
 * @returns `undefined` without prices
 */
export function pricePane(
  chart: IChartApi,
  data: PageData,
  hasLevels: () => boolean,
  highlighted: number | undefined,
): PricePane | undefined {
  if (data.prices.length === 0) return undefined;
  const candles = chart.addSeries(CandlestickSeries, { borderVisible: false }, 0);
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.14 } });
  const volume = chart.addSeries(
    HistogramSeries,
    {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    },
    0,
  );
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.88, bottom: 0 } });
  const markers = createSeriesMarkers<Time>(candles, []);
  const segments = new Segments();
  const density = new DensityStrip();
  candles.attachPrimitive(segments);
  candles.attachPrimitive(density);
  let symbol = 0;
  let chosen = highlighted;

  const paint = (): void => {
    const colour = colours();
    candles.applyOptions({
      upColor: colour.up,
      downColor: colour.down,
      wickUpColor: colour.up,
      wickDownColor: colour.down,
    });
    const range = chart.timeScale().getVisibleLogicalRange() ?? { from: 0, to: data.times.length };
    const span = range.to - range.from;
    const own = data.fills.filter((fill) => fill.symbol === symbol);
    const inSight = own.filter(({ point }) => point >= range.from && point <= range.to);
    const asArrows = inSight.length <= MOST_ARROWS;
    markers.setMarkers(arrows(data, asArrows ? inSight : [], colour, span <= MOST_LABELLED_POINTS, chosen));
    density.show(asArrows ? [] : own.map(({ point, side }) => ({ point, isBuy: side === 'buy' })), [
      colour.up,
      colour.down,
    ]);
    segments.show(hasLevels() ? segmentsOf(data, symbol, colour, asArrows) : []);
    const isWide = chart.timeScale().width() / Math.max(span, 1) >= VOLUME_WIDTH;
    volume.applyOptions({ color: `${colour.soft}55`, visible: isWide });
  };
  return {
    series: candles,
    paint,
    showSymbol(next) {
      symbol = next;
      const prices = data.prices[next]!;
      const places = data.places[next] ?? 2;
      candles.applyOptions({
        priceFormat: { type: 'price', precision: places, minMove: 10 ** -places },
        title: data.symbols.length > 1 ? (data.symbols[next] ?? '') : '',
      });
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
      volume.setData(
        prices.volume.some((value) => value !== null && value > 0) ? line(data.times, prices.volume) : [],
      );
      paint();
    },
    choose(point) {
      chosen = point;
      paint();
    },
  };
}

function arrows(
  data: PageData,
  fills: PageData['fills'],
  colour: Colours,
  labelled: boolean,
  chosen: number | undefined,
): SeriesMarker<Time>[] {
  const marks = fills.map(
    ({ point, side, quantity, ambiguous }): SeriesMarker<Time> => ({
      time: time(data.times[point]!),
      position: side === 'buy' ? 'belowBar' : 'aboveBar',
      shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
      color: side === 'buy' ? colour.up : colour.down,
      ...(labelled ? { text: `${quantity}${ambiguous ? ' ?' : ''}` } : {}),
    }),
  );
  const at = chosen === undefined ? undefined : data.times[chosen];
  if (at === undefined) return marks;
  marks.push({ time: time(at), position: 'aboveBar', shape: 'circle', color: colour.accent });
  return marks.sort((a, b) => Number(a.time) - Number(b.time));
}

function segmentsOf(data: PageData, symbol: number, colour: Colours, isNear: boolean): Segment[] {
  const levelColour = { stop: colour.down, target: colour.up, limit: colour.soft };
  // If many fills are visible, stops, targets and trades are omitted, because their lines would cover the
  // prices.
  if (!isNear) return [];
  return [
    ...data.levels
      .filter((level) => level.symbol === symbol)
      .map(({ from, to, price, kind }) => ({
        from,
        to,
        fromPrice: price,
        toPrice: price,
        colour: levelColour[kind],
        dashed: true,
      })),
    ...data.trades
      .filter((trade) => trade.symbol === symbol)
      .map(({ from, to, entry, exit, won }) => ({
        from,
        to,
        fromPrice: entry,
        toPrice: exit,
        colour: won ? colour.up : colour.down,
        dashed: false,
      })),
  ];
}
