/** Durations of tool calls, for `timing.json`. */
export class ToolTimings {
  readonly #durations = new Map<string, number[]>();
  /** Total duration by bar of the decision. */
  readonly #bars: Map<number, number>;

  /** `beside` are timings that belong to the same decisions. */
  constructor(beside?: ToolTimings) {
    this.#bars = beside === undefined ? new Map<number, number>() : beside.#bars;
  }

  add(name: string, milliseconds: number, bar: number): void {
    this.#bars.set(bar, (this.#bars.get(bar) ?? 0) + milliseconds);
    const durations = this.#durations.get(name);
    if (durations === undefined) this.#durations.set(name, [milliseconds]);
    else durations.push(milliseconds);
  }

  count(name: string): number {
    return this.#durations.get(name)?.length ?? 0;
  }

  /** Returns the duration of each decision for `timing.json`. Empty if no call was timed. */
  decisions(): { readonly decisions?: string } {
    if (this.#bars.size === 0) return {};
    const texts = [...this.#bars].map(([bar, ms]) => `${bar}:${Number(ms.toFixed(2))}`);
    return { decisions: texts.join(' ') };
  }

  summary(): Record<string, { calls: number; p50Milliseconds: number; p95Milliseconds: number }> {
    return Object.fromEntries(
      [...this.#durations].map(([name, durations]) => {
        const sorted = Float64Array.from(durations).sort();
        const at = (share: number): number =>
          sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
        return [name, { calls: sorted.length, p50Milliseconds: at(0.5), p95Milliseconds: at(0.95) }];
      }),
    );
  }
}
