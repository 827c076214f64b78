import { element } from '../../trace/client/folding.ts';
import type { ResearchRow, RunRow } from '../run-row.ts';
import { counted, MOST_COMPARED, strategyText } from './row.ts';

/** View of the list. The page's address contains the view, so that it can be bookmarked and shared. */
interface ListView {
  search: string;
  key: keyof RunRow;
  direction: 1 | -1;
  isGrouped: boolean;
  readonly hidden: Set<string>;
}

const FIRST = { key: 'runId', direction: -1 } as const;

/**
 * Returns the view that an address describes. Parts that are missing or unknown in the address get their
 * defaults.
 *
 * @param keys keys of the columns
 */
export function readView(address: string, keys: readonly string[]): ListView {
  const asked = new URLSearchParams(address);
  const sort = asked.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  const isKnown = keys.includes(name);
  return {
    search: asked.get('search') ?? '',
    key: isKnown ? (name as keyof RunRow) : FIRST.key,
    direction: isKnown ? (sort.startsWith('-') ? -1 : 1) : FIRST.direction,
    isGrouped: asked.get('group') !== 'none',
    hidden: new Set((asked.get('hide') ?? '').split(',').filter((one) => one !== '')),
  };
}

/** Returns the query part of the address for a view. Empty for the default view. */
export function viewAddress({ search, key, direction, isGrouped, hidden }: ListView): string {
  const asked = new URLSearchParams();
  if (search.trim() !== '') asked.set('search', search.trim());
  if (key !== FIRST.key || direction !== FIRST.direction)
    asked.set('sort', direction === -1 ? `-${key}` : key);
  if (!isGrouped) asked.set('group', 'none');
  if (hidden.size > 0) asked.set('hide', [...hidden].join(','));
  const text = asked.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Item of the table: the head of a group, a run, or a research result (study, sweep, stress test or sample
 * set). Items are in display order.
 */
export type Item =
  | {
      readonly kind: 'head';
      readonly name: string;
      readonly runs: readonly RunRow[];
      readonly research: readonly ResearchRow[];
      readonly isClosed: boolean;
    }
  | { readonly kind: 'research'; readonly row: ResearchRow }
  | { readonly kind: 'run'; readonly row: RunRow };

interface Group {
  readonly runs: RunRow[];
  readonly research: ResearchRow[];
}

/** Names of the groups that are listed before the groups of runs. */
const RUNNING = 'Running';
const STUDIES = 'Studies';
const SWEEPS = 'Sweeps and tests';

/**
 * Returns the items of the table. Running work comes first, then studies, sweeps and tests, then runs. In a
 * grouped view, runs are grouped by strategy and symbols. Groups are ordered by the position of their first
 * run in the sorted list. If there is only one group, its head is omitted, unless it is the group of running
 * work.
 *
 * @param closed names of collapsed groups, of which only the head is shown
 */
export function arranged(
  runs: readonly RunRow[],
  research: readonly ResearchRow[],
  view: ListView,
  closed: ReadonlySet<string>,
): Item[] {
  const sorted = runs.toSorted(orderOf(view));
  const others = research.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  const groups = new Map<string, Group>();
  const groupAt = (name: string): Group => {
    const known = groups.get(name) ?? { runs: [], research: [] };
    groups.set(name, known);
    return known;
  };
  const isRunning = ({ state }: RunRow | ResearchRow): boolean => state === 'running';
  const isStudy = ({ kind }: ResearchRow): boolean => kind === 'study';
  const ended = others.filter((row) => !isRunning(row));
  for (const row of others.filter(isRunning)) groupAt(RUNNING).research.push(row);
  for (const row of sorted.filter(isRunning)) groupAt(RUNNING).runs.push(row);
  for (const row of ended.filter(isStudy)) groupAt(STUDIES).research.push(row);
  for (const row of ended.filter((one) => !isStudy(one))) groupAt(SWEEPS).research.push(row);
  for (const row of sorted)
    if (!isRunning(row)) groupAt(view.isGrouped ? strategyText(row) : '').runs.push(row);
  if (!view.isGrouped) return [...groups.values()].flatMap(itemsOf);
  if (groups.size < 2 && !groups.has(RUNNING)) return [...groups.values()].flatMap(itemsOf);
  return [...groups].flatMap(([name, group]): Item[] => {
    const isClosed = closed.has(name);
    const head: Item = { kind: 'head', name, ...group, isClosed };
    return isClosed ? [head] : [head, ...itemsOf(group)];
  });
}

function itemsOf({ runs, research }: Group): Item[] {
  return [
    ...research.map((row): Item => ({ kind: 'research', row })),
    ...runs.map((row): Item => ({ kind: 'run', row })),
  ];
}

function orderOf({ key, direction }: ListView): (one: RunRow, other: RunRow) => number {
  return (a, b) => {
    const [one, other] = [a[key], b[key]];
    // Rows without a value are last in both directions.
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const difference =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one) < String(other)
          ? -1
          : Number(String(one) > String(other));
    return direction * difference;
  };
}

interface HeadActions {
  readonly isChosen: (runId: string) => boolean;
  readonly onToggle: (name: string) => void;
  readonly onChoose: (runIds: readonly string[], isChosen: boolean) => void;
}

/**
 * Creates the head of a group, with controls to collapse or expand the group and to select all of its runs.
 */
export function headElement(
  { name, runs, research, isClosed }: Extract<Item, { readonly kind: 'head' }>,
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
    { type: 'button', class: 'plain', 'aria-label': `Choose ${isWhole ? 'none' : 'all'} of ${name}` },
    isWhole ? 'choose none' : 'choose all',
  );
  pick.addEventListener('click', () => onChoose(all, !isWhole));
  const head = element(
    'th',
    { scope: 'rowgroup', colspan: String(columns) },
    toggle,
    ` · ${runs.length === 0 ? research.length : counted(runs.length, 'run')} `,
    all.length > 1 && all.length <= MOST_COMPARED ? pick : null,
  );
  return element('tr', { class: 'group-head', 'data-group': name }, head);
}
