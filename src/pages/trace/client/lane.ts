import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { colours } from '../../report/client/theme.ts';
import type { StepKind, StepSummary } from '../step.ts';
import { placeOf } from './comparison.ts';
import { element } from './folding.ts';

/**
 * Appearance of a kind of decision: its name, its letter in `StepSummary.acts`, and its shape. The shape is
 * an SVG path in a square of 10 × 10 units.
 */
export interface KindLook {
  readonly name: string;
  readonly act: string;
  readonly path: string;
  /** Name of the colour variable in the style sheet. */
  readonly colour: 'good' | 'bad' | 'second' | 'soft';
}

/**
 * Kinds of decisions, in the order of the rows of the lane (strip below the prices, see `DecisionLane`). Each
 * kind has its own shape and row, so that colour is not needed to recognise it.
 */
export const LANE_KINDS = ['buy', 'sell', 'refused', 'error', 'hold'] as const satisfies readonly StepKind[];

export const LOOKS: Readonly<Record<StepKind, KindLook>> = {
  buy: { name: 'bought', act: 'b', path: 'M5 1 9.5 9 .5 9Z', colour: 'good' },
  sell: { name: 'sold', act: 's', path: 'M.5 1 9.5 1 5 9Z', colour: 'bad' },
  refused: { name: 'refused', act: 'r', path: 'M1 1H9V9H1ZM3 3V7H7V3Z', colour: 'second' },
  error: {
    name: 'error',
    act: 'e',
    path: 'M2 .5 5 3.5 8 .5 9.5 2 6.5 5 9.5 8 8 9.5 5 6.5 2 9.5 .5 8 3.5 5 .5 2Z',
    colour: 'bad',
  },
  hold: { name: 'held', act: 'h', path: 'M1 4H9V6H1Z', colour: 'soft' },
  market: {
    name: 'the market',
    act: '',
    path: 'M5 2.5A2.5 2.5 0 1 0 5 7.5 2.5 2.5 0 1 0 5 2.5Z',
    colour: 'soft',
  },
};

const SVG = 'http://www.w3.org/2000/svg';

/** Returns the shape of a kind as an icon. If `named` is true, screen readers read the name of the kind. */
export function kindIcon(kind: StepKind, named = true): HTMLElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 10 10');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', LOOKS[kind].path);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return element(
    'span',
    { class: 'kind', style: `--kind: var(--${LOOKS[kind].colour})` },
    svg,
    named ? element('span', { class: 'hidden' }, LOOKS[kind].name) : null,
  );
}

type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];
type Scope = Parameters<Parameters<DrawTarget['useMediaCoordinateSpace']>[0]>[0];
type Canvas = Scope['context'];

/** Height of a row of shapes in pixels. `BARS` is the height of a row of vertical bars. */
const ROW = 13;
const BARS = 18;
/** Distance of a name from the left of the price axis, in pixels. */
const NAME_LEFT = 8;
/**
 * Minimum mean distance between the shapes of a row, in pixels. If the shapes are closer, the row is drawn as
 * a strip. The strip is darker where there are more decisions.
 */
const CLOSE = 7;
const CELL = 4;
/** Maximum distance in pixels between a click and a shape at which the click selects the shape. */
const REACH = 12;

const MEASURES = [
  { name: 'tokens', of: (step: StepSummary) => step.tokens },
  { name: 'ms', of: (step: StepSummary) => step.milliseconds },
] as const;

/**
 * Lane below the prices that shows the decisions of a run. It has one row per kind of decision. Below are
 * vertical bars for tokens and for milliseconds.
 */
export class DecisionLane implements ISeriesPrimitive<Time> {
  #attached: SeriesAttachedParameter<Time> | undefined;
  #steps: readonly StepSummary[] = [];
  #barsPerPoint = 1;
  #last = 0;
  #chosen: number | undefined;
  /**
   * Kinds of decisions that occur in the run. `#measures` contains the measures (tokens, milliseconds) that
   * have values. Each kind and each measure has one row.
   */
  #kinds: readonly (typeof LANE_KINDS)[number][] = [];
  #measures: readonly (typeof MEASURES)[number][] = [];

  attached(parameters: SeriesAttachedParameter<Time>): void {
    this.#attached = parameters;
  }

  detached(): void {
    this.#attached = undefined;
  }

  /**
   * Replaces the displayed steps.
   *
   * @param bars number of bars with candles. Later steps are drawn at the last candle
   */
  show(steps: readonly StepSummary[], barsPerPoint: number, bars: number): void {
    this.#last = Math.max(bars - 1, 0);
    this.#steps = steps;
    this.#barsPerPoint = barsPerPoint;
    this.#kinds = LANE_KINDS.filter((kind) => steps.some(({ acts }) => acts.includes(LOOKS[kind].act)));
    this.#measures = MEASURES.filter(({ of }) => steps.some((step) => of(step) !== null));
    this.#attached?.requestUpdate();
  }

  choose(bar: number): void {
    this.#chosen = bar;
    this.#attached?.requestUpdate();
  }

  /** Height of the lane in pixels. */
  get height(): number {
    return this.#kinds.length * ROW + this.#measures.length * BARS + 6;
  }

  priceAxisPaneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#drawNames(target) }) }];
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#draw(target) }) }];
  }

  /**
   * Returns the bar of the decision nearest to a position in the chart. If no decision is near, returns the
   * bar at the position. `undefined` if the lane has not been drawn yet.
   */
  barAt(x: number, y: number, height: number): number | undefined {
    const place = this.#scale();
    if (place === undefined) return undefined;
    const { at, barOf } = place;
    const row = this.#kinds[Math.floor((y - (height - this.height)) / ROW)];
    const near = this.#steps.filter((step) => Math.abs(at(step.bar) - x) <= REACH);
    const closest = (steps: readonly StepSummary[]): StepSummary | undefined =>
      steps.toSorted((a, b) => Math.abs(at(a.bar) - x) - Math.abs(at(b.bar) - x))[0];
    const own = row === undefined ? [] : near.filter(({ acts }) => acts.includes(LOOKS[row].act));
    return (closest(own) ?? closest(near))?.bar ?? Math.min(barOf(x), this.#last);
  }

  /**
   * Returns two functions: one converts a bar to its horizontal position, the second a position to its bar.
   * The chart library knows only positions of points, and a point may represent several bars.
   */
  #scale(): { readonly at: (bar: number) => number; readonly barOf: (x: number) => number } | undefined {
    const scale = this.#attached?.chart.timeScale();
    const first = scale?.logicalToCoordinate(0 as Logical) ?? null;
    const second = scale?.logicalToCoordinate(1 as Logical) ?? null;
    if (first === null || second === null) return undefined;
    const width = second - first;
    // The library's position of a point is the middle of its bars.
    const middle = (this.#barsPerPoint - 1) / 2;
    return {
      at: (bar) => first + ((Math.min(bar, this.#last) - middle) / this.#barsPerPoint) * width,
      barOf: (x) => Math.max(0, Math.round(((x - first) / width) * this.#barsPerPoint + middle)),
    };
  }

  #draw(target: DrawTarget): void {
    const place = this.#scale();
    if (place === undefined) return;
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      const { at, barOf } = place;
      const top = mediaSize.height - this.height;
      const from = placeOf(this.#steps, barOf(0) - 1);
      const to = placeOf(this.#steps, barOf(mediaSize.width) + 2);
      const colour = colours();
      context.fillStyle = colour.card;
      context.fillRect(0, top, mediaSize.width, this.height);
      this.#drawChosen(context, at, mediaSize.height);
      for (const [row, kind] of this.#kinds.entries()) {
        context.fillStyle = colour[LOOKS[kind].colour];
        const y = top + row * ROW + 1;
        const { act } = LOOKS[kind];
        const own = this.#steps.slice(from, to).filter(({ acts }) => acts.includes(act));
        if (own.length * CLOSE > mediaSize.width) drawStrip(context, at, own, y, mediaSize.width);
        else drawShapes(context, at, own, LOOKS[kind].path, y);
      }
      for (const [row, measure] of this.#measures.entries()) {
        context.fillStyle = colour.accent;
        const foot = top + this.#kinds.length * ROW + (row + 1) * BARS;
        this.#drawBars(context, at, [from, to], measure.of, foot, mediaSize.width);
      }
    });
  }

  /** Draws the names of the rows on the price axis, where they do not cover any shapes. */
  #drawNames(target: DrawTarget): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      const { card, soft } = colours();
      const top = mediaSize.height - this.height;
      context.fillStyle = card;
      context.fillRect(1, top, mediaSize.width, this.height);
      context.font = '11px system-ui, sans-serif';
      context.textBaseline = 'middle';
      context.fillStyle = soft;
      for (const [row, kind] of this.#kinds.entries())
        context.fillText(LOOKS[kind].name, NAME_LEFT, top + (row + 0.5) * ROW);
      for (const [row, { name }] of this.#measures.entries())
        context.fillText(name, NAME_LEFT, top + this.#kinds.length * ROW + (row + 0.6) * BARS);
    });
  }

  #drawBars(
    context: Canvas,
    at: (bar: number) => number,
    range: readonly [number, number],
    of: (step: StepSummary) => number | null,
    foot: number,
    width: number,
  ): void {
    const highest = new Float64Array(Math.ceil(width / CELL));
    for (let place = range[0]; place < range[1]; place++) {
      const step = this.#steps[place]!;
      const cell = Math.floor(at(step.bar) / CELL);
      if (cell >= 0 && cell < highest.length) highest[cell] = Math.max(highest[cell]!, of(step) ?? 0);
    }
    const most = highest.reduce((a, b) => Math.max(a, b), 0);
    for (const [cell, value] of highest.entries()) {
      if (value === 0) continue;
      const height = Math.max(1, (value / most) * (BARS - 4));
      context.fillRect(cell * CELL, foot - height, CELL - 1, height);
    }
  }

  #drawChosen(context: Canvas, at: (bar: number) => number, height: number): void {
    if (this.#chosen === undefined) return;
    context.fillStyle = colours().accent;
    context.globalAlpha = 0.25;
    context.fillRect(at(this.#chosen) - 6, 0, 12, height);
    context.globalAlpha = 1;
  }
}

type Place = (bar: number) => number;

function drawShapes(
  context: Canvas,
  at: Place,
  steps: readonly StepSummary[],
  shape: string,
  y: number,
): void {
  const path = new Path2D(shape);
  for (const step of steps) {
    context.save();
    context.translate(at(step.bar) - 5, y + 1);
    // Steps without a decision, for example with a fill of a stop loss, are drawn as outlines.
    if (step.kind === 'market') {
      context.strokeStyle = context.fillStyle;
      context.stroke(path);
    } else context.fill(path, 'evenodd');
    context.restore();
  }
}

function drawStrip(
  context: Canvas,
  at: Place,
  steps: readonly StepSummary[],
  y: number,
  width: number,
): void {
  const counts = new Uint32Array(Math.ceil(width / CELL));
  for (const step of steps) {
    const cell = Math.floor(at(step.bar) / CELL);
    if (cell >= 0 && cell < counts.length) counts[cell]! += 1;
  }
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  for (const [cell, count] of counts.entries()) {
    if (count === 0) continue;
    context.globalAlpha = 0.3 + 0.7 * (count / most);
    context.fillRect(cell * CELL, y + 1, CELL, ROW - 4);
  }
  context.globalAlpha = 1;
}
