import { element } from '../../trace/client/dom.ts';
import type { Item } from './arrange.ts';
import { counted, MOST_COMPARED } from './words.ts';

interface HeadActions {
  readonly isChosen: (runId: string) => boolean;
  readonly onToggle: (name: string) => void;
  readonly onChoose: (runIds: readonly string[], isChosen: boolean) => void;
}

/** Creates the head of a group. It collapses or expands the group and selects all of its runs. */
export function headElement(
  { name, runs, isClosed }: Extract<Item, { readonly kind: 'head' }>,
  columns: number,
  { isChosen, onToggle, onChoose }: HeadActions,
): HTMLTableRowElement {
  const toggle = element(
    'button',
    { type: 'button', class: 'toggle', 'aria-expanded': String(!isClosed) },
    isClosed ? '▸ ' : '▾ ',
    element('bdi', {}, name),
  );
  toggle.addEventListener('click', () => onToggle(name));
  const all = runs.map(({ runId }) => runId);
  const isWhole = all.length > 0 && all.every(isChosen);
  const pick = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `Choose ${isWhole ? 'none' : 'all'} of ${name}` },
    isWhole ? 'choose none' : 'choose all',
  );
  pick.addEventListener('click', () => onChoose(all, !isWhole));
  const head = element(
    'th',
    { scope: 'rowgroup', colspan: String(columns) },
    toggle,
    runs.length === 0 ? null : ` · ${counted(runs.length, 'run')} `,
    all.length > 1 && all.length <= MOST_COMPARED ? pick : null,
  );
  return element('tr', { class: 'group-head', 'data-group': name }, head);
}
