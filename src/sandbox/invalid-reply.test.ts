import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ChildAnswer, SandboxChild } from './child-process.ts';
import { Interpreter } from './interpreter.ts';
import type { PythonRuntime } from './provision/index.ts';
import { Sandbox } from './sandbox.ts';

/** Mock of a child that answers with the next of the given bodies. A spent child is killed after its reply. */
class FakeChild {
  readonly answers: string[] = [];
  alive = true;
  isSpent = false;
  calls = 0;
  readonly pid: number;

  constructor(pid: number) {
    this.pid = pid;
  }

  async call(): Promise<ChildAnswer> {
    this.calls += 1;
    if (this.isSpent) this.kill();
    return { kind: 'reply', body: this.answers.shift() ?? '{"ok":true,"result":1}' };
  }

  async batch(): Promise<ChildAnswer> {
    return this.call();
  }

  kill(): void {
    this.alive = false;
  }
}

const made: FakeChild[] = [];
const start = vi.spyOn(SandboxChild, 'start').mockImplementation(async () => {
  const child = new FakeChild(made.length);
  made.push(child);
  return child as unknown as SandboxChild;
});
afterEach(() => void made.splice(0));

const runtime = {} as PythonRuntime;

describe('a child whose reply is invalid or that is killed after its reply', () => {
  const open = () => {
    const sandbox = new Sandbox({ runtime, spares: 1 });
    const call = (session?: string) =>
      sandbox.call({
        operation: session === undefined ? 'compute' : 'exec_code',
        bar: 0,
        time: 0,
        windows: [],
        request: { code: 'class Unused: pass' },
        ...(session === undefined ? {} : { session: { id: session, begin: true, lasting: true } }),
      });
    return { sandbox, call };
  };

  it.each([
    ['not JSON', (child: FakeChild) => child.answers.push('{"ok":')],
    ['of another form', (child: FakeChild) => child.answers.push('{"ok":1}')],
    ['valid, but the child is spent', (child: FakeChild) => Object.assign(child, { isSpent: true })],
  ])('is replaced, and calls alternate between children again: %s', async (name, spoil) => {
    const { sandbox, call } = open();
    await sandbox.start();
    await call('a');
    spoil(made[0]!);
    expect(await call('a')).toMatchObject(
      name.startsWith('valid') ? { ok: true } : { ok: false, replaced: true, kind: 'ProtocolError' },
    );
    expect(made[0]!.alive).toBe(false);
    const pids = new Set<number | undefined>();
    for (let round = 0; round < 6; round++) {
      await call();
      pids.add((await sandbox.describe()).pid);
    }
    expect(pids.size).toBe(2);
    expect(pids).not.toContain(0);
    // First child, its replacement, a spare, and another spare because of the loss.
    expect(made.length).toBe(4);
    await sandbox.close();
  });
});

describe('a strategy process whose reply is not JSON', () => {
  const invalid = {
    code: 'strategy_ended',
    message: 'The process of the strategy sent an invalid reply (it is not JSON).',
  };
  const call = { operation: 'strategy_bar', request: {}, time: 0 } as const;

  it('is ended', async () => {
    const interpreter = await Interpreter.start({ runtime, seed: 1 });
    expect(start).toHaveBeenCalled();
    made[0]!.answers.push('{"ok":');
    await expect(interpreter.call({ ...call, timeoutMs: 100 })).rejects.toMatchObject(invalid);
    expect(interpreter.isFree).toBe(false);
  });

  it('is ended during several calls', async () => {
    const interpreter = await Interpreter.start({ runtime, seed: 1 });
    made[0]!.answers.push('{"ok":');
    await expect(interpreter.callInTurn([call], 100, () => undefined)).rejects.toMatchObject(invalid);
    expect(interpreter.isFree).toBe(false);
  });
});
