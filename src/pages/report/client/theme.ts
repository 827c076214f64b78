import { type ChartOptions, createChart, type DeepPartial, type IChartApi } from 'lightweight-charts';

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
  /** Colours of rising and falling candles, and of buys and sells. */
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
    up: value('up'),
    down: value('down'),
    second: value('second'),
    notice: value('notice-line'),
  };
}

/**
 * Colours that are distinguishable with colour blindness (M. Okabe and K. Ito, 2008), on light and dark
 * backgrounds.
 */
const APART = ['#4477cc', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9'] as const;
const REST = '#8a94a0';

/**
 * Returns the colour of a layer in the stack of symbols. The layer of the remaining symbols has no symbol.
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

// A page opened from a file may not have access to browser storage.
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
    // Without storage, the choice applies only to this page.
  }
}

function options(colour: Colours): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      background: { color: colour.card },
      textColor: colour.soft,
      panes: { separatorColor: colour.line },
      // The page names the library at its end. A link inside a chart would be an additional stop of the Tab
      // key.
      attributionLogo: false,
    },
    grid: { vertLines: { color: colour.line }, horzLines: { color: colour.line } },
    timeScale: { borderColor: colour.line, minBarSpacing: 0.02 },
    rightPriceScale: { borderColor: colour.line, entireTextOnly: true },
    // The mouse wheel scrolls the page.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
    localization: { locale: 'en-US' },
  };
}

/** Hides the time of day on the time axis if every bar is at midnight. */
export function showDays(chart: IChartApi, times: readonly number[]): void {
  if (times.every((seconds) => seconds % 86_400 === 0))
    chart.timeScale().applyOptions({ timeVisible: false });
}

/**
 * Creates a chart in an element of the page. It follows the theme of the page. Ctrl and the mouse wheel zoom.
 */
export function newChart(id: string): IChartApi | undefined {
  const container = document.getElementById(id);
  if (container === null) return undefined;
  const chart = createChart(container, options(colours()));
  chart.timeScale().applyOptions({ timeVisible: true });
  onThemeChange(() => chart.applyOptions(options(colours())));
  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const x = event.clientX - container.getBoundingClientRect().left;
      zoom(chart, event.deltaY > 0 ? 1.25 : 0.8, chart.timeScale().coordinateToLogical(x) ?? undefined);
    },
    { passive: false },
  );
  return chart;
}

/** Zooms a chart around one of its points. Without a point, zooms around the centre. */
export function zoom(chart: IChartApi, factor: number, around?: number): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null) return;
  const at = around ?? (range.from + range.to) / 2;
  const [from, to] = [at - (at - range.from) * factor, at + (range.to - at) * factor];
  if (to - from > 4) chart.timeScale().setVisibleLogicalRange({ from, to });
}
