const KEY = 'sandtable-theme';
type Theme = 'light' | 'dark';

/** Colours of the page's charts, from its style sheet. */
export interface Colours {
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly soft: string;
  readonly good: string;
  readonly bad: string;
  readonly accent: string;
  /** Candles and fills that go up, or down. */
  readonly up: string;
  readonly down: string;
  /** What stands beside the accent. */
  readonly second: string;
  readonly notice: string;
}

const listeners: (() => void)[] = [];

/** Calls back after the theme has changed. */
export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    card: value('card'),
    line: value('line'),
    text: value('text'),
    soft: value('soft'),
    good: value('good'),
    bad: value('bad'),
    accent: value('accent'),
    up: value('up'),
    down: value('down'),
    second: value('second'),
    notice: value('notice-line'),
  };
}

/** Colours that are told apart by everybody (M. Okabe and K. Ito, 2008), over light and dark. */
const APART = ['#4477cc', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9'] as const;
const REST = '#8a94a0';

/** Of one layer of the stack of symbols; what has no symbol is the rest. */
export function stackColour(symbol: number | undefined, place: number): string {
  return symbol === undefined ? REST : (APART[place] ?? REST);
}

/** Follows the system's theme until the reader chooses one. */
export function startTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = (theme: Theme): void => {
    document.documentElement.dataset.theme = theme;
    for (const listener of listeners) listener();
  };
  show(stored() ?? (system.matches ? 'dark' : 'light'));
  system.addEventListener('change', () => {
    if (stored() === undefined) show(system.matches ? 'dark' : 'light');
  });
  document.getElementById('theme')?.addEventListener('click', () => {
    const next: Theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    store(next);
    show(next);
  });
}

// A page opened from a file may have no storage at all.
function stored(): Theme | undefined {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined;
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice lasts for this page only.
  }
}
