import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';

/** A straight line between two points of time and price. */
export interface Segment {
  readonly from: Time;
  readonly to: Time;
  readonly fromPrice: number;
  readonly toPrice: number;
  readonly colour: string;
  readonly dashed: boolean;
}

type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

/** Draws segments over a price series: stops, targets, and trades from entry to exit. */
export class Segments implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined;
  #segments: readonly Segment[] = [];

  attached(parameters: SeriesAttachedParameter<Time>): void {
    this.#attached = parameters;
  }

  detached(): void {
    this.#attached = undefined;
  }

  show(segments: readonly Segment[]): void {
    this.#segments = segments;
    this.#attached?.requestUpdate();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#draw(target) }) }];
  }

  #draw(target: DrawTarget): void {
    const { chart, series } = this.#attached ?? {};
    if (chart === undefined || series === undefined) return;
    const scale = chart.timeScale();
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const segment of this.#segments) {
        const [x1, x2] = [scale.timeToCoordinate(segment.from), scale.timeToCoordinate(segment.to)];
        if (x1 === null || x2 === null || x2 < 0 || x1 > mediaSize.width) continue;
        const y1 = series.priceToCoordinate(segment.fromPrice);
        const y2 = series.priceToCoordinate(segment.toPrice);
        if (y1 === null || y2 === null) continue;
        context.beginPath();
        context.setLineDash(segment.dashed ? [4, 3] : []);
        context.lineWidth = segment.dashed ? 1 : 1.5;
        context.strokeStyle = segment.colour;
        context.moveTo(x1, y1);
        context.lineTo(Math.max(x2, x1 + 1), y2);
        context.stroke();
      }
      context.setLineDash([]);
    });
  }
}
