import { type RunEvent, type RunSettingsInput, runSettingsSchema, World } from '../../src/engine/index.ts';
import { type Market, simulateMarket } from '../../src/market/index.ts';
import type { Sandbox, SandboxCall, SandboxReply } from '../../src/sandbox/index.ts';

/** A sandbox that computes nothing: it keeps what it was asked and answers as it is told. */
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

/** A world at the close of a bar, with what it tells. */
export function worldAt(
  bar: number,
  options: { readonly market?: Market; readonly settings?: RunSettingsInput } = {},
): { readonly world: World; readonly events: RunEvent[]; next(): void } {
  const market = options.market ?? simulateMarket({ seed: 4, bars: 300, symbols: ['AAA', 'BRK.B'] });
  const events: RunEvent[] = [];
  const world = new World(market, runSettingsSchema.parse(options.settings ?? {}), (event) =>
    events.push(event),
  );
  const next = (): void => {
    world.reveal();
    world.fill();
    world.markToMarket();
  };
  while (world.bar < bar) next();
  return { world, events, next };
}
