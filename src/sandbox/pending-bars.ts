import type { Window } from '../market/index.ts';
import type { Feed } from './protocol.ts';
import type { SandboxCall } from './sandbox-call.ts';

/** How many bars of each symbol a child holds, and how many had been revealed when it was last fed. */
export type BarsSent = Map<string, { count: number; revealed: number }>;

/** The bars that were revealed since the child was last fed, as the protocol's feeds; they count as sent from here on. */
export function pendingBars(
  all: BarsSent,
  windows: readonly Window[],
): { feeds: Feed[]; binary: Uint8Array } {
  const feeds: Feed[] = [];
  const columns: Float64Array[] = [];
  for (const window of windows) {
    let sent = all.get(window.symbol);
    if (sent === undefined) {
      sent = { count: 0, revealed: 0 };
      all.set(window.symbol, sent);
    }
    const count = Math.min(window.revealed - sent.revealed, window.length);
    if (count === 0) continue;
    const { time, open, high, low, close, volume } = window;
    for (const column of [time, open, high, low, close, volume]) columns.push(column.tail(count));
    feeds.push({ symbol: window.symbol, count });
    sent.count += count;
    sent.revealed = window.revealed;
  }
  const binary = new Uint8Array(columns.reduce((bytes, column) => bytes + column.byteLength, 0));
  let offset = 0;
  for (const column of columns) {
    binary.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return { feeds, binary };
}

/** Where in what a child holds the bars of a call are, by symbol. */
export function visibleBars(
  all: BarsSent,
  { windows, sight }: SandboxCall,
): { readonly symbol: string; readonly start: number; readonly length: number }[] {
  return windows.map((window) => {
    const sent = all.get(window.symbol)?.count ?? 0;
    const { revealed, length } = sight?.get(window.symbol) ?? window;
    const end = Math.max(0, sent - (window.revealed - revealed));
    return { symbol: window.symbol, start: Math.max(0, end - length), length: end };
  });
}
