import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';

/** Position of a fill on the time axis and its side. */
export interface Mark {
  readonly point: number;
  readonly isBuy: boolean;
}

type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

const CELL = 4;
const STRIP = 7;

/**
 * Draws two strips below the prices where fills are too dense for arrows: one for buys, one for sells. Darker
 * means more fills.
 */
export class DensityStrip implements ISeriesPrimitive<Time> {
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
   * Shows marks, or clears the strips if `marks` is empty.
   *
   * @param marks fills in order of time
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
