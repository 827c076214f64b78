import { element } from '../../trace/client/dom.ts';
import type { RunRow } from '../run-row.ts';
import { stateText, symbolsText, VERDICTS } from './words.ts';

interface RowActions {
  readonly chosen: boolean;
  readonly mayChange: boolean;
  readonly onChosen: (isChosen: boolean) => void;
  readonly onTags: () => void;
  readonly onDelete: () => void;
}

/** Creates the table row of a run. */
export function rowElement(row: RunRow, actions: RowActions): HTMLTableRowElement {
  const path = `/runs/${encodeURIComponent(row.runId)}`;
  const box = element('input', {
    type: 'checkbox',
    'aria-label': `Choose ${row.runId} for comparison`,
    checked: actions.chosen,
  });
  box.addEventListener('change', () => actions.onChosen(box.checked));
  const tags = button('Tags', `Change the tags of ${row.runId}`, actions.onTags);
  const remove = button('Delete', `Delete ${row.runId}`, actions.onDelete);
  const isRunning = row.state === 'running';
  return element(
    'tr',
    { 'data-run': row.runId },
    element('td', { class: 'choose' }, box),
    element(
      'th',
      { scope: 'row' },
      element(
        'a',
        { href: `${path}/report`, title: row.parameters, 'aria-label': `${row.name}, ${row.runId}` },
        element('bdi', {}, row.name),
      ),
      element(
        'small',
        {},
        element('bdi', {}, row.runId),
        ' ',
        element('a', { href: `${path}/trace`, 'aria-label': `trace of ${row.runId}` }, 'trace'),
      ),
    ),
    element(
      'td',
      { class: 'text wide judged', 'data-label': 'Verdict', 'data-column': 'verdict' },
      row.verdict === ''
        ? '–'
        : element('span', { class: 'chip', 'data-state': row.verdict }, VERDICTS[row.verdict]),
      [...row.alarms, row.problem]
        .filter((text) => text !== '')
        .map((text) => element('small', { class: 'bad', title: text }, text)),
    ),
    element('td', { class: 'curve', 'data-column': 'curve' }),
    cell('totalReturn', 'Return', percent(row.totalReturn, true), tone(row)),
    cell('sharpe', 'Sharpe', row.sharpe === null ? '–' : minus(row.sharpe.toFixed(2))),
    cell('maxDrawdown', 'Worst fall', percent(row.maxDrawdown, false)),
    cell('tradeCount', 'Trades', row.tradeCount === null ? '–' : row.tradeCount.toLocaleString('en-US')),
    cell('modelCost', 'Model cost', dollars(row.modelCost)),
    element(
      'td',
      { class: 'text state', title: sealText(row), 'data-column': 'state' },
      element('span', { class: 'chip', 'data-state': row.state }, stateText(row.state)),
      isRunning ? progress(row.bars, row.planned, 'bars', row.runId) : null,
    ),
    element(
      'td',
      { class: 'text wide', 'data-column': 'strategy' },
      element('bdi', {}, row.strategy),
      ' ',
      element('small', {}, element('bdi', {}, symbolsText(row.symbols))),
    ),
    element(
      'td',
      { class: 'text period', 'data-column': 'lastBar' },
      row.firstBar,
      ' ',
      element('br'),
      row.lastBar,
    ),
    element(
      'td',
      { class: 'text wide tags', 'data-column': 'tags' },
      row.tags.map((tag) => element('span', { class: 'tag' }, element('bdi', {}, tag))),
      actions.mayChange ? tags : null,
    ),
    element('td', { class: 'remove' }, actions.mayChange && !isRunning ? remove : null),
  );
}

/**
 * Updates a displayed row cell by cell. Unchanged cells remain in the page, so that they do not lose the
 * focus. The checkbox and the curve are never replaced.
 */
export function updateRow(old: HTMLTableRowElement, now: HTMLTableRowElement): void {
  for (const [place, cell] of [...now.cells].entries()) {
    const before = old.cells[place];
    if (before === undefined || cell.matches('.choose, .curve')) continue;
    cell.hidden = before.hidden;
    if (before.outerHTML !== cell.outerHTML) before.replaceWith(cell);
  }
}

function cell(column: string, label: string, text: string, tone = ''): HTMLTableCellElement {
  return element('td', { class: tone, 'data-label': label, 'data-column': column }, text);
}

function sealText({ openDoors }: RunRow): string {
  return openDoors.length === 0 ? 'sealed' : `not sealed: ${openDoors.join(', ')}`;
}

function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', 'aria-label': label }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** Creates a progress display. Without a bar if the total is unknown. */
export function progress(done: number, planned: number | null, unit: string, of: string): HTMLElement {
  const many = done.toLocaleString('en-US');
  if (planned === null) return element('span', { class: 'live' }, element('small', {}, `${many} ${unit}`));
  const bar = element('progress', { 'aria-label': `Progress of ${of}` });
  bar.max = Math.max(planned, done, 1);
  bar.value = done;
  // The count can exceed the planned total, so the shown total is never less than the count.
  const all = Math.max(planned, done).toLocaleString('en-US');
  return element('span', { class: 'live' }, bar, element('small', {}, `${many} of ${all} ${unit}`));
}

function percent(value: number | null, signed: boolean): string {
  if (value === null) return '–';
  const text = `${(value * 100).toFixed(2)}%`;
  return minus(signed && value > 0 ? `+${text}` : text);
}

function dollars(value: number | null): string {
  return value === null ? '–' : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

function minus(text: string): string {
  return text.replace('-', '−');
}

/** Only a run with the verdict "better" has the colour for good results. */
function tone({ totalReturn, verdict }: RunRow): string {
  if (totalReturn === null || totalReturn === 0) return '';
  return totalReturn < 0 ? 'bad' : verdict === 'better' ? 'good' : '';
}
