import { AreaSeries, type IChartApi, type ISeriesApi, LineSeries } from 'lightweight-charts';
import { newChart, showDays } from '../../report/client/charts.ts';
import { onThemeChange, runColour, startTheme } from '../../report/client/theme.ts';
import { line, time } from '../../report/client/view.ts';
import { dateText } from '../../report/model/range.ts';
import { signedPercent } from '../../shared/number-formats.ts';
import type { ComparisonData } from '../page.ts';
import type { ComparisonCurve } from '../pictures.ts';

/** Number of points by which an arrow key moves the crosshair while Shift is pressed. */
const FAR = 20;

/** Shows the return of each run at the crosshair as text. The mouse and the arrow keys move the crosshair. */
function startReadout(
  chart: IChartApi,
  curves: readonly ComparisonCurve[],
  drawn: ISeriesApi<'Line'> | undefined,
): void {
  const said = document.getElementById('equity-said');
  const times = [...new Set(curves.flatMap((curve) => curve.times))].sort((one, other) => one - other);
  if (said === null || drawn === undefined || times.length === 0) return;
  let at = times.length - 1;
  const say = (): void => {
    const texts = curves.map(({ name, times: own, equity }) => {
      const point = own.findLastIndex((seconds) => seconds <= times[at]!);
      return `${name} ${point < 0 ? '–' : signedPercent(equity[point]! / 100)}`;
    });
    said.textContent = `${dateText(times[at]!)}: ${texts.join(' · ')}`;
  };
  chart.subscribeCrosshairMove((event) => {
    const place = times.indexOf(Number(event.time));
    if (place < 0) return;
    at = place;
    say();
  });
  document.getElementById('equity-chart')?.addEventListener('keydown', ({ key, shiftKey }) => {
    const step = shiftKey ? FAR : 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - step,
      ArrowRight: at + step,
      Home: 0,
      End: times.length - 1,
    };
    const to = moves[key];
    if (to === undefined) return;
    at = Math.min(Math.max(to, 0), times.length - 1);
    const [first] = curves;
    const point = first!.times.findLastIndex((seconds) => seconds <= times[at]!);
    chart.setCrosshairPosition(first!.equity[Math.max(point, 0)]!, time(times[at]!), drawn);
    say();
  });
}

/** Number of curve colours after the colour of the first run. */
const CURVE_COLOURS = 7;

/** Draws the returns of all runs in one chart, with their drawdowns in a second pane. */
function startOverlay(curves: readonly ComparisonCurve[]): void {
  const chart = curves.length === 0 ? undefined : newChart('equity-chart');
  if (chart === undefined) return;
  showDays(
    chart,
    curves.flatMap(({ times }) => times),
  );
  const percent = { type: 'percent', precision: 1 } as const;
  const series = curves.map((curve, index) => {
    // The price scale has no titles, because long names would cover the curves. The key below the chart
    // contains the names.
    const own = chart.addSeries(LineSeries, { lineWidth: 2, priceFormat: percent });
    own.setData(line(curve.times, curve.equity));
    const below = chart.addSeries(
      AreaSeries,
      { lineWidth: 1, priceFormat: percent, lastValueVisible: false },
      1,
    );
    below.setData(line(curve.times, curve.drawdown));
    return { index, own, below };
  });
  const paint = (): void => {
    for (const { index, own, below } of series) {
      const colour = runColour(index === 0 ? 0 : 1 + ((index - 1) % CURVE_COLOURS));
      own.applyOptions({ color: colour });
      below.applyOptions({ lineColor: colour, topColor: `${colour}00`, bottomColor: `${colour}00` });
    }
  };
  chart.panes()[0]?.setStretchFactor(3);
  chart.panes()[1]?.setStretchFactor(1);
  paint();
  onThemeChange(paint);
  chart.timeScale().fitContent();
  startReadout(chart, curves, series[0]?.own);
}

startTheme();
const { curves } = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as ComparisonData;
startOverlay(curves);
startBaseline();
startSorting();
startFront();

/**
 * Highlights the run under the pointer in all pictures. The pointer may be on a table row or in a picture.
 */
function startFront(): void {
  const readout = document.getElementById('front');
  if (readout === null) return;
  const own = readout.textContent;
  let shown: string | undefined;
  const show = (run: string | undefined): void => {
    if (run === shown) return;
    shown = run;
    for (const old of document.querySelectorAll('.front')) old.classList.remove('front');
    if (run === undefined) {
      readout.textContent = own;
      return;
    }
    for (const mark of document.querySelectorAll<HTMLElement | SVGElement>(`[data-run="${run}"]`)) {
      mark.classList.add('front');
      // SVG draws later elements above earlier ones, so the highlighted element is moved to the end of its
      // parent.
      if (mark instanceof SVGElement) mark.parentElement?.append(mark);
    }
    const title = document.querySelector(`circle[data-run="${run}"] title`)?.textContent;
    readout.textContent =
      title ?? document.querySelector(`path[data-run="${run}"] title`)?.textContent ?? own;
  };
  const runOf = ({ target }: Event): string | undefined =>
    target instanceof Element ? target.closest<HTMLElement>('[data-run]')?.dataset.run : undefined;
  for (const event of ['pointerover', 'focusin', 'click'] as const)
    document.addEventListener(event, (happened) => {
      const run = runOf(happened);
      if (run !== undefined) show(run);
    });
}

/** Sorts a table by the column whose head is clicked. Rows without a value are last in both directions. */
function startSorting(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('table.sortable')) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    for (const [column, head] of heads.entries())
      head.querySelector('button')?.addEventListener('click', () => {
        const direction = head.getAttribute('aria-sort') === 'descending' ? 1 : -1;
        for (const other of heads) other.setAttribute('aria-sort', 'none');
        head.setAttribute('aria-sort', direction === 1 ? 'ascending' : 'descending');
        sort(table, column, direction);
      });
  }
}

function sort(table: HTMLTableElement, column: number, direction: 1 | -1): void {
  const body = table.tBodies[0];
  if (body === undefined) return;
  const keyed = [...body.rows].map((row) => ({ row, value: row.cells[column]?.dataset.value ?? '' }));
  const isNumeric = keyed.every(({ value }) => value === '' || Number.isFinite(Number(value)));
  keyed.sort((one, other) => {
    if (one.value === '' || other.value === '') return Number(one.value === '') - Number(other.value === '');
    const order = isNumeric
      ? Number(one.value) - Number(other.value)
      : one.value.localeCompare(other.value, 'en');
    return direction * order;
  });
  body.replaceChildren(...keyed.map(({ row }) => row));
}

/**
 * Shows the sections for the selected baseline and hides the sections for other baselines. The address of the
 * page contains the baseline, so that a link opens the same view.
 */
function startBaseline(): void {
  const choice = document.getElementById('baseline');
  if (!(choice instanceof HTMLSelectElement)) return;
  const show = (): void => {
    for (const part of document.querySelectorAll<HTMLElement>('[data-baseline]'))
      part.hidden = part.dataset.baseline !== choice.value;
  };
  const read = (): void => {
    const asked = /^#baseline=(\d+)$/.exec(location.hash)?.[1] ?? '0';
    choice.value = [...choice.options].some(({ value }) => value === asked) ? asked : '0';
    show();
  };
  choice.addEventListener('change', () => {
    history.replaceState(null, '', `#baseline=${choice.value}`);
    show();
  });
  addEventListener('hashchange', read);
  read();
}
