import { type RowColumns, rowsOfColumns } from '../trade-row.ts';

/** Rows in the page at once: more would take a browser seconds to lay out. */
const MOST_ROWS = 100;

/**
 * Makes the trades table sortable and filterable; a chosen row is handed on.
 *
 * @param rest rows beyond those in the page, which are made once somebody wants to see them
 */
export function startTradesTable(
  rest: RowColumns | null,
  onChosen: (row: HTMLTableRowElement) => void,
): void {
  const table = document.getElementById('trades');
  if (!(table instanceof HTMLTableElement) || table.tBodies[0] === undefined) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const all = rows.length + (rest?.id.length ?? 0);
  const makeRest = (): void => {
    if (rest === null || rows.length === all) return;
    const made = document.createElement('template');
    made.innerHTML = rowsOfColumns(rest);
    rows.push(...made.content.querySelectorAll('tr'));
  };
  const texts = new Map<HTMLTableRowElement, string>();
  const filter = document.getElementById('trade-filter');
  const said = document.getElementById('trade-count');
  const more = document.getElementById('trades-more');
  let shown = MOST_ROWS;

  const draw = (): void => {
    const words = filter instanceof HTMLInputElement ? wordsOf(filter.value) : [];
    if (words.length > 0 || shown > MOST_ROWS) makeRest();
    const found = words.length === 0 ? rows : rows.filter((row) => says(row, words, texts));
    body.replaceChildren(...found.slice(0, shown));
    const count = words.length === 0 ? all : found.length;
    const part = count > shown ? `, ${shown.toLocaleString('en-US')} shown` : '';
    const total = all.toLocaleString('en-US');
    if (said !== null)
      said.textContent = `${words.length === 0 ? '' : `${count.toLocaleString('en-US')} of `}${total} trades${part}`;
    if (more !== null) more.hidden = count <= shown;
  };
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])];
  for (const [column, header] of headers.entries()) {
    header.querySelector('button')?.addEventListener('click', () => {
      const direction = header.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
      for (const other of headers) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', direction);
      makeRest();
      sort(rows, column, header.dataset.kind === 'number', direction === 'ascending' ? 1 : -1);
      draw();
    });
  }
  filter?.addEventListener('input', () => {
    shown = MOST_ROWS;
    draw();
  });
  more?.addEventListener('click', () => {
    shown += MOST_ROWS;
    draw();
  });
  body.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    if (row === null) return;
    for (const other of rows) other.classList.toggle('chosen', other === row);
    onChosen(row);
  });
  draw();
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function says(
  row: HTMLTableRowElement,
  words: readonly string[],
  texts: Map<HTMLTableRowElement, string>,
): boolean {
  const text = texts.get(row) ?? (row.textContent ?? '').toLowerCase();
  texts.set(row, text);
  return words.every((word) => text.includes(word));
}

function sort(rows: HTMLTableRowElement[], column: number, numeric: boolean, direction: number): void {
  const keys = new Map<HTMLTableRowElement, string | number>();
  for (const row of rows) {
    const cell = row.cells[column];
    const text = cell?.dataset.sort ?? cell?.textContent ?? '';
    keys.set(row, numeric ? Number(text) : text.toLowerCase());
  }
  rows.sort((a, b) => {
    const [one, other] = [keys.get(a) ?? '', keys.get(b) ?? ''];
    return one < other ? -direction : one > other ? direction : 0;
  });
}
