import { type RunEvent, type RunSettingsInput, runSettingsSchema, World } from '../../src/engine/index.ts';
import { type Market, pointInTimeData, simulateMarket } from '../../src/market/index.ts';
import type { Sandbox, SandboxCall, SandboxReply } from '../../src/sandbox/index.ts';

/** Mock sandbox that runs no Python. Records the calls and returns the replies of `answer`. */
export function fakeSandbox(
  answer: (call: SandboxCall) => SandboxReply = () => ({ ok: true, result: null }),
): {
  readonly sandbox: Sandbox;
  readonly calls: SandboxCall[];
} {
  const calls: SandboxCall[] = [];
  const fake: Pick<Sandbox, 'timeoutMs' | 'call'> = {
    timeoutMs: 500,
    call(call) {
      calls.push(call);
      return Promise.resolve(answer(call));
    },
  };
  return { sandbox: fake as Sandbox, calls };
}

/**
 * A document, a fundamental figure and a universe that are known at every bar. The examples of the tools
 * request them.
 */
const PUBLISHED = pointInTimeData({
  documents: [
    {
      id: 'n1',
      available_at: '1990-01-02 09:30',
      symbols: ['AAA'],
      source: 'Wire',
      title: 'Guidance raised',
      text: 'Up.',
    },
  ],
  fundamentals: [
    { symbol: 'AAA', field: 'revenue', period_end: '1989-12-31', available_at: '1990-01-31', value: 119.5 },
  ],
  universe: [{ symbol: 'AAA' }, { symbol: 'BRK.B' }],
});

/**
 * Returns a world at the close of a bar, the events that it emits, and a function that processes the next
 * bar.
 */
export function worldAt(
  bar: number,
  options: {
    readonly market?: Market;
    readonly settings?: RunSettingsInput;
    readonly isPublished?: boolean;
  } = {},
): { readonly world: World; readonly events: RunEvent[]; next(): void } {
  const market = options.market ?? simulateMarket({ seed: 4, bars: 300, symbols: ['AAA', 'BRK.B'] });
  const events: RunEvent[] = [];
  const world = new World(
    market,
    runSettingsSchema.parse(options.settings ?? {}),
    (event) => events.push(event),
    options.isPublished === true ? { pointInTime: PUBLISHED } : {},
  );
  const next = (): void => {
    world.reveal();
    world.fill();
    world.markToMarket();
  };
  while (world.bar < bar) next();
  return { world, events, next };
}
