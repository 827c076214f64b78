import type { StepSummary } from '../step.ts';
import {
  byId,
  counted,
  element,
  type Folded,
  type FoldTerms,
  isFolded,
  type Row,
  storyRows,
} from './folding.ts';
import { type RowTexts, stepRow } from './overview-chart.ts';
import { passes, type StepFilter, type StepSource } from './source.ts';

/** Number of rows per page of the list. Also the maximum number of steps that an expanded row shows. */
const PAGE_SIZE = 100;

/**
 * List of the steps (bars with events) of a run. Shows one page of rows at a time. The controls above the
 * list filter the steps.
 */
export class StoryList {
  readonly #source: StepSource;
  readonly #terms: FoldTerms;
  readonly #texts: RowTexts;
  readonly #list = byId('steps', HTMLOListElement);
  readonly #count = byId('count', HTMLOutputElement);
  readonly #pager = byId('pager', HTMLDivElement);
  readonly #earlier = byId('earlier', HTMLButtonElement);
  readonly #later = byId('later', HTMLButtonElement);
  #all: readonly StepSummary[];
  #steps: readonly StepSummary[] = [];
  #rows: readonly Row[] = [];
  #offset = 0;
  #chosen: number | undefined;
  /** Number of the newest search. When an older search ends, its result is ignored. */
  #asked = 0;

  constructor(source: StepSource, steps: readonly StepSummary[], terms: FoldTerms, texts: RowTexts) {
    this.#source = source;
    this.#all = steps;
    this.#terms = terms;
    this.#texts = texts;
    this.#earlier.addEventListener('click', () => this.#render(this.#offset - PAGE_SIZE));
    this.#later.addEventListener('click', () => this.#render(this.#offset + PAGE_SIZE));
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const form = byId('filters', HTMLFormElement);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void this.#narrow().then(() => this.#render(0)), 150);
    });
  }

  /**
   * Shows the page of the list that contains a bar, and highlights the bar.
   *
   * @param bar `undefined` for the first page
   */
  async show(bar: number | undefined): Promise<void> {
    this.#chosen = bar;
    if (this.#rows.length === 0) await this.#narrow();
    // Another bar was selected during the search.
    if (this.#chosen !== bar) return;
    const place =
      bar === undefined ? 0 : this.#rows.findIndex((row) => (isFolded(row) ? row.to : row.bar) >= bar);
    const offset = Math.floor((place < 0 ? this.#rows.length - 1 : place) / PAGE_SIZE) * PAGE_SIZE;
    if (offset !== this.#offset || this.#list.children.length === 0) this.#render(offset);
    this.#mark();
  }

  /**
   * Updates the list with the steps of an active run.
   *
   * @param steps all steps recorded so far
   */
  async refresh(steps: readonly StepSummary[]): Promise<void> {
    this.#all = steps;
    await this.#narrow();
    this.#render(this.#offset);
  }

  /**
   * Returns the bar of the next or previous step that passes the filter. `undefined` at the end of the list.
   */
  neighbour(bar: number, direction: 1 | -1): number | undefined {
    const found =
      direction === 1
        ? this.#steps.find((step) => step.bar > bar)
        : this.#steps.findLast((step) => step.bar < bar);
    return found?.bar;
  }

  async #narrow(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const { filter, search } = this.#asksFor();
    const isAll = filter.act === '' && filter.tool === '' && filter.trade === null && search.trim() === '';
    let steps = isAll ? this.#all : this.#all.filter((step) => passes(step, filter));
    let note = '';
    if (search.trim() !== '') {
      this.#count.textContent = 'Searching …';
      try {
        const bars = steps.map(({ bar }) => bar);
        const found = await this.#source.search(search, bars, () => asked !== this.#asked);
        if (asked !== this.#asked) return;
        const there = new Set(found.bars);
        steps = steps.filter(({ bar }) => there.has(bar));
        if (found.capped) note = 'the first ';
      } catch (error) {
        note = `${error instanceof Error ? error.message : String(error)} `;
        steps = [];
      }
    }
    this.#steps = steps;
    this.#rows = isAll ? storyRows(steps, this.#terms) : steps;
    this.#count.dataset.note = note;
  }

  #asksFor(): { readonly filter: StepFilter; readonly search: string } {
    const value = (id: string): string => {
      const field = document.getElementById(id);
      return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field.value : '';
    };
    const trade = Number(value('trade'));
    return {
      filter: {
        act: value('what'),
        tool: value('tool'),
        trade: Number.isSafeInteger(trade) && trade > 0 ? trade : null,
      },
      search: value('search'),
    };
  }

  #render(offset: number): void {
    this.#offset = Math.max(offset, 0);
    const rows = this.#rows.slice(this.#offset, this.#offset + PAGE_SIZE);
    this.#list.replaceChildren(
      ...rows.map((row) => (isFolded(row) ? this.#foldedRow(row) : stepRow(row, this.#texts))),
    );
    this.#list.start = this.#offset + 1;
    const range =
      this.#rows.length > rows.length
        ? `, rows ${this.#offset + 1} to ${this.#offset + rows.length} of ${this.#rows.length.toLocaleString('en-US')}`
        : '';
    this.#count.textContent = `${this.#count.dataset.note ?? ''}${counted(this.#steps.length, 'bar')}${range}`;
    this.#pager.hidden = this.#rows.length <= PAGE_SIZE;
    this.#earlier.disabled = this.#offset === 0;
    this.#later.disabled = this.#offset + PAGE_SIZE >= this.#rows.length;
    this.#list.scrollTop = 0;
    this.#mark();
  }

  #foldedRow(row: Folded): HTMLLIElement {
    const inside = element('ol', { class: 'inside' });
    const details = element(
      'details',
      { 'data-to': String(row.to) },
      element('summary', {}, row.label),
      inside,
    );
    details.addEventListener('toggle', () => {
      if (!details.open || inside.children.length > 0) return;
      // A row may contain many steps. Only those around the selected bar are shown.
      const at = row.steps.findIndex((step) => step.bar >= (this.#chosen ?? row.from));
      const begin = Math.max(0, Math.min(at - PAGE_SIZE / 2, row.steps.length - PAGE_SIZE));
      const shown = row.steps.slice(begin, begin + PAGE_SIZE);
      inside.append(...shown.map((step) => stepRow(step, this.#texts)));
      const rest = row.to - row.from + 1 - shown.length;
      if (rest > 0) inside.append(this.#restRow(row, rest));
      this.#mark();
    });
    return element('li', { class: 'fold' }, details);
  }

  #restRow({ from, to }: Folded, rest: number): HTMLLIElement {
    return element(
      'li',
      { class: 'note' },
      `${counted(rest, 'bar')} more from `,
      element('a', { href: `#bar=${from}` }, `bar ${from}`),
      ' to ',
      element('a', { href: `#bar=${to}` }, `bar ${to}`),
    );
  }

  #mark(): void {
    const chosen = String(this.#chosen);
    const fold = [...this.#list.querySelectorAll('details')].find(
      ({ dataset }) => Number(dataset.to) >= Number(chosen),
    );
    const row = this.#rows.find((one) => (isFolded(one) ? one.to : one.bar) >= Number(chosen));
    const isInside = row !== undefined && isFolded(row) && row.steps.some(({ bar }) => bar === this.#chosen);
    if (isInside && fold?.dataset.to === String(row.to)) fold.open = true;
    for (const link of this.#list.querySelectorAll<HTMLAnchorElement>('a[data-bar]')) {
      if (link.dataset.bar !== chosen) {
        link.removeAttribute('aria-current');
        continue;
      }
      link.setAttribute('aria-current', 'true');
      const { top, bottom } = link.getBoundingClientRect();
      const frame = this.#list.getBoundingClientRect();
      // Scrolls the list, but not the page.
      if (top < frame.top) this.#list.scrollTop -= frame.top - top;
      else if (bottom > frame.bottom) this.#list.scrollTop += bottom - frame.bottom;
    }
  }
}
