import type { StepFilter, StepPage, StepSummary } from '../step.ts';
import { byId, element } from './dom.ts';
import { PAGE_SIZE } from './match.ts';
import { shortNumbers } from './numbers.ts';
import type { StepSource } from './source.ts';

/** The list of bars on which something happened, a page at a time, narrowed by the filters above it. */
export class StepsList {
  readonly #source: StepSource;
  readonly #list = byId('steps', HTMLOListElement);
  readonly #count = byId('count', HTMLOutputElement);
  readonly #pager = byId('pager', HTMLDivElement);
  readonly #earlier = byId('earlier', HTMLButtonElement);
  readonly #later = byId('later', HTMLButtonElement);
  #page: StepPage = { offset: 0, steps: [], matches: 0, capped: false };
  #chosen: number | undefined;
  /** Answers of before are thrown away: the last question counts. */
  #asked = 0;

  constructor(source: StepSource) {
    this.#source = source;
    this.#earlier.addEventListener('click', () => void this.#load({ offset: this.#page.offset - PAGE_SIZE }));
    this.#later.addEventListener('click', () => void this.#load({ offset: this.#page.offset + PAGE_SIZE }));
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const form = byId('filters', HTMLFormElement);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void this.#load({ offset: 0 }), 150);
    });
  }

  /** Shows the page of the list that a bar is on. */
  async show(bar: number | undefined): Promise<void> {
    this.#chosen = bar;
    const inSight = this.#page.steps.some((step) => step.bar === bar);
    if (!inSight) await this.#load({ bar: bar ?? 0 });
    this.#mark();
  }

  /** Loads the same page again: a run under way has written more. */
  async refresh(): Promise<void> {
    await this.#load({ offset: this.#page.offset });
  }

  /** The bar of the step before or after another, of those that match; undefined where there is none. */
  async neighbour(bar: number, direction: 1 | -1): Promise<number | undefined> {
    const found = this.#inPage(bar, direction);
    if (found !== undefined) return found;
    const { offset, matches } = this.#page;
    const next = offset + direction * PAGE_SIZE;
    if (next < 0 || next >= matches) return undefined;
    await this.#load({ offset: next });
    return this.#inPage(bar, direction);
  }

  #inPage(bar: number, direction: 1 | -1): number | undefined {
    const { steps } = this.#page;
    const found =
      direction === 1 ? steps.find((step) => step.bar > bar) : steps.findLast((step) => step.bar < bar);
    return found?.bar;
  }

  async #load(place: { readonly offset: number } | { readonly bar: number }): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const page = await this.#source.page(filterOf(), place);
      if (asked !== this.#asked) return;
      this.#page = page;
      this.#render();
    } catch (error) {
      this.#count.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  #render(): void {
    const { offset, steps, matches, capped } = this.#page;
    this.#list.replaceChildren(...steps.map(row));
    this.#list.start = offset + 1;
    const range = matches > steps.length ? `, ${offset + 1} to ${offset + steps.length} shown` : '';
    this.#count.textContent = `${capped ? 'the first ' : ''}${matches.toLocaleString('en-US')} ${matches === 1 ? 'bar' : 'bars'}${range}`;
    this.#pager.hidden = matches <= PAGE_SIZE;
    this.#earlier.disabled = offset === 0;
    this.#later.disabled = offset + PAGE_SIZE >= matches;
    this.#mark();
  }

  #mark(): void {
    for (const link of this.#list.querySelectorAll('a')) {
      const isChosen = link.dataset.bar === String(this.#chosen);
      if (isChosen) {
        link.setAttribute('aria-current', 'true');
        const { top, bottom } = link.getBoundingClientRect();
        const frame = this.#list.getBoundingClientRect();
        // Only the list is scrolled, never the page under the reader.
        if (top < frame.top) this.#list.scrollTop -= frame.top - top;
        else if (bottom > frame.bottom) this.#list.scrollTop += bottom - frame.bottom;
      } else {
        link.removeAttribute('aria-current');
      }
    }
  }
}

function filterOf(): StepFilter {
  const tool = document.getElementById('tool');
  const trade = Number(byId('trade', HTMLInputElement).value);
  return {
    search: byId('search', HTMLInputElement).value,
    tool: tool instanceof HTMLSelectElement ? tool.value : '',
    errors: byId('errors', HTMLInputElement).checked,
    trade: Number.isSafeInteger(trade) && trade > 0 ? trade : null,
  };
}

function row(step: StepSummary): HTMLLIElement {
  const marks = [
    ...(step.failure === '' ? [] : [['bad', 'the run failed here'] as const]),
    ...step.tools.map((name) => ['tool', name] as const),
    ...counted('order', step.orders),
    ...counted('fill', step.fills),
    ...step.trades.slice(0, 3).map((id) => ['trade', `trade ${id}`] as const),
    ...(step.outcome === '' ? [] : [['model', step.outcome] as const]),
    ...(step.unfinished ? [['bad', 'did not end'] as const] : []),
    ...counted('error', step.errors).map(([, text]) => ['bad', text] as const),
  ];
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#bar=${step.bar}`, 'data-bar': String(step.bar) },
      element('span', { class: 'when' }, `${step.bar}`, element('small', {}, step.date)),
      element(
        'span',
        { class: 'marks' },
        story(step),
        marks.map(([kind, text]) => element('span', { class: `mark ${kind}` }, text)),
      ),
    ),
  );
}

/** What happened in words, numbers as short as they are on the rest of the page. */
function story({ story: sentences, failure }: StepSummary): HTMLElement | null {
  if (failure !== '') return element('span', { class: 'story bad' }, failure);
  if (sentences.length === 0) return null;
  return element('span', { class: 'story' }, shortNumbers(sentences.join('; ')));
}

function counted(name: string, count: number): (readonly [string, string])[] {
  if (count === 0) return [];
  return [[name, count === 1 ? `1 ${name}` : `${count} ${name}s`]];
}
