import { byId, element } from '../../trace/client/dom.ts';

const KEY = 'sandtable-views';
const LONGEST = 60;
const MOST = 50;

interface View {
  readonly name: string;
  /** Query part of the address: empty or beginning with `?`. */
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
 * Prepares the menu of named views, which are stored in the browser. Without browser storage, they last only
 * until the page is closed, and the page states this.
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
  // Another tab may have stored a view in the meantime.
  addEventListener('storage', () => {
    own = stored();
    draw();
  });
  draw();
}

/** Returns the stored views. Other code may have written the storage, so its content is validated. */
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
