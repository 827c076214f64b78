import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';
import { SandboxChild } from './child-process.ts';
import { encodeFrame } from './protocol.ts';
import type { PythonRuntime } from './provision/index.ts';

/**
 * Mock child process that sends arbitrary frames, like a child whose Python code has escaped from its
 * isolation.
 */
class HostileChild extends EventEmitter {
  readonly pid = undefined;
  readonly stdio = Array.from({ length: 5 }, () => new PassThrough());
  readonly stdout = this.stdio[1];
  readonly stderr = this.stdio[2];
  readonly signals: string[] = [];
  ref = (): void => undefined;
  unref = (): void => undefined;

  kill(signal: string): boolean {
    this.signals.push(signal);
    return true;
  }

  send(...frames: readonly Buffer[]): void {
    this.stdio[3]!.write(Buffer.concat(frames));
  }

  /** Sends the frames as soon as a request arrives. */
  answer(...frames: readonly Buffer[]): void {
    this.stdio[4]!.once('data', () => this.send(...frames));
  }
}

const made: HostileChild[] = [];
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof import('node:child_process')>()),
  spawn: () => made[0],
}));
afterEach(() => void made.splice(0));

const READY = encodeFrame({ type: 'ready', bootMs: 1, versions: { python: '3' } });
const REPLY = encodeFrame({ type: 'reply' }, '{"ok":true}');
const CALL = {
  type: 'call',
  operation: 'compute',
  feeds: [],
  time: 0,
  timeoutMs: 500,
  clean: true,
} as const;

const here = import.meta.dirname;
const runtime = { pyodideFolder: here, stdlib: here, packages: [] } as unknown as PythonRuntime;

async function started(): Promise<{ child: SandboxChild; hostile: HostileChild }> {
  const hostile = new HostileChild();
  made.push(hostile);
  hostile.answer(READY);
  const child = await SandboxChild.start({
    runtime,
    seed: 1,
    memoryMegabytes: 512,
    paranoid: false,
    reusable: false,
    asks: false,
    signal: new AbortController().signal,
  });
  return { child, hostile };
}

const call = (child: SandboxChild) => child.call(CALL, '{}', new Uint8Array(0), 2_000);

describe.skipIf(!buildIsHere())('a child that breaks the protocol', () => {
  it('is used as long as it answers each request once', async () => {
    const { child, hostile } = await started();
    hostile.answer(REPLY);
    expect(await call(child)).toEqual({ kind: 'reply', body: '{"ok":true}' });
    expect(child.alive).toBe(true);
    expect(hostile.signals).toEqual([]);
  });

  it('answers a batch in parts, however they are split', async () => {
    const { child, hostile } = await started();
    const frames = Buffer.concat([
      ...['1', '2', '3'].map((body) => encodeFrame({ type: 'part' }, body)),
      encodeFrame({ type: 'reply' }, '4'),
    ]);
    hostile.stdio[4]!.once('data', () => {
      for (let at = 0; at < frames.length; at += 17) hostile.send(frames.subarray(at, at + 17));
    });
    const parts: string[] = [];
    const done = child.batch(
      { type: 'batch', calls: [] },
      '',
      new Uint8Array(0),
      2_000,
      (body) => parts.push(body),
      () => undefined,
    );
    expect(await done).toEqual({ kind: 'reply', body: '4' });
    expect(parts).toEqual(['1', '2', '3']);
    expect(child.alive).toBe(true);
  });

  it.each([
    ['a reply without a request', REPLY],
    ['a reply of another type', encodeFrame({ type: 'ask' })],
    ['bytes that are not a frame', Buffer.alloc(64)],
  ])('is killed for %s', async (_, frame) => {
    const { child, hostile } = await started();
    hostile.send(frame);
    await vi.waitFor(() => expect(hostile.signals).toEqual(['SIGKILL']));
    expect(child.alive).toBe(false);
    // A reply that came too early is not the answer to the next call.
    expect(await call(child)).toMatchObject({ kind: 'died' });
  });

  it.each([
    ['a second reply', [REPLY, REPLY]],
    ['further bytes', [REPLY, Buffer.from('x')]],
    ['a question that nobody answers', [encodeFrame({ type: 'ask' }, '{}')]],
    ['a part of a reply that is not requested', [encodeFrame({ type: 'part' }, '{}'), REPLY]],
    ['a header of an unknown type', [encodeFrame({ type: 'other' } as never)]],
    ['a header with an unknown field', [encodeFrame({ type: 'reply', more: 1 } as never)]],
    ['a header that is not JSON', [Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 123])]],
    ['a frame of 4 GB', [Buffer.from([9, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0])]],
  ])('is killed for %s in place of one reply', async (_, frames) => {
    const { child, hostile } = await started();
    hostile.answer(...frames);
    expect(await call(child)).toMatchObject({ kind: 'died' });
    expect(hostile.signals[0]).toBe('SIGKILL');
    expect(child.alive).toBe(false);
  });
});
