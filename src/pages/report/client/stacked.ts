import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';

/** Layer of a stacked chart: one positive or negative value per point. */
export interface Layer {
  readonly values: ArrayLike<number>;
  readonly colour: string;
}

type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

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
      // Draws at most one point per pixel.
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
