import type { VerdictState } from '../../../results/analysis/index.ts';
import { dollars } from '../../../results/analysis/series/index.ts';
import {
  fixedText,
  grouped,
  groupedText,
  percent,
  ratio,
  signedPercent,
} from '../../shared/number-formats.ts';
import { element } from '../../trace/client/folding.ts';
import type { RunRow } from '../run-row.ts';

// Copy of `VERDICT_WORDS`, because page scripts do not import modules of the engine. The type `VerdictState`
// ensures that every state has a text.
export const VERDICTS = {
  broke: 'Broke',
  incomplete: 'Incomplete',
  no_evidence: 'No evidence',
  indistinguishable: 'Indistinguishable',
  worse: 'Worse',
  better: 'Better',
} as const satisfies Record<VerdictState, string>;

/** Displayed texts for states whose names are not clear to users. */
const STATES: Readonly<Record<string, string>> = { killed: 'stopped, killed', interrupted: 'stopped' };

export function stateText(state: string): string {
  return STATES[state] ?? state.replaceAll('_', ' ');
}

/** Maximum number of runs that can be compared on one page. */
export const MOST_COMPARED = 50;

const MOST_SYMBOLS = 4;

function symbolsText(symbols: readonly string[]): string {
  const shown = symbols.slice(0, MOST_SYMBOLS).join(', ');
  return symbols.length > MOST_SYMBOLS ? `${shown} and ${symbols.length - MOST_SYMBOLS} more` : shown;
}

/**
 * Returns the name of the list's group for runs of a strategy on the same symbols, for example "sma-cross on
 * SPX".
 */
export function strategyText({ strategy, symbols }: Pick<RunRow, 'strategy' | 'symbols'>): string {
  return [strategy || 'unreadable', symbolsText(symbols)].filter(Boolean).join(' on ');
}

export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;
}

interface RowActions {
  readonly chosen: boolean;
  readonly mayChange: boolean;
  /** Called for an action on the process of the run. `undefined` if the server cannot start runs. */
  readonly onProcess: ((what: ProcessAction) => void) | undefined;
  readonly onChosen: (isChosen: boolean) => void;
  readonly onTags: () => void;
  readonly onDelete: () => void;
}

/**
 * Action of the user: pause, stop or resume the process of a run, or start a new run or sweep with the same
 * inputs.
 */
export type ProcessAction = 'pause' | 'stop' | 'resume' | 'rerun' | 'sweep';

const ACTION_TEXTS: Readonly<Record<ProcessAction, readonly [text: string, label: string]>> = {
  pause: ['Pause', 'Pause'],
  stop: ['Stop', 'Stop'],
  resume: ['Resume', 'Resume'],
  rerun: ['Rerun', 'Rerun with changes'],
  sweep: ['Sweep', 'Start a sweep from'],
};

function actionsOf({ state, isOurs }: RunRow): readonly ProcessAction[] {
  if (state === 'running') return isOurs ? ['pause', 'stop'] : [];
  return ['killed', 'interrupted', 'stopped'].includes(state)
    ? ['resume', 'rerun', 'sweep']
    : ['rerun', 'sweep'];
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
  const tags = button('Notes', `Change the notes and tags of ${row.runId}`, actions.onTags);
  const remove = button('Delete', `Delete ${row.runId}`, actions.onDelete);
  const isRunning = row.state === 'running';
  const { onProcess } = actions;
  const process = (onProcess === undefined ? [] : actionsOf(row)).map((what) => {
    const [text, label] = ACTION_TEXTS[what];
    return button(text, `${label} ${row.runId}`, () => onProcess?.(what));
  });
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
      isRunning ? element('small', {}, element('bdi', {}, strategyText(row))) : null,
      isRunning ? progress(row.bars, row.planned, 'bars', row.runId) : null,
      isRunning && row.equity !== ''
        ? element('small', { class: 'equity' }, `Equity ${groupedText(fixedText(row.equity, 2))}`)
        : null,
      row.tags.length === 0
        ? null
        : element(
            'span',
            { class: 'tags', 'data-column': 'tags' },
            row.tags.map((tag) => element('span', { class: 'chip quiet' }, element('bdi', {}, tag))),
          ),
      row.notes === '' ? null : element('small', { class: 'notes' }, element('bdi', {}, row.notes)),
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
    cell('totalReturn', 'Return', signedPercent(row.totalReturn), tone(row)),
    cell('sharpe', 'Sharpe', ratio(row.sharpe)),
    cell('maxDrawdown', 'Max drawdown', percent(row.maxDrawdown)),
    cell('tradeCount', 'Trades', grouped(row.tradeCount, 0)),
    cell('modelCost', 'Model cost', dollars(row.modelCost, '–')),
    element(
      'td',
      { class: 'text state', title: sealText(row), 'data-column': 'state' },
      element('span', { class: 'chip', 'data-state': row.state }, stateText(row.state)),
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
      { class: 'remove' },
      actions.mayChange
        ? element('span', { class: 'actions' }, ...process, tags, isRunning ? null : remove)
        : null,
    ),
  );
}

/**
 * Updates a displayed row. Only changed elements are replaced, because a replaced element loses the focus and
 * the click that the user has begun. The checkbox and the curve are never replaced.
 */
export function updateRow(old: HTMLTableRowElement, now: HTMLTableRowElement): void {
  for (const [place, cell] of [...now.cells].entries()) {
    const before = old.cells[place];
    if (before === undefined || cell.matches('.choose, .curve')) continue;
    cell.hidden = before.hidden;
    updateElement(before, cell);
  }
}

/** Updates an element. Replaces it if its buttons, its attributes or the kinds of its children differ. */
export function updateElement(old: Element, now: Element): void {
  if (old.outerHTML === now.outerHTML) return;
  const [before, after] = [[...old.childNodes], [...now.childNodes]];
  const attributes = (one: Element): string => (one.cloneNode() as Element).outerHTML;
  const isAlike =
    // A button retains the listener of the action that it shows.
    now.tagName !== 'BUTTON' &&
    attributes(old) === attributes(now) &&
    before.length === after.length &&
    before.every((node, place) => node.nodeName === after[place]!.nodeName);
  if (!isAlike) {
    old.replaceWith(now);
    return;
  }
  for (const [place, node] of before.entries()) {
    const next = after[place]!;
    if (node instanceof Element && next instanceof Element) updateElement(node, next);
    else if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
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

/** Creates a progress display. If the total is unknown, the display has no progress bar. */
export function progress(done: number, planned: number | null, unit: string, of: string): HTMLElement {
  const many = done.toLocaleString('en-US');
  if (planned === null) return element('span', { class: 'live' }, element('small', {}, `${many} ${unit}`));
  const bar = element('progress', { 'aria-label': `Progress of ${of}` });
  bar.max = Math.max(planned, done, 1);
  bar.value = done;
  // More units than planned can be finished. The displayed total is then the number of finished units.
  const all = Math.max(planned, done).toLocaleString('en-US');
  return element('span', { class: 'live' }, bar, element('small', {}, `${many} of ${all} ${unit}`));
}

/** Returns the colour class of a run's return. Only the verdict "better" is coloured as good. */
function tone({ totalReturn, verdict }: RunRow): string {
  if (totalReturn === null || totalReturn === 0) return '';
  return totalReturn < 0 ? 'bad' : verdict === 'better' ? 'good' : '';
}

const [WIDE, TALL] = [96, 26];
/** Maximum number of runs whose curves are requested together. */
const MOST = 40;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws the equity curves of rows when they become visible. The curve of a finished run is requested once,
 * the curve of an active run after each change of its row.
 */
export function startCurves(): (row: HTMLTableRowElement, runId: string, isLive: boolean) => void {
  const known = new Map<string, readonly number[] | null>();
  const live = new Set<string>();
  const waiting = new Map<string, HTMLTableRowElement>();
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    // Rows that become visible within 50 ms share one request.
    await new Promise((done) => setTimeout(done, 50));
    while (waiting.size > 0) {
      const some = [...waiting].slice(0, MOST);
      for (const [run] of some) waiting.delete(run);
      const query = some.map(([run]) => `run=${encodeURIComponent(run)}`).join('&');
      try {
        const answer = await fetch(`/api/curves?${query}`);
        const curves = (await answer.json()) as Record<string, readonly number[] | null>;
        for (const [run, row] of some) {
          if (!live.has(run)) known.set(run, curves[run] ?? null);
          draw(row, curves[run]);
        }
      } catch {
        // The request failed. This is ignored, because a row is usable without its curve and the page already
        // shows that the server is not reachable.
        break;
      }
    }
    asking = false;
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLTableRowElement)) continue;
      observer.unobserve(target);
      waiting.set(target.dataset.run ?? '', target);
    }
    if (waiting.size > 0) void ask();
  });
  return (row, runId, isLive) => {
    if (isLive) live.add(runId);
    else live.delete(runId);
    const curve = known.get(runId);
    if (curve === undefined) observer.observe(row);
    else draw(row, curve);
  };
}

function draw(row: HTMLTableRowElement, curve: readonly number[] | null | undefined): void {
  const cell = row.querySelector('.curve');
  if (cell === null || curve === null || curve === undefined) return;
  const [low, high] = [Math.min(...curve), Math.max(...curve)];
  const y = (value: number): string =>
    (TALL - 1 - ((value - low) / (high - low || 1)) * (TALL - 2)).toFixed(1);
  const points = curve.map((value, at) => `${((at / (curve.length - 1)) * WIDE).toFixed(1)} ${y(value)}`);
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', `0 0 ${WIDE} ${TALL}`);
  picture.setAttribute('aria-hidden', 'true');
  const path = (d: string, name: string): void => {
    const made = document.createElementNS(SVG, 'path');
    made.setAttribute('d', d);
    made.setAttribute('class', name);
    picture.append(made);
  };
  path(`M0 ${y(curve[0]!)}H${WIDE}`, 'grid');
  path(`M${points.join('L')}`, 'own');
  cell.replaceChildren(picture);
}
