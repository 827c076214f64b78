import type { VerdictState } from '../../../analysis/index.ts';
import { element } from '../../trace/client/dom.ts';
import type { RunRow } from '../run-store.ts';

interface RowActions {
  readonly chosen: boolean;
  readonly mayChange: boolean;
  readonly onChosen: (isChosen: boolean) => void;
  readonly onTags: () => void;
  readonly onDelete: () => void;
}

// The pages' scripts take no code of the program's: its words are here again, and a test keeps them the same.
const VERDICTS = {
  broke: 'Broke',
  incomplete: 'Incomplete',
  no_evidence: 'No evidence',
  indistinguishable: 'Indistinguishable',
  worse: 'Worse',
  better: 'Better',
} as const satisfies Record<VerdictState, string>;

/** Everything of a run that a search looks at, in small letters. */
export function searchText(row: RunRow): string {
  const verdict = row.verdict === '' ? '' : VERDICTS[row.verdict];
  return [
    row.runId,
    verdict,
    ...row.alarms,
    row.strategy,
    ...row.symbols,
    row.state,
    ...row.openDoors,
    row.firstBar,
    row.lastBar,
    ...row.tags,
  ]
    .join(' ')
    .toLowerCase();
}

/** A run as a row of the table. */
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
      element('a', { href: `${path}/report` }, row.runId),
      element(
        'small',
        {},
        element('a', { href: `${path}/trace`, 'aria-label': `Trace of ${row.runId}` }, 'trace'),
      ),
    ),
    element(
      'td',
      {
        class: 'text wide verdict',
        'data-state': row.verdict,
        'data-label': 'Verdict',
        'data-column': 'verdict',
      },
      row.verdict === '' ? '–' : VERDICTS[row.verdict],
      row.alarms.map((text) => element('small', { class: 'bad' }, text)),
    ),
    element(
      'td',
      { class: tone(row), 'data-label': 'Return', 'data-column': 'totalReturn' },
      percent(row.totalReturn, true),
    ),
    element(
      'td',
      { 'data-label': 'Sharpe', 'data-column': 'sharpe' },
      row.sharpe === null ? '–' : minus(row.sharpe.toFixed(2)),
    ),
    element(
      'td',
      { 'data-label': 'Worst fall', 'data-column': 'maxDrawdown' },
      percent(row.maxDrawdown, false),
    ),
    element(
      'td',
      { 'data-label': 'Trades', 'data-column': 'tradeCount' },
      row.tradeCount === null ? '–' : String(row.tradeCount),
    ),
    element('td', { 'data-label': 'Model cost', 'data-column': 'modelCost' }, dollars(row.modelCost)),
    element(
      'td',
      { class: 'text state', title: sealText(row), 'data-column': 'state' },
      row.state,
      isRunning ? progress(row) : null,
    ),
    element(
      'td',
      { class: 'text wide', 'data-column': 'strategy' },
      row.strategy,
      ' ',
      element('small', {}, symbolsText(row.symbols)),
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
      row.tags.map((tag) => element('span', { class: 'tag' }, tag)),
      actions.mayChange ? tags : null,
    ),
    element('td', { class: 'remove' }, actions.mayChange && !isRunning ? remove : null),
  );
}

function sealText({ openDoors }: RunRow): string {
  return openDoors.length === 0 ? 'sealed' : `not sealed: ${openDoors.join(', ')}`;
}

function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', 'aria-label': label }, text);
  made.addEventListener('click', onClick);
  return made;
}

function progress({ bars, planned, runId }: RunRow): HTMLElement {
  const bar = element('progress', { 'aria-label': `Progress of ${runId}` });
  bar.max = Math.max(planned, 1);
  bar.value = bars;
  const text = `${bars.toLocaleString('en-US')} of ${planned.toLocaleString('en-US')} bars`;
  return element('span', { class: 'live' }, bar, element('small', {}, text));
}

const MOST_SYMBOLS = 4;

export function symbolsText(symbols: readonly string[]): string {
  const shown = symbols.slice(0, MOST_SYMBOLS).join(', ');
  return symbols.length > MOST_SYMBOLS ? `${shown} and ${symbols.length - MOST_SYMBOLS} more` : shown;
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

/** Only what is better than its benchmark beyond chance has the colour of what is good. */
function tone({ totalReturn, verdict }: RunRow): string {
  if (totalReturn === null || totalReturn === 0) return '';
  return totalReturn < 0 ? 'bad' : verdict === 'better' ? 'good' : '';
}
