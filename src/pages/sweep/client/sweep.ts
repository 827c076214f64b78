import { startTheme } from '../../report/client/theme.ts';

startTheme();
startMeasures();
startAxes();
startReadouts();
startTrials();

/** Colours the cells of all heatmaps by the measure that the user selects. */
function startMeasures(): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-measure]')];
  const strong = Number(document.querySelector<HTMLElement>('[data-strong]')?.dataset.strong);
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      const measure = button.dataset.measure ?? 'best';
      for (const cell of document.querySelectorAll<SVGRectElement>('.heatmap .cell')) {
        const opacity = cell.dataset[measure] ?? '0';
        cell.setAttribute('fill-opacity', opacity);
        cell.classList.toggle('strong', Number(opacity) >= strong);
      }
      for (const text of document.querySelectorAll<SVGTextElement>('.heatmap .value'))
        text.textContent = text.dataset.texts?.split('|')[buttons.indexOf(button)] ?? '';
      showScale();
    });
  }
}

/** Shows the worst and the best value of the visible heatmap at the two ends of the colour scale. */
function showScale(): void {
  const [low, high] = [document.getElementById('scale-low'), document.getElementById('scale-high')];
  const figure = document.querySelector<HTMLElement>('.maps figure:not([hidden])');
  const measures = [...document.querySelectorAll('[data-measure]')];
  const chosen = measures.findIndex((one) => one.getAttribute('aria-pressed') === 'true');
  const [worst = '', best = ''] = figure?.dataset.ends?.split('/')[Math.max(chosen, 0)]?.split('|') ?? [];
  if (low !== null) low.textContent = worst;
  if (high !== null) high.textContent = best;
}

/** Shows the heatmap of the selected pair of parameters. */
function startAxes(): void {
  const figures = [...document.querySelectorAll<HTMLElement>('.maps figure')];
  const axes = document.getElementById('axes');
  const show = (): void => {
    if (axes instanceof HTMLSelectElement)
      for (const [place, figure] of figures.entries()) figure.hidden = String(place) !== axes.value;
    showScale();
  };
  axes?.addEventListener('change', show);
  show();
}

/**
 * Returns the address of a stored run's report. The address depends on whether the page was opened as a file
 * or from a server.
 */
function reportOf(run: string): string {
  if (location.protocol === 'file:') return `runs/${run}/report.html`;
  const sweep = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
  return `/runs/${encodeURIComponent(`${sweep}/runs/${run}`)}/report`;
}

/**
 * Makes a click on a cell open the report of the best trial in the cell. If the run of this trial was not
 * stored, shows its parameters instead.
 */
function startTrials(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-run]'))
    link.href = reportOf(link.dataset.run ?? '');
  for (const cell of document.querySelectorAll<SVGRectElement>('.heatmap .cell[data-trial]'))
    cell.addEventListener('click', () => {
      const { run, trial = '' } = cell.dataset;
      if (run !== undefined) {
        location.href = reportOf(run);
        return;
      }
      const readout = cell.closest('figure')?.querySelector('.readout');
      if (readout != null)
        readout.textContent = `Best trial of this cell: ${trial}. Its run was not stored: sweep with --keep all to open it.`;
    });
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
