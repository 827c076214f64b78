import { byId, element } from '../../trace/client/folding.ts';
import type { ResearchRow, RunRow } from '../run-row.ts';
import { VERDICTS } from './row.ts';

const KEY = 'sandtable-views';
const LONGEST = 60;
const MOST = 50;

interface View {
  readonly name: string;
  /** Query part of the address for this view: empty, or a text that begins with `?`. */
  readonly address: string;
}

const OURS: readonly View[] = [
  { name: 'All', address: '' },
  { name: 'Under way', address: '?search=state%3Arunning' },
  { name: 'Better than the benchmark', address: '?search=verdict%3Abetter&sort=-sharpe' },
  {
    name: 'Failed or stopped',
    address: '?search=state%3Afailed%2Cstopped%2Ckilled%2Cinterrupted%2Cdamaged',
  },
];

/**
 * Connects the menu of named views, which the browser stores. If the browser has no storage, the views are
 * lost when the page is closed, and the menu states this.
 *
 * @param now returns the address of the current view
 * @param show shows the view of an address
 */
export function startViews(now: () => string, show: (address: string) => void): void {
  const menu = byId('views', HTMLDetailsElement);
  const list = byId('view-list', HTMLUListElement);
  const note = byId('view-note', HTMLElement);
  const name = byId('view-name', HTMLInputElement);
  let own = stored();
  const keep = (views: readonly View[], done: string): void => {
    own = views;
    note.textContent = store(views)
      ? done
      : `${done} This browser keeps nothing for this page: the view is gone when it is closed. Copy its address instead.`;
    draw();
  };
  const draw = (): void => {
    list.replaceChildren(
      ...[...OURS, ...own].map((view) => {
        const link = element('a', { href: `/${view.address}` }, element('bdi', {}, view.name));
        link.addEventListener('click', (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          menu.open = false;
          show(view.address);
        });
        if (OURS.includes(view)) return element('li', {}, link);
        const remove = element(
          'button',
          { type: 'button', 'aria-label': `Forget the view ${view.name}` },
          '✕',
        );
        remove.addEventListener('click', () => {
          keep(
            own.filter((one) => one !== view),
            `“${view.name}” is forgotten.`,
          );
          name.focus();
        });
        return element('li', {}, link, ' ', remove);
      }),
    );
  };
  byId('view-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    if (chosen === '') return;
    const others = own.filter((view) => view.name !== chosen);
    if (others.length >= MOST) {
      note.textContent = `There are ${MOST} views already: forget one first.`;
      return;
    }
    name.value = '';
    keep([...others, { name: chosen, address: now() }], `“${chosen}” is kept in this browser.`);
  });
  byId('view-copy', HTMLButtonElement).addEventListener('click', () => {
    const address = `${location.origin}/${now()}`;
    navigator.clipboard.writeText(address).then(
      () => {
        note.textContent = 'Its address is in the clipboard.';
      },
      () => {
        note.textContent = `Copy it from here: ${address}`;
      },
    );
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const one of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      one.open = false;
      one.querySelector('summary')?.focus();
    }
  });
  // Handles changes of the stored views in another browser tab.
  addEventListener('storage', () => {
    own = stored();
    draw();
  });
  draw();
}

/** Returns the stored views. The content is validated, because other code may have written it. */
function stored(): readonly View[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(read) ? read.filter(isView).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  if (typeof value !== 'object' || value === null) return false;
  const { name, address } = value as Partial<Record<keyof View, unknown>>;
  const isName = typeof name === 'string' && name !== '' && name.length <= LONGEST;
  return isName && typeof address === 'string' && (address === '' || address.startsWith('?'));
}

function store(views: readonly View[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

type Fields = Readonly<
  Record<'text' | 'name' | 'strategy' | 'symbol' | 'state' | 'verdict' | 'tag' | 'kind', string>
> & {
  /**
   * All parameters, each between separators, for example `, fast 50, slow 200,`. Because of the separators, a
   * search for `fast 5` does not match `fast 50`.
   */
  readonly parameters: string;
};

const known = new WeakMap<RunRow | ResearchRow, Fields>();

/** Returns the searchable fields of a row in lower case. Cached per row. */
function fieldsOf(row: RunRow | ResearchRow): Fields {
  const before = known.get(row);
  if (before !== undefined) return before;
  const made = 'runId' in row ? fieldsOfRun(row) : fieldsOfResearch(row);
  known.set(row, made);
  return made;
}

function fieldsOfRun(row: RunRow): Fields {
  const verdict = row.verdict === '' ? '' : VERDICTS[row.verdict];
  const { runId, name, strategy, symbols, state, parameters, tags } = row;
  const text = [
    ...[runId, name, strategy, ...symbols, state, parameters, verdict, row.problem, ...row.alarms],
    ...[...row.openDoors, row.firstBar, row.lastBar, ...tags, row.notes],
  ];
  return small({
    text: text.join(' '),
    name: `${name} ${runId}`,
    strategy,
    symbol: symbols.join(' '),
    state,
    verdict,
    tag: tags.join(' '),
    kind: 'run',
    parameters: `, ${parameters},`,
  });
}

function fieldsOfResearch(row: ResearchRow): Fields {
  const { name, title, kind, strategy, symbols, state, what, answer, problem } = row;
  const inside = row.inside.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells[0] ?? []));
  const text = [
    ...[name, title, kind, strategy, ...symbols, state, what, answer.word, answer.text, problem],
    ...inside,
  ];
  return small({
    text: text.join(' '),
    name: `${name} ${title}`,
    strategy,
    symbol: symbols.join(' '),
    state,
    verdict: answer.word,
    tag: '',
    kind,
    parameters: '',
  });
}

function small(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text.toLowerCase()]),
  ) as unknown as Fields;
}

/**
 * Returns a function that tests if a row matches a search text. All words must match. `state:failed,killed`
 * matches rows with one of the two states. `fast:50` matches the value of a parameter.
 */
export function searchOf(text: string): (row: RunRow | ResearchRow) => boolean {
  const tests = (text.toLowerCase().match(/[^\s":]+:"[^"]*"|"[^"]*"|\S+/g) ?? []).map(testOf);
  return (row) => {
    const fields = fieldsOf(row);
    return tests.every((test) => test(fields));
  };
}

function testOf(token: string): (fields: Fields) => boolean {
  const plain = token.replaceAll('"', '');
  const [, key, value] = /^([^:]+):(.+)$/.exec(plain) ?? [];
  if (key === undefined || value === undefined) return ({ text }) => text.includes(plain);
  const choices = value.split(',').filter((one) => one !== '');
  return (fields) => {
    if (key !== 'parameters' && Object.hasOwn(fields, key))
      return choices.some((one) => fields[key as keyof Fields].includes(one));
    // A word such as `key:text` with any other key matches in two cases: the key is the name of a parameter,
    // or the whole word occurs in the text of the row.
    return (
      choices.some((one) => fields.parameters.includes(`, ${key} ${one},`)) || fields.text.includes(plain)
    );
  };
}
