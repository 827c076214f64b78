import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import type { ChildMessage } from './messages.ts';
import { SealedProcess } from './process.ts';

const running: SealedProcess[] = [];
afterEach(() => {
  for (const process_ of running.splice(0)) process_.kill();
});

/**
 * Starts a sealed process with hostile code in place of a strategy's bundle. The code has full access to the
 * channel to the engine, as if a strategy had escaped.
 *
 * @param code code with `channel` and `say`, which sends a message
 */
async function hostile(code: string): Promise<SealedProcess> {
  const bundle = `(function () {
    const channel = sandtableChannel;
    const say = (message) => channel.send(JSON.stringify(message));
    ${code}
  })`;
  const started = await SealedProcess.start('hostile.js', bundle);
  running.push(started);
  return started;
}

/** Sends a message and accepts the first answer. */
const exchange = (process_: SealedProcess): Promise<ChildMessage> =>
  process_.exchange<ChildMessage>({ type: 'load', given: {} }, (heard, done) => done(heard));

const serve = (work: string): string => `channel.serve((line) => { ${work}; return false; });`;

describe.skipIf(!buildIsHere())('the engine and a sealed strategy that controls the channel', () => {
  it('exchange messages that the engine expects', async () => {
    const process_ = await hostile(serve("say({ type: 'ended' })"));
    expect(await exchange(process_)).toEqual({ type: 'ended' });
    expect(await exchange(process_)).toEqual({ type: 'ended' });
  });

  it.each([
    ['is not JSON', "channel.send('x')"],
    ['has no type', 'say({})'],
    ['has an unknown type', "say({ type: 'exec' })"],
    ['has a field too many', "say({ type: 'ended', more: 1 })"],
    ['has a field of another type', "say({ type: 'call', id: 1.5, tool: 'x', given: 1 })"],
    ['asks for something unknown', "say({ type: 'ask', what: 'constructor', given: [] })"],
    ['has too many arguments', "say({ type: 'ask', what: 'buy', given: [1, 2, 3, 4, 5] })"],
    ['records another event', "say({ type: 'note', note: { type: 'fill', bar: 0, text: '' } })"],
    ['is cut off', "channel.send('['.repeat(1e6))"],
    [
      'is nested very deep',
      `channel.send('{"type":"decided","orders":' + '['.repeat(1e6) + ']'.repeat(1e6) + '}')`,
    ],
  ])('end the process of a message that %s', async (_, work) => {
    await expect(exchange(await hostile(serve(work)))).rejects.toMatchObject({
      code: 'strategy_ended',
      message: expect.stringContaining('sent an invalid message'),
    });
  });

  it('end the process of a message that was not requested', async () => {
    const process_ = await hostile(serve("say({ type: 'ended' }); say({ type: 'ended' })"));
    expect(await exchange(process_)).toEqual({ type: 'ended' });
    await vi.waitFor(
      async () => {
        await expect(exchange(process_)).rejects.toMatchObject({
          code: 'strategy_ended',
          message: expect.stringContaining('spoke unasked'),
        });
      },
      { timeout: 60_000 },
    );
  });

  it('end the process of a line that never ends', async () => {
    const process_ = await hostile(serve("channel.send('x'.repeat(100e6))"));
    await expect(exchange(process_)).rejects.toMatchObject({
      code: 'strategy_ended',
      message: expect.stringContaining('sent more than any decision needs'),
    });
  });

  it('print at most a million characters, even without the limit inside the process', async () => {
    let length = 0;
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      length += String(text).length;
      return true;
    });
    const process_ = await hostile(
      serve(
        "for (let i = 0; i < 50; i++) say({ type: 'print', text: 'x'.repeat(1e5) }); say({ type: 'ended' })",
      ),
    );
    expect(await exchange(process_)).toEqual({ type: 'ended' });
    spy.mockRestore();
    expect(length).toBeLessThan(1_001_000);
    expect(length).toBeGreaterThan(1_000_000);
  });
});
