/** Makes the trades table sortable and filterable; a chosen row is handed on. */
export function startTradesTable(onChosen: (row: HTMLTableRowElement) => void): void {
  const table = document.getElementById('trades');
  const body = table?.querySelector('tbody');
  if (!(table instanceof HTMLTableElement) || body === null || body === undefined) return;
  const rows = [...body.rows];
  for (const [column, header] of [...table.tHead!.rows[0]!.cells].entries()) {
    header.querySelector('button')?.addEventListener('click', () => {
      const direction = header.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
      for (const other of table.tHead!.rows[0]!.cells) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', direction);
      sort(rows, column, header.dataset.kind === 'number', direction === 'ascending' ? 1 : -1);
      body.append(...rows);
    });
  }
  startFilter(rows);
  body.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    if (row === null) return;
    for (const other of rows) other.classList.toggle('chosen', other === row);
    onChosen(row);
  });
}

function sort(rows: HTMLTableRowElement[], column: number, numeric: boolean, direction: number): void {
  const key = (row: HTMLTableRowElement): string => {
    const cell = row.cells[column]!;
    return cell.dataset.sort ?? cell.textContent ?? '';
  };
  rows.sort((a, b) => {
    const order = numeric ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b), 'en');
    return direction * order;
  });
}

function startFilter(rows: readonly HTMLTableRowElement[]): void {
  const input = document.getElementById('trade-filter');
  const count = document.getElementById('trade-count');
  if (!(input instanceof HTMLInputElement) || count === null) return;
  const texts = rows.map((row) => (row.textContent ?? '').toLowerCase());
  input.addEventListener('input', () => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    let shown = 0;
    for (const [index, row] of rows.entries()) {
      row.hidden = !words.every((word) => texts[index]!.includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent = words.length === 0 ? `${rows.length} trades` : `${shown} of ${rows.length} trades`;
  });
}
