/** Durations of tool calls, for `timing.json`. */
export class ToolTimings {
  readonly #durations = new Map<string, number[]>();

  add(name: string, milliseconds: number): void {
    const durations = this.#durations.get(name);
    if (durations === undefined) this.#durations.set(name, [milliseconds]);
    else durations.push(milliseconds);
  }

  count(name: string): number {
    return this.#durations.get(name)?.length ?? 0;
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
