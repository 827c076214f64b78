import { ROLLING_NAMES } from '../model/page-data.ts';
import type { TimeChart } from './time-chart.ts';
import type { ViewStore } from './view.ts';

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
