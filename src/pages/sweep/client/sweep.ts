import { startTheme } from '../../report/client/theme.ts';

startTheme();
startMeasures();
startReadouts();

/** Colours all heatmaps by the selected measure. */
function startMeasures(): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-measure]')];
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      const measure = button.dataset.measure ?? 'best';
      for (const cell of document.querySelectorAll<SVGRectElement>('.heatmap .cell'))
        cell.setAttribute('fill-opacity', cell.dataset[measure] ?? '0');
    });
  }
}

/** Shows the values of the cell under the pointer below a heatmap. */
function startReadouts(): void {
  for (const map of document.querySelectorAll<SVGSVGElement>('.heatmap')) {
    const readout = map.parentElement?.querySelector('.readout');
    if (readout == null) continue;
    const own = readout.textContent;
    map.addEventListener('pointermove', ({ target }) => {
      const words = target instanceof Element ? target.querySelector('title')?.textContent : undefined;
      readout.textContent = words ?? own;
    });
    map.addEventListener('pointerleave', () => {
      readout.textContent = own;
    });
  }
}
