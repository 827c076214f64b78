/** Sorts a table by the column whose head is clicked. Rows without a value are last in both directions. */
export function startSorting(): void {
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
