import { pointText } from '../model/equity-chart.ts';
import type { PageData } from '../model/page-data.ts';

/** Shows the values of the point under the pointer in the chart at the head of the page. */
export function startEquityHover(data: PageData): void {
  const place = document.getElementById('equity');
  const leave = (): void => {
    place?.querySelector('.cross')?.setAttribute('hidden', '');
    const readout = document.getElementById('equity-readout');
    if (readout !== null) readout.textContent = '';
  };
  place?.addEventListener('pointermove', ({ clientX }) => {
    const chart = document.getElementById('equity-curve');
    const box = chart?.querySelector('.pane')?.getBoundingClientRect();
    const cross = chart?.querySelector<HTMLElement>('.cross');
    const readout = document.getElementById('equity-readout');
    if (chart === null || box === undefined || cross == null || readout === null) return;
    const share = (clientX - box.left) / box.width;
    if (share < 0 || share > 1) return leave();
    const [from, to] = [Number(chart.dataset.from), Number(chart.dataset.to)];
    const point = Math.round(from + share * (to - from));
    readout.textContent = pointText(data, point, from);
    const outer = cross.parentElement!.getBoundingClientRect();
    cross.style.left = `${box.left - outer.left + ((point - from) / Math.max(to - from, 1)) * box.width}px`;
    cross.hidden = false;
  });
  place?.addEventListener('pointerleave', leave);
}
