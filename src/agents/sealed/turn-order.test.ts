import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { type RunEvent, runBacktest } from '../../engine/index.ts';
import type { AppError } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { loadStrategy } from '../strategies/load-strategy.ts';

let bundle = '';
vi.mock('./bundle.ts', async (original) => ({
  ...(await original<typeof import('./bundle.ts')>()),
  bundleStrategy: () =>
    Promise.resolve({ code: bundle, files: [], stackInSources: (stack: string) => stack }),
}));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close().catch(() => undefined);
});

const LOADED = { name: 'x', summary: '', parameters: {}, tools: [], settings: {}, hasCosts: false };

/**
 * Runs hostile code in place of a strategy's bundle. The code answers each message of the engine as the test
 * specifies, as if a strategy had escaped and controlled the channel.
 *
 * @param answers code for each type of message, with `message` and `say`
 */
async function hostileRun(answers: Readonly<Record<string, string>>): Promise<{
  readonly error: unknown;
  readonly notes: readonly unknown[];
}> {
  const cases = Object.entries({
    load: `say(${JSON.stringify({ type: 'loaded', ...LOADED })});`,
    begin: "say({ type: 'ready' });",
    bar: "say({ type: 'decided', orders: [] });",
    ...answers,
  });
  bundle = `(function () {
    const channel = sandtableChannel;
    const say = (message) => channel.send(JSON.stringify(message));
    channel.serve((line) => {
      const message = line === '' ? { type: 'none' } : JSON.parse(line);
      ${cases.map(([type, code]) => `if (message.type === '${type}') { ${code} }`).join('\n')}
      return false;
    });
  })`;
  const market = simulateMarket({ seed: 3, bars: 3, symbols: ['AAA'] });
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  try {
    const strategy = await loadStrategy('strategies/sma-cross.ts', {}, { seal: true });
    const decider = strategy.createDecider(undefined, 3, market.symbols, { environment: {} });
    closing.push(async () => decider.close?.());
    const { error } = await runBacktest({ market, decider, settings: {}, onEvent });
    return { error, notes: events.filter(({ type }) => type === 'note') };
  } catch (error) {
    return { error, notes: [] };
  }
}

describe.skipIf(!buildIsHere())('a sealed strategy that controls the channel', () => {
  it('makes decisions that the engine expects', async () => {
    const { error, notes } = await hostileRun({
      bar: "say({ type: 'note', note: { type: 'note', bar: message.bar, text: 'x' } }); say({ type: 'decided', orders: [] });",
    });
    expect(error).toBeUndefined();
    expect(notes).toHaveLength(3);
  });

  it.each([
    ['while it is loaded', 'load', 'decided', "say({ type: 'decided', orders: [] });"],
    [
      'while it is loaded',
      'load',
      'note',
      "say({ type: 'note', note: { type: 'note', bar: 0, text: '' } });",
    ],
    ['before the first bar', 'begin', 'ended', "say({ type: 'ended' });"],
    ['before the first bar', 'begin', 'ask', "say({ type: 'ask', what: 'pending', given: [] });"],
    ['at a bar', 'bar', 'loaded', `say(${JSON.stringify({ type: 'loaded', ...LOADED })});`],
    ['at a bar', 'bar', 'ready', "say({ type: 'ready' });"],
  ])('is stopped %s (%s) by a message of the type %s', async (_, type, wrong, code) => {
    const { error } = await hostileRun({ [type]: code });
    expect(String(error)).toContain(`sent ${wrong} outside its turn`);
  });

  it.each(['0.5', '-1', 'message.bar + 1', '1e9', "'0'", 'null'])(
    'records no note of bar %s',
    async (bar) => {
      const { error, notes } = await hostileRun({
        bar: `say({ type: 'note', note: { type: 'note', bar: ${bar}, text: 'x' } }); say({ type: 'decided', orders: [] });`,
      });
      expect((error as AppError).code).toMatch(/^(bad_record|strategy_ended)$/);
      expect(notes).toEqual([]);
    },
  );

  it.each([
    ['long', "'x'.repeat(300_000)"],
    ['of another type', '5'],
  ])('records no note whose text is %s', async (_, text) => {
    const { error, notes } = await hostileRun({
      bar: `say({ type: 'note', note: { type: 'note', bar: message.bar, text: ${text} } }); say({ type: 'decided', orders: [] });`,
    });
    expect((error as AppError).code).toMatch(/^(bad_record|strategy_ended)$/);
    expect(notes).toEqual([]);
  });

  it('cannot record more notes than other strategies', async () => {
    const { error, notes } = await hostileRun({
      bar: "for (let i = 0; i < 20_000; i++) say({ type: 'note', note: { type: 'note', bar: message.bar, text: 'x' } }); say({ type: 'decided', orders: [] });",
    });
    expect(error).toMatchObject({ code: 'too_many_notes' });
    expect(notes.length).toBeLessThanOrEqual(10_000);
  });

  it('cannot call a tool that it did not declare', async () => {
    const { error } = await hostileRun({
      bar: "say({ type: 'call', id: 1, tool: 'compute', given: { code: '1' } });",
      unresolved:
        "say({ type: 'failed', how: 'threw', code: message.code, message: message.message, remedy: '' });",
    });
    expect(error).toMatchObject({ code: 'tools_not_declared' });
  });
});
