import { startTheme } from '../../report/client/theme.ts';
import { byId, element } from '../../trace/client/folding.ts';
import type { BoardData } from '../board.ts';
import type { ResearchRow, RunRow } from '../run-row.ts';
import { arranged, headElement, type Item, readView, viewAddress } from './arrange.ts';
import { change, messageOf, startDeleting, startLive, startTagging, startToken } from './changes.ts';
import { researchElements } from './research-rows.ts';
import {
  counted,
  MOST_COMPARED,
  type ProcessAction,
  rowElement,
  startCurves,
  updateElement,
  updateRow,
} from './row.ts';
import { searchOf, startViews } from './saved-views.ts';
import { startForm } from './start.ts';

/** Number of rows that are added in one step. Adding thousands of rows in one step would take seconds. */
const PIECE = 100;

startTheme();
const token = startToken();
const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as BoardData;
const rows = new Map(data.rows.map((row) => [row.runId, row]));
const research = new Map(data.research.map((row) => [row.name, row]));
const chosen = new Set<string>();
const open = new Set<string>();
const closed = new Set<string>();
const table = byId('runs', HTMLTableElement);
const body = table.createTBody();
const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
const keys = heads.flatMap((head) => head.dataset.key ?? []);
let view = readView(location.search, keys);
let most = PIECE;
let skipped: readonly string[] = data.skipped;
const search = byId('search', HTMLInputElement);
const byGroup = byId('grouped', HTMLInputElement);
const compare = byId('compare', HTMLButtonElement);
const curve = startCurves();
const drawn = new Map<string, { row: RunRow; readonly element: HTMLTableRowElement }>();
const deleting = startDeleting(token, (runId) => {
  rows.delete(runId);
  chosen.delete(runId);
  draw();
  search.focus();
});
const tagging = startTagging(token, (runId, notes) => {
  const row = rows.get(runId);
  if (row !== undefined) rows.set(runId, { ...row, ...notes });
  draw();
});

const openForm =
  data.mayStart && token !== undefined
    ? startForm(token, ({ folder }) => announce(`${folder} has started.`))
    : undefined;
const newRun = document.getElementById('new-run');
if (newRun !== null && openForm !== undefined) {
  newRun.hidden = false;
  newRun.addEventListener('click', () => openForm());
}

/** Shows a message and announces it to screen readers. */
function announce(text: string): void {
  byId('said', HTMLElement).textContent = text;
}

function act(runId: string, what: ProcessAction): void {
  if (what === 'rerun' || what === 'sweep') {
    openForm?.({ runId, command: what === 'sweep' ? 'sweep' : 'run' });
    return;
  }
  change(token, 'POST', `/api/runs/${encodeURIComponent(runId)}/${what}`)
    .then(() => announce(''))
    .catch((error: unknown) => announce(messageOf(error)));
}

function drawnRow(row: RunRow): HTMLTableRowElement {
  const { runId } = row;
  const known = drawn.get(runId);
  if (known?.row === row) return known.element;
  const made = rowElement(row, {
    chosen: chosen.has(runId),
    mayChange: token !== undefined,
    onChosen: (isChosen) => choose([runId], isChosen),
    onTags: () => tagging(rows.get(runId) ?? row),
    onDelete: () => deleting(rows.get(runId) ?? row),
    onProcess: openForm === undefined ? undefined : (what) => act(runId, what),
  });
  if (known === undefined) drawn.set(runId, { row, element: made });
  else {
    updateRow(known.element, made);
    known.row = row;
  }
  const shown = known?.element ?? made;
  const isLive = row.state === 'running';
  const hasCurve = !['damaged', 'killed'].includes(row.state);
  const wasLive = shown.dataset.live !== undefined;
  shown.toggleAttribute('data-live', isLive);
  if (hasCurve && (isLive || wasLive || shown.querySelector('.curve svg') === null))
    curve(shown, runId, isLive);
  return shown;
}

function elementsOf(item: Item): HTMLTableRowElement[] {
  if (item.kind === 'run') return [drawnRow(item.row)];
  if (item.kind === 'research') return researchOf(item.row);
  return [headOf(item)];
}

/** Displayed heads of groups. `content` identifies everything that a head shows. */
const drawnHeads = new Map<string, { readonly content: string; readonly element: HTMLTableRowElement }>();

function headOf(item: Extract<Item, { readonly kind: 'head' }>): HTMLTableRowElement {
  const { name, runs, research: others, isClosed } = item;
  const content = JSON.stringify([
    isClosed,
    others.length,
    runs.map(({ runId }) => [runId, chosen.has(runId)]),
  ]);
  const known = drawnHeads.get(name);
  if (known?.content === content) return known.element;
  const element = headElement(item, heads.length, {
    isChosen: (runId) => chosen.has(runId),
    onToggle(group) {
      if (!closed.delete(group)) closed.add(group);
      draw();
      heading(group)?.focus();
    },
    onChoose: choose,
  });
  drawnHeads.set(name, { content, element });
  return element;
}

function heading(name: string): HTMLElement | null {
  return body.querySelector(`tr[data-group="${CSS.escape(name)}"] button`);
}

const drawnResearch = new Map<
  string,
  { readonly row: ResearchRow; readonly isOpen: boolean; readonly elements: HTMLTableRowElement[] }
>();

function researchOf(row: ResearchRow): HTMLTableRowElement[] {
  const isOpen = open.has(row.name);
  const known = drawnResearch.get(row.name);
  if (known?.row === row && known.isOpen === isOpen) return known.elements;
  const hadFocus = known?.elements[0]?.contains(document.activeElement) === true;
  const made = researchElements(row, heads.length, isOpen, () => {
    if (!open.delete(row.name)) open.add(row.name);
    draw();
    drawnResearch.get(row.name)?.elements[0]?.querySelector('button')?.focus();
  });
  const isUpdate = known?.isOpen === isOpen && known.elements.length === made.length;
  if (isUpdate) for (const [place, one] of known.elements.entries()) updateElement(one, made[place]!);
  const elements = isUpdate ? known.elements : made;
  drawnResearch.set(row.name, { row, isOpen, elements });
  if (hadFocus && !isUpdate) queueMicrotask(() => made[0]?.querySelector<HTMLElement>('button, a')?.focus());
  return elements;
}

function draw(): void {
  view.search = search.value;
  const finds = searchOf(view.search);
  const found = [...rows.values()].filter(finds);
  const foundResearch = [...research.values()].filter(finds);
  const items = arranged(found, foundResearch, view, closed);
  const wanted = items.slice(0, most).flatMap(elementsOf);
  const focused = document.activeElement;
  placeRows(wanted);
  // Moving an element removes its focus, so the focus is set again.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
  showColumns(items.some(({ kind }) => kind === 'head'));
  for (const head of heads)
    if (head.dataset.key !== undefined)
      head.setAttribute(
        'aria-sort',
        head.dataset.key === view.key ? (view.direction === 1 ? 'ascending' : 'descending') : 'none',
      );
  const address = location.pathname + viewAddress(view);
  // Browsers limit the number of these calls.
  if (address !== location.pathname + location.search) history.replaceState(null, '', address);
  sayHowMany(found.length, foundResearch.length, items.length);
}

/**
 * Changes the rows of the table. Rows that are already in place are not moved. If an update moved the row
 * under the pointer between pressing and releasing the button, the browser would ignore the click.
 */
function placeRows(wanted: readonly HTMLTableRowElement[]): void {
  const kept = new Set(wanted);
  for (const row of [...body.rows]) if (!kept.has(row)) row.remove();
  let next = body.firstElementChild;
  for (const row of wanted) {
    if (row === next) next = next.nextElementSibling;
    else body.insertBefore(row, next);
  }
}

function sayHowMany(runs: number, others: number, items: number): void {
  const isAll = search.value.trim() === '';
  byId('nothing', HTMLParagraphElement).hidden = runs + others > 0;
  const text = isAll ? counted(rows.size, 'run') : `${runs} of ${counted(rows.size, 'run')}`;
  const more = others === 0 ? '' : `, ${counted(others, 'study, sweep or test')}`;
  const count = byId('count', HTMLElement);
  const line = `${text}${more.replace('study, sweep or tests', 'studies, sweeps and tests')}`;
  // The text is set only if it has changed. Otherwise screen readers would announce the same text again.
  if (count.textContent !== line) count.textContent = line;
  byId('more', HTMLParagraphElement).hidden = items <= most;
  byId('show-more', HTMLButtonElement).textContent =
    `Show ${Math.min(PIECE, items - most)} more rows of ${items - most}`;
  compare.disabled = chosen.size < 2 || chosen.size > MOST_COMPARED;
  compare.textContent = chosen.size === 0 ? 'Compare' : `Compare ${chosen.size}`;
  compare.title =
    chosen.size < 2
      ? 'Choose two runs or more'
      : chosen.size > MOST_COMPARED
        ? `A comparison takes at most ${MOST_COMPARED} runs`
        : '';
  const list = byId('skipped', HTMLDetailsElement);
  list.hidden = skipped.length === 0;
  list.querySelector('summary')!.textContent = `${counted(skipped.length, 'folder')} not shown`;
  list
    .querySelector('ul')!
    .replaceChildren(...skipped.map((name) => element('li', {}, element('bdi', {}, name))));
}

/** Columns in the order in which they are hidden if the window is narrow. */
const PRIORITY = [
  'lastBar',
  'modelCost',
  'strategy',
  'state',
  'tradeCount',
  'curve',
  'sharpe',
  'maxDrawdown',
];
/** Matches windows that are narrow enough to show each row as a card. A card has space for all columns. */
const CARDS = matchMedia('(max-width: 40rem)');

/**
 * Shows as many columns as fit, so that the table needs no horizontal scrolling.
 *
 * @param isHeaded true if groups have heads, which already state the strategy
 */
function showColumns(isHeaded: boolean): void {
  const columns = new Map<string, HTMLElement[]>();
  for (const one of table.querySelectorAll<HTMLElement>('[data-column]')) {
    const name = one.dataset.column ?? '';
    const same = columns.get(name);
    if (same === undefined) columns.set(name, [one]);
    else same.push(one);
  }
  const show = (name: string, isShown: boolean): void => {
    for (const one of columns.get(name) ?? []) one.hidden = !isShown;
  };
  for (const name of columns.keys()) show(name, !isHidden(name, isHeaded));
  const dropped: string[] = [];
  const frame = table.parentElement;
  for (const name of CARDS.matches ? [] : PRIORITY) {
    if (frame === null || frame.scrollWidth <= frame.clientWidth) break;
    if (isHidden(name, isHeaded)) continue;
    show(name, false);
    dropped.push(heads.find((head) => head.dataset.column === name)?.textContent ?? name);
  }
  byId('dropped', HTMLElement).textContent =
    dropped.length === 0 ? '' : `Not shown in a window of this width: ${dropped.join(', ')}.`;
}

/**
 * True if a column is hidden: because the user hides it, because it has no values, or because the heads of
 * groups show its values.
 */
function isHidden(column: string, isHeaded: boolean): boolean {
  if (column === 'modelCost' && [...rows.values()].every(({ modelCost }) => modelCost === null)) return true;
  if (column === 'strategy' && isHeaded) return true;
  return view.hidden.has(column);
}

function choose(runIds: readonly string[], isChosen: boolean): void {
  for (const runId of runIds) {
    if (isChosen) chosen.add(runId);
    else chosen.delete(runId);
    const box = drawn.get(runId)?.element.querySelector('input');
    if (box != null) box.checked = isChosen;
  }
  draw();
}

/** Shows the view of an address, as if the address had been opened. */
function show(address: string): void {
  view = readView(address, keys);
  search.value = view.search;
  byGroup.checked = view.isGrouped;
  for (const box of byId('columns', HTMLDetailsElement).querySelectorAll('input'))
    box.checked = !view.hidden.has(box.value);
  most = PIECE;
  draw();
}

for (const head of heads) {
  const key = head.dataset.key as keyof RunRow | undefined;
  if (key === undefined) continue;
  head.querySelector('button')?.addEventListener('click', () => {
    view.direction = view.key === key && view.direction === -1 ? 1 : -1;
    view.key = key;
    draw();
  });
}
byGroup.addEventListener('change', () => {
  view.isGrouped = byGroup.checked;
  draw();
});
for (const box of byId('columns', HTMLDetailsElement).querySelectorAll('input'))
  box.addEventListener('change', () => {
    if (box.checked) view.hidden.delete(box.value);
    else view.hidden.add(box.value);
    draw();
  });
search.addEventListener('input', () => {
  most = PIECE;
  draw();
});
compare.addEventListener('click', () => {
  const names = [...rows.keys()].filter((name) => chosen.has(name));
  location.href = `/compare?${names.map((name) => `run=${encodeURIComponent(name)}`).join('&')}`;
});
const more = byId('show-more', HTMLButtonElement);
const showMore = (): void => {
  most += PIECE;
  draw();
};
more.addEventListener('click', showMore);
new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting) && !byId('more', HTMLElement).hidden) showMore();
  },
  { rootMargin: '400px' },
).observe(more);
startViews(
  () => viewAddress(view),
  (address) => {
    history.pushState(null, '', location.pathname + address);
    show(address);
  },
);
let width = 0;
new ResizeObserver(() => {
  if (width === innerWidth) return;
  width = innerWidth;
  draw();
}).observe(document.body);
addEventListener('popstate', () => show(location.search));
startLive(data, { rows, research, chosen, drawn, onSkipped: (names) => (skipped = names), draw });
if (rows.size + research.size === 0)
  byId('nothing', HTMLParagraphElement).replaceChildren(
    'There is no run here yet. Make one: ',
    element('code', {}, 'npx sandtable run strategies/sma-cross.ts --data data/spx-daily.csv'),
  );
show(location.search);
