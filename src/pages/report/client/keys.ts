import { zoom } from './charts.ts';
import type { TimeChart } from './time-chart.ts';

/** Actions of the keys while the chart has the focus. */
export interface KeyActions {
  /** Returns the point of the crosshair. */
  readonly at: () => number;
  readonly move: (to: number) => void;
  readonly stepFill: (direction: 1 | -1) => void;
  readonly choose: (point: number) => void;
}

const FAR = 20;

/** Makes the chart usable with the keyboard. */
export function startKeys(time: TimeChart, last: number, { at, move, stepFill, choose }: KeyActions): void {
  const container = document.getElementById('time-chart');
  container?.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? FAR : 1;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(at() - step),
      ArrowRight: () => move(at() + step),
      Home: () => move(0),
      End: () => move(last),
      '+': () => zoom(time.chart, 0.7, at()),
      '=': () => zoom(time.chart, 0.7, at()),
      '-': () => zoom(time.chart, 1.4, at()),
      f: () => stepFill(1),
      F: () => stepFill(-1),
      Enter: () => choose(at()),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
