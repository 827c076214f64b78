import { element } from '../../trace/client/folding.ts';
import type { Inside, ResearchRow } from '../run-row.ts';
import { progress } from './row.ts';

/**
 * Creates the table row of a study, sweep, stress test or sample set, and a row with its expandable details.
 *
 * @param columns number of columns of the table
 * @param onOpen called when the user opens or closes the row
 */
export function researchElements(
  row: ResearchRow,
  columns: number,
  isOpen: boolean,
  onOpen: () => void,
): HTMLTableRowElement[] {
  const id = `inside-${row.name}`;
  const name = element('bdi', {}, row.title);
  const link = row.hasPage
    ? element(
        'a',
        { href: `/research/${encodeURIComponent(row.name)}`, 'aria-label': `${row.title}, ${row.name}` },
        name,
      )
    : element('span', {}, name);
  const small = element('small', {}, element('bdi', {}, row.name));
  const toggle = element(
    'button',
    {
      type: 'button',
      class: 'toggle',
      'aria-expanded': String(isOpen),
      'aria-label': `What is inside ${row.title} ${row.name}`,
    },
    isOpen ? '▾' : '▸',
  );
  toggle.addEventListener('click', onOpen);
  const { tone, word, text } = row.answer;
  const head = element(
    'tr',
    { class: 'research', 'data-research': row.name },
    element('td', { class: 'choose' }, row.inside.length === 0 ? null : toggle),
    element('th', { scope: 'row' }, link, small),
    element(
      'td',
      { class: 'text about', colspan: String(columns - 2) },
      element('span', { class: 'chip quiet', 'data-kind': row.kind }, row.kind),
      ' ',
      row.state === 'finished'
        ? null
        : element('span', { class: 'chip', 'data-state': row.state }, row.state),
      ' ',
      word === '' ? null : element('span', { class: 'chip', 'data-tone': tone }, word),
      ' ',
      element('span', {}, row.what),
      row.state === 'running' ? progress(row.done, row.planned, row.unit, row.title) : null,
      row.state === 'stopped' ? element('small', {}, stoppedText(row)) : null,
      text === '' ? null : element('small', {}, text),
      row.problem === '' ? null : element('small', { class: 'bad' }, row.problem),
    ),
  );
  if (!isOpen || row.inside.length === 0) return [head];
  toggle.setAttribute('aria-controls', id);
  const inside = element(
    'tr',
    { class: 'inside', id },
    element('td', { class: 'choose' }),
    element('td', { class: 'text', colspan: String(columns - 1) }, row.inside.map(table)),
  );
  return [head, inside];
}

function stoppedText({ done, planned, unit }: ResearchRow): string {
  const all = planned === null ? '' : ` of ${planned.toLocaleString('en-US')}`;
  return `${done.toLocaleString('en-US')}${all} ${unit} done.`;
}

function table({ title, head, rows, more }: Inside): HTMLElement {
  const body = rows.map(({ cells, run }) =>
    element(
      'tr',
      {},
      cells.map((text, place) =>
        place > 0
          ? element('td', {}, text)
          : element(
              'th',
              { scope: 'row' },
              run === undefined
                ? element('bdi', {}, text)
                : element('a', { href: `/runs/${encodeURIComponent(run)}/report` }, element('bdi', {}, text)),
            ),
      ),
    ),
  );
  return element(
    'div',
    { class: 'frame', tabindex: '0', role: 'group', 'aria-label': title },
    element(
      'table',
      {},
      element('caption', {}, title),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          head.map((text) => element('th', { scope: 'col' }, text)),
        ),
      ),
      element('tbody', {}, body),
    ),
    more === 0
      ? null
      : element('p', { class: 'note' }, `and ${more.toLocaleString('en-US')} more in its folder`),
  );
}
