import { goTo, placeOfAddress } from './comparison.ts';
import { byId, element } from './folding.ts';

/** Speeds of the replay that the user can select, in bars per second. */
const SPEEDS = [1, 2, 5, 20] as const;

interface ReplayTerms {
  /** Returns the number of bars of the run. */
  readonly bars: () => number;
  /** Returns the bars with events of trades, such as entries and exits, ascending. */
  readonly tradeBars: () => readonly number[];
  /** Shows the chart up to a bar. `undefined` shows the whole chart. */
  readonly cut: (bar: number | undefined) => void;
}

/** Replays a run bar by bar. During a replay, the chart shows only bars up to the current one. */
export class Replay {
  readonly #terms: ReplayTerms;
  readonly #play = byId('play', HTMLButtonElement);
  readonly #speed = byId('speed', HTMLSelectElement);
  readonly #close = byId('replay-end', HTMLButtonElement);
  #timer: number | undefined;
  #isOn = false;

  constructor(terms: ReplayTerms) {
    this.#terms = terms;
    this.#speed.replaceChildren(
      ...SPEEDS.map((speed) => element('option', { value: String(speed) }, `${speed} bars/s`)),
    );
    this.#speed.value = '2';
    this.#play.addEventListener('click', () => this.#toggle());
    this.#close.addEventListener('click', () => this.#end());
    byId('next-trade', HTMLButtonElement).addEventListener('click', () => this.#nextTrade());
    this.#speed.addEventListener('change', () => {
      if (this.#timer !== undefined) this.#start();
    });
    addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** True during a replay, when the chart ends at the current bar. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** During a replay, ends the chart at the selected bar. */
  show(bar: number): void {
    if (this.#isOn) this.#terms.cut(bar);
  }

  /** Selects the next or previous bar, even if it has no events. */
  step(direction: 1 | -1): void {
    const bar = (placeOfAddress()?.bar ?? -1) + direction;
    if (bar >= 0 && bar < this.#terms.bars()) location.replace(`#bar=${bar}`);
    else this.#pause();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { target, key } = event;
    const isIn = (selector: string): boolean =>
      target instanceof Element && target.closest(selector) !== null;
    if (isIn('input, select, textarea') || (key === ' ' && isIn('button, summary, a'))) return;
    if (key === ' ') this.#toggle();
    else if (key === 't') this.#nextTrade();
    else if (key === '[' || key === ']') this.#faster(key === ']' ? 1 : -1);
    else if (key === 'Escape' && this.#isOn) this.#end();
    else return;
    event.preventDefault();
  }

  #toggle(): void {
    if (this.#timer === undefined) this.#start();
    else this.#pause();
  }

  #start(): void {
    clearInterval(this.#timer);
    const bar = placeOfAddress()?.bar;
    this.#isOn = true;
    this.#close.hidden = false;
    this.#play.textContent = '❚❚ Pause';
    // If the last bar is selected, the replay starts again from the first bar.
    if (bar === undefined || bar >= this.#terms.bars() - 1) location.replace('#bar=0');
    else this.#terms.cut(bar);
    this.#timer = window.setInterval(() => this.step(1), 1_000 / Number(this.#speed.value));
  }

  #pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#play.textContent = '▶ Replay';
  }

  #end(): void {
    this.#pause();
    this.#isOn = false;
    this.#close.hidden = true;
    this.#terms.cut(undefined);
    this.#play.focus();
  }

  #faster(direction: 1 | -1): void {
    const at = Math.min(Math.max(this.#speed.selectedIndex + direction, 0), SPEEDS.length - 1);
    this.#speed.selectedIndex = at;
    if (this.#timer !== undefined) this.#start();
  }

  #nextTrade(): void {
    const bars = this.#terms.tradeBars();
    const now = placeOfAddress()?.bar ?? -1;
    const next = bars.find((bar) => bar > now) ?? bars[0];
    if (next !== undefined) goTo(next);
  }
}
