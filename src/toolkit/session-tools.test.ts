import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { type Answer, findPython, SESSION_TOOLS, SessionAgent } from '../../test/support/toolkit-python.ts';
import { fakeSandbox, worldAt } from '../../test/support/toolkit-world.ts';
import type { Json } from '../engine/index.ts';
import { Sandbox, type SandboxReply } from '../sandbox/index.ts';
import { TOOL_NAMES } from './registry.ts';
import { createToolkit } from './toolkit.ts';

describe('the session tools', () => {
  const withReply = (reply: SandboxReply) => {
    const { world } = worldAt(3);
    const toolkit = createToolkit({ sandbox: fakeSandbox(() => reply).sandbox, tools: SESSION_TOOLS });
    return async (name: string, given: unknown): Promise<Answer> =>
      (await toolkit.call(name, given, world.turn)) as Answer;
  };
  const type = { name: 'int', module: 'builtins', qualified: 'builtins.int' };

  it('are exactly three, without the seven removed ones', async () => {
    expect(TOOL_NAMES).toEqual(expect.arrayContaining(['list_globals', 'inspect', 'eval_expr']));
    const call = withReply({ ok: true, result: null });
    for (const name of ['get_type', 'get_repr', 'get_dir', 'get_doc', 'get_last_exception']) {
      expect(TOOL_NAMES).not.toContain(name);
      expect(await call(name, { expr: 'x' })).toMatchObject({
        ok: false,
        code: 'unknown_function',
        error: `Unknown tool ${name}.`,
        remediation: expect.stringContaining('inspect'),
      });
    }
  });

  it.each<[string, Answer, Json]>([
    ['no type', { expr: '1' }, { kind: 'number' }],
    ['no kind', { expr: '1' }, { type }],
    ['a kind that is none', { expr: '1' }, { type, kind: 'dataframe' }],
    ['a type that is no object', { expr: '1' }, { type: 'int', kind: 'number' }],
    ['nothing', { expr: '1' }, null],
  ])('include inspect, which refuses a reply with %s', async (_, given, result) => {
    expect(await withReply({ ok: true, result })('inspect', given)).toMatchObject({
      ok: false,
      code: 'invalid_result_shape',
    });
  });

  it('pass on unknown sections of a reply', async () => {
    const result = { type, kind: 'number', news: { any: ['thing'] } };
    expect(await withReply({ ok: true, result })('inspect', { expr: '1' })).toEqual({ ok: true, result });
    expect(await withReply({ ok: true, result: 5 })('eval_expr', { expr: '1' })).toMatchObject({
      code: 'invalid_result_shape',
    });
    expect(await withReply({ ok: true, result: [{ name: 1 }] })('list_globals', {})).toMatchObject({
      code: 'invalid_result_shape',
    });
  });

  it('distinguish an exception, a timeout and a lost process', async () => {
    const failing = (kind: string, more = {}): SandboxReply => ({
      ok: false,
      kind,
      error: `${kind}: x`,
      remediation: 'y',
      ...more,
    });
    expect(
      await withReply(failing('NameError', { line: 1, traceback: 'T' }))('inspect', { expr: 'x' }),
    ).toEqual({
      ok: false,
      error: 'NameError: x',
      remediation: 'y',
      code: 'python_exception',
      exception: { type: 'NameError', line: 1, traceback: 'T' },
    });
    expect(await withReply(failing('TimeoutError'))('inspect', { expr: 'x' })).toEqual({
      ok: false,
      error: 'TimeoutError: x',
      remediation: 'y',
      code: 'inspect_timeout',
    });
    expect(await withReply(failing('TimeoutError'))('eval_expr', { expr: 'x' })).toMatchObject({
      code: 'eval_timeout',
    });
    const lost = await withReply(failing('SandboxCrash', { replaced: true }))('eval_expr', { expr: 'x' });
    expect(lost).toMatchObject({
      code: 'sandbox_replaced',
      replaced: true,
      note: expect.stringContaining('Python was reset'),
    });
  });
});

const runtime = await findPython();

describe.skipIf(runtime === undefined)('eval_expr and list_globals', () => {
  let sandbox: Sandbox;
  let agent: SessionAgent;

  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: PATIENT_MS, graceMs: 20_000 });
    agent = new SessionAgent(sandbox);
  });
  afterAll(() => sandbox?.close());

  it('evaluates an expression and returns its output', async () => {
    await agent.exec('x = 41\ndef shout(): print("loud"); return x + 1');
    expect(await agent.call('eval_expr', { expr: 'x + 1' })).toEqual({
      ok: true,
      result: { value_repr: '42', stdout: '', stderr: '' },
    });
    expect(await agent.call('eval_expr', { expr: 'shout()' })).toEqual({
      ok: true,
      result: { value_repr: '42', stdout: 'loud\n', stderr: '' },
    });
    expect(await agent.value('None')).toBe('None');
  });

  it('lists names in order, without hidden ones', async () => {
    const own = new SessionAgent(sandbox);
    await own.exec('x = 1\n_y = 2\nimport json\ndel cash');
    const { globals } = (await own.call('list_globals', {})).result as {
      globals: { name: string; type_name: string }[];
    };
    expect(globals).toEqual(
      [
        ...[
          ['_y', 'int'],
          ['above', 'function'],
          ['account', 'dict'],
          ['below', 'function'],
          ['crossover', 'function'],
        ],
        ...[
          ['crossunder', 'function'],
          ['df', 'DataFrame'],
          ['df_aaa', 'DataFrame'],
          ['df_brk_b', 'DataFrame'],
        ],
        ...[
          ['equity', 'int'],
          ['frame', 'function'],
          ['json', 'module'],
          ['latest', 'function'],
          ['math', 'module'],
          ['np', 'module'],
        ],
        ...[
          ['pd', 'module'],
          ['positions', 'dict'],
          ['prev', 'function'],
          ['ta', 'module'],
          ['x', 'int'],
        ],
      ].map(([name, type_name]) => ({ name, type_name })),
    );
  });
});
