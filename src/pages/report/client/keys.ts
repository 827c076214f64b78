import { ROLLING_NAMES } from '../model/page-data.ts';
import { zoom } from './charts.ts';
import type { TimeChart } from './time-chart.ts';
import type { ViewStore } from './view.ts';

/** Actions of the keys while the chart has the focus. */
interface KeyActions {
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

/**
 * Prepares the checkboxes that select the content of the time chart. The page's address contains the
 * selection.
 */
export function startDrawn(view: ViewStore, time: TimeChart | undefined): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-pane]')];
  const rolling = document.getElementById('rolling') as HTMLSelectElement | null;
  const logarithmic = document.getElementById('log-scale') as HTMLInputElement | null;
  const show = (): void => {
    const hidden = view.now.hidden.split(',');
    for (const box of boxes) box.checked = !hidden.includes(box.dataset.pane ?? '');
    if (rolling !== null) rolling.value = view.now.rolling;
    if (logarithmic !== null) logarithmic.checked = view.now.isLogarithmic;
  };
  for (const box of boxes)
    box.addEventListener('change', () => {
      const hidden = boxes.filter(({ checked }) => !checked).map(({ dataset }) => dataset.pane);
      view.change({ hidden: hidden.join(',') });
    });
  rolling?.addEventListener('change', () => {
    view.change({ rolling: ROLLING_NAMES.find((name) => name === rolling.value) ?? ROLLING_NAMES[0] });
  });
  logarithmic?.addEventListener('change', () => view.change({ isLogarithmic: logarithmic.checked }));
  view.onChange((now, before) => {
    const isSame =
      now.hidden === before.hidden &&
      now.rolling === before.rolling &&
      now.isLogarithmic === before.isLogarithmic;
    if (isSame) return;
    show();
    time?.draw(now);
  });
  show();
}
