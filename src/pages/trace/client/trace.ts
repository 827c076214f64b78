import { startTheme } from '../../report/client/theme.ts';
import type { TraceData } from '../step.ts';
import { byId, element } from './dom.ts';
import { shortAmount } from './numbers.ts';
import { overviewChart } from './overview-chart.ts';
import { renderView } from './render.ts';
import { sourceOf, stepsAround } from './source.ts';
import { StepsList } from './steps-list.ts';

startTheme();
const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as TraceData;
const source = sourceOf(data);
const list = new StepsList(source);
const view = byId('view', HTMLDivElement);
const field = byId('bar', HTMLInputElement);
const chart = overviewChart(goTo);
let { bars } = data;

function barOfAddress(): number | undefined {
  const bar = /^#bar=(\d{1,9})$/.exec(location.hash)?.[1];
  return bar === undefined ? undefined : Number(bar);
}

function goTo(bar: number): void {
  location.hash = `bar=${bar}`;
}

async function showAddress(): Promise<void> {
  const bar = barOfAddress();
  const listed = list.show(bar);
  if (bar === undefined) return;
  field.value = String(bar);
  chart?.choose(bar);
  try {
    const found = await source.view(bar);
    const isEmpty = found !== undefined && found.market.length + found.decision.length === 0;
    const around = isEmpty ? await stepsAround(source, bar) : { earlier: undefined, later: undefined };
    if (barOfAddress() !== bar) return;
    view.replaceChildren(
      ...(found === undefined
        ? [
            element(
              'p',
              { class: 'notices' },
              `The journal has no bar ${bar}; its bars are 0 to ${bars - 1}.`,
            ),
          ]
        : renderView(found, bars, around)),
    );
    await listed;
    // On a narrow screen the bar is below its list.
    if (matchMedia('(max-width: 56rem)').matches) byId('step', HTMLElement).scrollIntoView();
  } catch (error) {
    view.replaceChildren(
      element('p', { class: 'notices' }, error instanceof Error ? error.message : String(error)),
    );
  }
}

async function step(direction: 1 | -1): Promise<void> {
  const from = barOfAddress() ?? (direction === 1 ? -1 : bars);
  const bar = await list.neighbour(from, direction);
  if (bar !== undefined) goTo(bar);
}

function overview(): void {
  const select = document.getElementById('symbol');
  const symbol = select instanceof HTMLSelectElement ? Number(select.value) : 0;
  const note = byId('overview-note', HTMLElement);
  source
    .overview(symbol)
    .then((found) => {
      if (found === undefined) return;
      if (found.candles.every((candle) => candle === null)) {
        byId('overview', HTMLDivElement).hidden = true;
        note.textContent = 'The journal has no prices in its bars: nothing can be drawn.';
        return;
      }
      if (found.barsPerPoint > 1)
        note.textContent = `Each candle is ${found.barsPerPoint} bars; a click leads to the first of them.`;
      chart?.show(found);
    })
    .catch((error: unknown) => {
      note.textContent = error instanceof Error ? error.message : String(error);
    });
}

function follow(): void {
  const live = document.getElementById('live');
  if (data.api === null || !data.running || live === null) return;
  const events = new EventSource(`${data.api}/live`);
  events.addEventListener('progress', (event) => {
    const now = JSON.parse(String(event.data)) as {
      bars: number;
      planned: number;
      date: string;
      equity: string;
      outcome: string | null;
    };
    bars = now.bars;
    byId('processed', HTMLElement).textContent =
      `${now.bars.toLocaleString('en-US')} of ${now.planned.toLocaleString('en-US')} bars`;
    live.textContent =
      now.outcome === null
        ? `This run is under way: ${now.date}, equity ${shortAmount(now.equity)}.`
        : `This run has ended: ${now.outcome}, equity ${shortAmount(now.equity)}.`;
    void list.refresh();
    overview();
    if (now.outcome !== null) events.close();
  });
}

addEventListener('hashchange', () => void showAddress());
addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { target } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  const inText = target instanceof HTMLPreElement && target.scrollWidth > target.clientWidth;
  if (inText) return;
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    event.preventDefault();
    void step(event.key === 'ArrowRight' ? 1 : -1);
  }
});
byId('previous', HTMLButtonElement).addEventListener('click', () => void step(-1));
byId('next', HTMLButtonElement).addEventListener('click', () => void step(1));
byId('go', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  if (field.value !== '') goTo(Number(field.value));
});
document.getElementById('symbol')?.addEventListener('change', overview);
overview();
// Whoever opens the trace of a run that failed wants to know where.
if (data.failedBar !== null && barOfAddress() === undefined)
  history.replaceState(null, '', `#bar=${data.failedBar}`);
void showAddress();
follow();
