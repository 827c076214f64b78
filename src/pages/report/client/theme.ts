const KEY = 'sandtable-theme';
type Theme = 'light' | 'dark';

/** Colours of the charts, read from the page's style sheet. */
export interface Colours {
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly soft: string;
  readonly good: string;
  readonly bad: string;
  readonly accent: string;
  /** Colour of rising candles and buys. `down` is for falling candles and sells. */
  readonly up: string;
  readonly down: string;
  /** Second accent colour. */
  readonly second: string;
  readonly notice: string;
}

const listeners: (() => void)[] = [];

/** Registers a listener that is called after each change of the theme. */
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
    up: value('good'),
    down: value('bad'),
    second: value('second'),
    notice: value('notice-line'),
  };
}

/**
 * Returns the colour of a run on the comparison page from the page's style sheet.
 *
 * @param place position of the run, from 0
 */
export function runColour(place: number): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--run-${place}`).trim();
}

/**
 * Colours for the layers of the exposure chart, one for each symbol. They are distinguishable with colour
 * blindness (M. Okabe and K. Ito, 2008), on light and on dark backgrounds.
 */
const APART = ['#4477cc', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9'] as const;
const REST = '#8a94a0';

/**
 * Returns the colour of a layer in the exposure chart.
 *
 * @param symbol `undefined` for the combined remaining symbols
 * @param place position of the layer in the stack, from 0
 */
export function stackColour(symbol: number | undefined, place: number): string {
  return symbol === undefined ? REST : (APART[place] ?? REST);
}

/** Applies the system's theme until the user chooses another one. */
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

// Returns the stored theme. `undefined` if the user has not chosen one, or if the browser denies access to
// its storage, which may happen for a page opened from a file.
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
    // Without access to the storage, the choice applies only until the page is closed.
  }
}
