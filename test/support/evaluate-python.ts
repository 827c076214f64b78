import type { Json, RunEvent } from '../../src/engine/index.ts';
import type { SandboxReply } from '../../src/sandbox/index.ts';
import { FILES } from '../../src/toolkit/tool.ts';
import { createToolkit } from '../../src/toolkit/toolkit.ts';
import { Vfs } from '../../src/toolkit/vfs/index.ts';
import { fakeSandbox, worldAt } from './toolkit-world.ts';

type Answer = Record<string, Json>;

export const TOOLS = ['evaluate_python', 'vfs_list', 'vfs_read', 'vfs_write', 'vfs_delete'];

export function replied(outcome: object): SandboxReply {
  const empty = { value_repr: null, stdout: '', stderr: '', globals: {}, writes: [] };
  return { ok: true, result: { ...empty, ...outcome } };
}

export function setUp(
  options: { files?: Record<string, string>; reply?: SandboxReply; resultBytes?: number } = {},
) {
  const { files: given = {}, reply = replied({ value_repr: '10' }), resultBytes } = options;
  const files = new Vfs();
  for (const [path, content] of Object.entries(given)) files.write(path, content);
  const { world, events } = worldAt(3);
  const { sandbox, calls } = fakeSandbox(() => reply);
  const toolkit = createToolkit({
    sandbox,
    tools: TOOLS,
    shared: { [FILES.name]: files },
    ...(resultBytes === undefined ? {} : { resultBytes }),
  });
  const call = async (name: string, parameters: unknown): Promise<Answer> =>
    (await toolkit.call(name, parameters, world.turn)) as Answer;
  return {
    files,
    calls,
    call,
    evaluate: (parameters: object) => call('evaluate_python', { code: '', ...parameters }),
    changes: (): RunEvent[] => events.filter(({ type }) => type.startsWith('file_')),
    telemetry: (): RunEvent[] => events.filter(({ type }) => type === 'telemetry'),
  };
}

export const write = (path: string, content = 'x', mode = 'create') => ({ path, content, mode });
