import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SILENT } from './context.ts';
import { type ReplayEnd, replayRun } from './replay-run.ts';

const root = join(import.meta.dirname, '..', '..');

describe('recorded example runs', () => {
  it('are reproduced byte for byte by this version', async () => {
    let end: ReplayEnd | undefined;
    const context = {
      environment: {},
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    };
    await replayRun(join(root, 'reports', 'example-sma-cross'), undefined, context, (found) => {
      end = found;
    });
    expect(end).toMatchObject({ outcome: 'completed', differs: false });
    expect(end?.matched).toBe(end?.lines);
  });
});
