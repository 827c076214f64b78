import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';

/** Line between two positions in the chart. `from` and `to` are point numbers on the time axis. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly fromPrice: number;
  readonly toPrice: number;
  readonly colour: string;
  readonly dashed: boolean;
}

type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

/** Draws lines over a price series: stops, targets, and trades from entry to exit. */
export class Segments implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined;
  #segments: readonly Segment[] = [];
  /** Lines in groups of the same colour and style. */
  #groups: readonly (readonly [Segment, ...Segment[]])[] = [];

  attached(parameters: SeriesAttachedParameter<Time>): void {
    this.#attached = parameters;
  }

  detached(): void {
    this.#attached = undefined;
  }

  show(segments: readonly Segment[]): void {
    this.#segments = segments;
    const groups = new Map<string, [Segment, ...Segment[]]>();
    for (const segment of segments) {
      const kind = `${segment.colour} ${segment.dashed}`;
      const known = groups.get(kind);
      if (known === undefined) groups.set(kind, [segment]);
      else known.push(segment);
    }
    this.#groups = [...groups.values()];
    this.#attached?.requestUpdate();
  }

  /** Extends the price axis so that stops and targets outside the candles are visible. */
  autoscaleInfo(start: Logical, end: Logical): AutoscaleInfo | null {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { from, to, fromPrice, toPrice } of this.#segments) {
      if (to < start || from > end) continue;
      low = Math.min(low, fromPrice, toPrice);
      high = Math.max(high, fromPrice, toPrice);
    }
    return low > high ? null : { priceRange: { minValue: low, maxValue: high } };
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#draw(target) }) }];
  }

  #draw(target: DrawTarget): void {
    const { chart, series } = this.#attached ?? {};
    const range = chart?.timeScale().getVisibleLogicalRange();
    if (chart === undefined || series === undefined || range === null || range === undefined) return;
    const scale = chart.timeScale();
    target.useMediaCoordinateSpace(({ context }) => {
      for (const group of this.#groups) {
        const [{ colour, dashed }] = group;
        // Each group is one path, because drawing each line separately would take a hundred times as long.
        context.beginPath();
        context.setLineDash(dashed ? [4, 3] : []);
        context.lineWidth = dashed ? 1 : 1.5;
        context.strokeStyle = colour;
        for (const segment of group) {
          if (segment.to < range.from || segment.from > range.to) continue;
          const x1 = scale.logicalToCoordinate(segment.from as Logical);
          const x2 = scale.logicalToCoordinate(segment.to as Logical);
          const y1 = series.priceToCoordinate(segment.fromPrice);
          const y2 = series.priceToCoordinate(segment.toPrice);
          if (x1 === null || x2 === null || y1 === null || y2 === null) continue;
          context.moveTo(x1, y1);
          context.lineTo(Math.max(x2, x1 + 1), y2);
        }
        context.stroke();
      }
      context.setLineDash([]);
    });
  }
}

/** Layer of a stacked chart: one positive or negative value per point. */
interface Layer {
  readonly values: ArrayLike<number>;
  readonly colour: string;
}

/** Draws stacked layers. Positive values stack upwards, negative values downwards. */
export class StackedAreas implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined;
  #layers: readonly Layer[] = [];

  attached(parameters: SeriesAttachedParameter<Time>): void {
    this.#attached = parameters;
  }

  detached(): void {
    this.#attached = undefined;
  }

  show(layers: readonly Layer[]): void {
    this.#layers = layers;
    this.#attached?.requestUpdate();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'normal', renderer: () => ({ draw: (target) => this.#draw(target) }) }];
  }

  #draw(target: DrawTarget): void {
    const { chart, series } = this.#attached ?? {};
    const scale = chart?.timeScale();
    const range = scale?.getVisibleLogicalRange();
    const count = this.#layers[0]?.values.length ?? 0;
    if (scale === undefined || series === undefined || !range || count === 0) return;
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      const first = Math.max(0, Math.floor(range.from) - 1);
      const last = Math.min(count - 1, Math.ceil(range.to) + 1);
      // Skips points so that at most one point per pixel is drawn.
      const step = Math.max(1, Math.floor((last - first) / Math.max(mediaSize.width, 1)));
      const points: number[] = [];
      for (let point = first; point < last; point += step) points.push(point);
      points.push(last);
      const xs = points.map((point) => scale.logicalToCoordinate(point as Logical) ?? 0);
      const y = (value: number): number => series.priceToCoordinate(value) ?? 0;
      context.globalAlpha = 0.75;
      for (const sign of [1, -1]) {
        const floor = new Float64Array(points.length);
        for (const { values, colour } of this.#layers) {
          const top = floor.map((value, at) => value + sign * Math.max(0, sign * values[points[at]!]!));
          if (top.every((value, at) => value === floor[at])) continue;
          context.beginPath();
          for (const [at, x] of xs.entries()) context.lineTo(x, y(top[at]!));
          for (let at = xs.length - 1; at >= 0; at--) context.lineTo(xs[at]!, y(floor[at]!));
          context.fillStyle = colour;
          context.fill();
          floor.set(top);
        }
      }
      context.globalAlpha = 1;
    });
  }
}
