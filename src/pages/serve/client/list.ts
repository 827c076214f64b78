import { startTheme } from '../../report/client/theme.ts';
import { byId, element } from '../../trace/client/dom.ts';
import type { ListData } from '../list-page.ts';
import type { RunRow } from '../run-store.ts';
import { startDeleting, startTagging } from './changes.ts';
import { readView, viewAddress } from './list-view.ts';
import { rowElement, searchText, symbolsText } from './row.ts';
import { startToken } from './token.ts';

startTheme();
const token = startToken();
const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as ListData;
const rows = new Map(data.rows.map((row) => [row.runId, row]));
const chosen = new Set<string>();
const table = byId('runs', HTMLTableElement);
const body = table.tBodies[0] ?? table.createTBody();
const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
const order = readView(
  location.search,
  heads.flatMap((head) => head.dataset.key ?? []),
);
const search = byId('search', HTMLInputElement);
const compare = byId('compare', HTMLButtonElement);
const drawn = new Map<string, { readonly row: RunRow; readonly element: HTMLTableRowElement }>();
const deleting = startDeleting(token, (runId) => {
  rows.delete(runId);
  chosen.delete(runId);
  draw();
  search.focus();
});
const tagging = startTagging(token, (runId, tags) => {
  const row = rows.get(runId);
  if (row !== undefined) rows.set(runId, { ...row, tags });
  draw();
});

function drawnRow(row: RunRow): HTMLTableRowElement {
  const known = drawn.get(row.runId);
  if (known?.row === row) return known.element;
  const made = rowElement(row, {
    chosen: chosen.has(row.runId),
    mayChange: token !== undefined,
    onChosen: (isChosen) => choose(row.runId, isChosen),
    onTags: () => tagging(rows.get(row.runId) ?? row),
    onDelete: () => deleting(row),
  });
  drawn.set(row.runId, { row, element: made });
  return made;
}

function draw(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...rows.values()]
    .filter((row) => words.every((word) => searchText(row).includes(word)))
    .sort(inOrder);
  // The element that has the focus keeps it only while it stays in the page.
  const wanted = order.isGrouped ? grouped(found) : found.map(drawnRow);
  const isSame = wanted.length === body.rows.length && wanted.every((row, place) => body.rows[place] === row);
  if (!isSame) {
    const focused = document.activeElement;
    body.replaceChildren(...wanted);
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
  }
  for (const cell of table.querySelectorAll<HTMLElement>('[data-column]'))
    cell.hidden = isHidden(cell.dataset.column ?? '');
  for (const head of heads) {
    const isSorted = head.dataset.key === order.key;
    if (head.dataset.key !== undefined)
      head.setAttribute(
        'aria-sort',
        isSorted ? (order.direction === 1 ? 'ascending' : 'descending') : 'none',
      );
  }
  order.search = search.value;
  history.replaceState(null, '', location.pathname + viewAddress(order));
  byId('nothing', HTMLParagraphElement).hidden = found.length > 0;
  byId('count', HTMLElement).textContent =
    words.length === 0
      ? `${rows.size} ${rows.size === 1 ? 'run' : 'runs'}`
      : `${found.length} of ${rows.size} runs`;
  compare.disabled = chosen.size < 2;
  compare.textContent = chosen.size < 2 ? 'Compare' : `Compare ${chosen.size}`;
  compare.title = chosen.size < 2 ? 'Choose two runs or more' : '';
}

/** What a reader hides, what no run has, and what the heads of groups say already. */
function isHidden(column: string): boolean {
  if (column === 'modelCost' && [...rows.values()].every(({ modelCost }) => modelCost === null)) return true;
  if (column === 'strategy' && body.querySelector('.group-head') !== null) return true;
  return order.hidden.has(column);
}

/** Rows by strategy and symbols, each group where its first row is; a single group needs no head. */
function grouped(found: readonly RunRow[]): HTMLTableRowElement[] {
  const groups = new Map<string, RunRow[]>();
  for (const row of found) {
    const name = [row.strategy || 'unreadable', symbolsText(row.symbols)].filter(Boolean).join(' on ');
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  if (groups.size < 2) return found.map(drawnRow);
  return [...groups].flatMap(([name, own]) => {
    const text = `${name} · ${own.length} ${own.length === 1 ? 'run' : 'runs'}`;
    const head = element('th', { scope: 'rowgroup', colspan: String(heads.length) }, text);
    return [element('tr', { class: 'group-head' }, head), ...own.map(drawnRow)];
  });
}

function choose(runId: string, isChosen: boolean): void {
  if (isChosen) chosen.add(runId);
  else chosen.delete(runId);
  draw();
}

function inOrder(a: RunRow, b: RunRow): number {
  const [one, other] = [a[order.key], b[order.key]];
  // What has no figure comes last, whichever way the rest is sorted.
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const difference =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one) < String(other)
        ? -1
        : Number(String(one) > String(other));
  return order.direction * difference;
}

for (const head of heads) {
  const key = head.dataset.key as keyof RunRow | undefined;
  if (key === undefined) continue;
  head.querySelector('button')?.addEventListener('click', () => {
    order.direction = order.key === key && order.direction === -1 ? 1 : -1;
    order.key = key;
    draw();
  });
}
const byGroup = byId('grouped', HTMLInputElement);
byGroup.checked = order.isGrouped;
byGroup.addEventListener('change', () => {
  order.isGrouped = byGroup.checked;
  draw();
});
for (const box of byId('columns', HTMLDetailsElement).querySelectorAll('input')) {
  box.checked = !order.hidden.has(box.value);
  box.addEventListener('change', () => {
    if (box.checked) order.hidden.delete(box.value);
    else order.hidden.add(box.value);
    draw();
  });
}
search.value = order.search;
search.addEventListener('input', draw);
compare.addEventListener('click', () => {
  const names = [...rows.keys()].filter((name) => chosen.has(name));
  location.href = `/compare?${names.map((name) => `run=${encodeURIComponent(name)}`).join('&')}`;
});

new EventSource('/api/live').addEventListener('rows', (event) => {
  const { changed, gone } = JSON.parse(String(event.data)) as { changed: RunRow[]; gone: string[] };
  for (const row of changed) {
    if (JSON.stringify(rows.get(row.runId)) !== JSON.stringify(row)) rows.set(row.runId, row);
  }
  for (const name of gone) {
    rows.delete(name);
    chosen.delete(name);
  }
  draw();
});
if (rows.size === 0)
  byId('nothing', HTMLParagraphElement).replaceChildren(
    'There is no run here yet. Make one: ',
    element('code', {}, 'npx sandtable run strategies/sma-cross.ts --data data/spx-daily.csv'),
  );
draw();
