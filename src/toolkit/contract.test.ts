import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { randomCases } from '../../test/support/depth.ts';
import { strictFaults } from '../../test/support/strict-schema.ts';
import { argumentsOf } from '../../test/support/tool-arguments.ts';
import { worldAt } from '../../test/support/toolkit-world.ts';
import type { Json } from '../engine/index.ts';
import { provisionRuntime, Sandbox } from '../sandbox/index.ts';
import { readArguments } from './arguments.ts';
import { ALL_TOOLS, OFFERED_TOOL_NAMES, TOOL_NAMES } from './registry.ts';
import { schemaOf, shortToolDefinitions, toolDefinitions } from './schemas.ts';
import { createToolkit, DEFAULT_RESULT_BYTES, type Toolkit } from './toolkit.ts';

// These tests check every tool of the registry by its example call. Some examples need data. For these tools,
// the table contains calls that must be made first.
const BEFORE_EXAMPLE: Readonly<Record<string, readonly (readonly [string, Json])[]>> = {
  order_cancel: [['trade_execute', { action: 'buy', quantity: 1, order_type: 'limit', price: 1 }]],
  memory_recall: [['memory_note', { key: 'plan', content: 'Wait.' }]],
  vfs_read: [['vfs_write', { path: 'notes/today.md', content: 'Wait.' }]],
  vfs_delete: [['vfs_write', { path: 'notes/today.md', content: 'Wait.' }]],
};

/** Example calls that replace a tool's own example, because its symbols do not exist in the test market. */
const EXAMPLES_HERE: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  portfolio_rebalance: { weights: { AAA: 45, 'BRK.B': 45 }, cash: 5 },
};
const exampleHere = (name: string): unknown => EXAMPLES_HERE[name] ?? ALL_TOOLS[name]!.example;

/**
 * Tools whose example cannot work in this test, with the requirement that the test does not meet. All other
 * tests apply to these tools too.
 */
const NEEDS_A_MACHINE: Readonly<Record<string, string>> = {
  run_python_script: 'a venv, and the leave to use it',
};

/** Number of random calls per tool: 150 in `npm test`, 1,000 in the deep tests. */
const CASES = randomCases(75, 1_000);
const CAP = DEFAULT_RESULT_BYTES + 8_192;
type Answer = Readonly<Record<string, Json>>;

let sandbox: Sandbox;

beforeAll(async () => {
  // The time limit is generous, because ordinary calls must not time out on a loaded machine.
  sandbox = new Sandbox({ runtime: await provisionRuntime(), spares: 1, timeoutMs: 2_000 });
  await sandbox.start();
}, 300_000);

afterAll(async () => sandbox.close());

function openAt(bar: number) {
  const { world, events, next } = worldAt(bar, { settings: { commissionRate: 0.001 }, isPublished: true });
  const toolkit = createToolkit({ sandbox, tools: TOOL_NAMES });
  const call = async (name: string, given: unknown): Promise<Answer> =>
    (await toolkit.call(name, given, world.turn)) as Answer;
  return { world, events, next, toolkit, call };
}

async function exampleOf(name: string, given: unknown = exampleHere(name)): Promise<Answer> {
  const { call } = openAt(120);
  for (const [tool, before] of BEFORE_EXAMPLE[name] ?? [])
    expect(await call(tool, before)).not.toHaveProperty('error');
  return call(name, given);
}

/**
 * Returns the state that an agent can see: account, orders and memory. Used to check that a call had no
 * effect.
 */
async function leftovers(toolkit: Toolkit, { turn }: ReturnType<typeof openAt>['world']): Promise<string> {
  const looks: [string, Json][] = [
    ['account_status', {}],
    ['order_query', {}],
    ['memory_recall', { query: '', limit: 50 }],
  ];
  const seen = [];
  for (const [name, given] of looks) seen.push(await toolkit.call(name, given, turn));
  return JSON.stringify(seen);
}

describe.each(TOOL_NAMES.map((name) => [name, ALL_TOOLS[name]!] as const))('%s', (name, tool) => {
  const [plain, strict] = [false, true].map(
    (mode) => toolDefinitions([name], { strict: mode })[0]!.function,
  ) as [
    ReturnType<typeof toolDefinitions>[number]['function'],
    ReturnType<typeof toolDefinitions>[number]['function'],
  ];
  const working = it.skipIf(name in NEEDS_A_MACHINE);

  it('has a name and a manual within the limit', () => {
    expect(tool.name).toBe(name);
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(tool.description.length).toBeGreaterThan(100);
    expect(tool.description.length).toBeLessThan(2_000);
    expect(tool.description).toMatch(/Examples?:/);
    expect(OFFERED_TOOL_NAMES.includes(name)).toBe(tool.optIn !== true);
  });

  it('has a short description for models, with all parameters and their types', () => {
    const short = shortToolDefinitions([name])[0]!.function;
    expect(short.description.length).toBeLessThan(700);
    expect(short.description).not.toContain('Example');
    expect(Object.keys(short.parameters.properties ?? {})).toEqual(
      Object.keys(plain.parameters.properties ?? {}),
    );
    expect(short.parameters.required).toEqual(plain.parameters.required);
    for (const [property, { type, enum: choices }] of Object.entries(plain.parameters.properties ?? {}))
      expect(short.parameters.properties?.[property]).toMatchObject({
        ...(type === undefined ? {} : { type }),
        ...(choices === undefined ? {} : { enum: choices }),
      });
    expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(plain).length);
  });

  it('has valid examples', () => {
    expect(readArguments(tool, tool.example as Json).ok).toBe(true);
    const shown = examplesIn(tool.description);
    for (const example of shown) expect([example, readArguments(tool, example).ok]).toEqual([example, true]);
  });

  it('has a JSON Schema that describes every parameter and agrees with the validation', () => {
    const { properties = {}, required = [] } = plain.parameters;
    expect(plain.parameters.type).toBe('object');
    expect('$schema' in plain.parameters).toBe(false);
    expect(Object.keys(properties).sort()).toEqual(Object.keys(tool.parameters.shape).sort());
    for (const [property, { description = '' }] of Object.entries(properties))
      expect([property, description.length > 3]).toEqual([property, true]);
    for (const property of Object.keys(properties)) {
      const without = { ...(tool.example as Record<string, Json>) };
      delete without[property];
      expect([property, readArguments(tool, without).ok]).toEqual([property, !required.includes(property)]);
    }
    expect(new Ajv2020({ strict: false }).compile(plain.parameters)(tool.example)).toBe(true);
  });

  it('has a schema of OpenAI strict mode', () => {
    expect(strict.strict).toBe(true);
    expect(strictFaults(strict.parameters)).toEqual([]);
  });

  working('works as its example says', async () => {
    expect(await exampleOf(name)).not.toHaveProperty('error');
  });

  working('works with arguments in strict form', async () => {
    const form = strictForm(strict.parameters, exampleHere(name) as Record<string, Json>);
    expect(new Ajv2020({ allowUnionTypes: true }).compile(strict.parameters)(form)).toBe(true);
    expect(await exampleOf(name, form)).toEqual(await exampleOf(name));
    expect(await exampleOf(name, JSON.stringify(form))).toEqual(await exampleOf(name));
  });

  it('gives the same results in a run after another run', async () => {
    const first = openAt(120);
    await exampleOf(name);
    const second = openAt(120);
    expect(await leftovers(second.toolkit, second.world)).toBe(await leftovers(first.toolkit, first.world));
    expect(await exampleOf(name)).toEqual(await exampleOf(name));
  });

  it(`answers ${CASES.numRuns} generated calls in JSON under the limit, and records each`, async () => {
    const opened = openAt(120);
    const { world, toolkit, events, next } = opened;
    for (const [tool, before] of BEFORE_EXAMPLE[name] ?? []) await toolkit.call(tool, before, world.turn);
    const reported = (): number => events.filter(({ type }) => type === 'tool_called').length;
    const before = await leftovers(toolkit, world);
    let expected = reported();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(argumentsOf(schemaOf(tool.parameters)), async (given) => {
        const answer = await toolkit.call(name, given, world.turn);
        calls += 1;
        expected += 1;
        const text = JSON.stringify(answer);
        expect(JSON.parse(text)).toEqual(answer);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CAP);
        expect(reported()).toBe(expected);
        const record = events.findLast(({ type }) => type === 'tool_called');
        expect(JSON.parse(JSON.stringify(record))).toEqual(record);
        if (typeof answer === 'object' && answer !== null && 'error' in answer)
          expectFailure(answer as Answer);
        expect(text).not.toMatch(/node_modules|\bat .+\.(?:ts|js|mjs):\d+|node:internal/);
        if (tool.writes && calls % 50 === 0 && world.bar < world.length - 1) next();
      }),
      { numRuns: CASES.numRuns, seed: 20_261_122 + (CASES.seed ?? 0) },
    );
    if (!tool.writes) expect(await leftovers(toolkit, world)).toBe(before);
    expect(world.account.equity.isFinite()).toBe(true);
  });

  it(tool.needsPython === true ? 'reports that it needs Python' : 'works without Python', async () => {
    const { world } = worldAt(120, { isPublished: true });
    const before = BEFORE_EXAMPLE[name] ?? [];
    const make = () => createToolkit({ tools: [name, ...before.map(([earlier]) => earlier)] });
    if (tool.needsPython === true) {
      expect(make).toThrow(expect.objectContaining({ code: 'no_sandbox' }));
      return;
    }
    const toolkit = make();
    for (const [earlier, given] of before) await toolkit.call(earlier, given, world.turn);
    const answer = await toolkit.call(name, exampleHere(name), world.turn);
    if (!(name in NEEDS_A_MACHINE)) expect(answer).not.toHaveProperty('error');
  });

  // This test is only for tools that use Python. The previous test covers all other tools.
  it.runIf(tool.needsPython === true)('works again after its Python process was killed', async () => {
    const { pid } = await sandbox.describe();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    // The first call after the kill may fail, because it detects that the process has ended. The next call
    // must work.
    await exampleOf(name);
    await vi.waitFor(async () => expect((await sandbox.describe()).pid).not.toBe(pid), { timeout: 60_000 });
    expect(await exampleOf(name)).not.toHaveProperty('error');
  });
});

function expectFailure({ error, remediation }: Answer): void {
  // The failures of `exec_code` and similar tools have a different, specified shape.
  if (typeof error === 'object') return;
  expect(typeof error).toBe('string');
  expect(error).not.toBe('');
  expect(typeof remediation).toBe('string');
  expect(remediation).not.toBe('');
}

/** Returns example calls in a description: JSON objects after "Example". */
function examplesIn(description: string): Json[] {
  const text = description.slice(description.search(/Examples?:/));
  const found: Json[] = [];
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
      try {
        const value = JSON.parse(text.slice(start, end + 1)) as Json;
        // Text after an arrow is an answer, not a call.
        if (!/→\s*$/.test(text.slice(0, start))) found.push(value);
        start = end;
        break;
      } catch {
        // The text is incomplete or not JSON.
      }
    }
  }
  return found;
}

/**
 * Returns arguments as a model in strict mode sends them: all properties are present, and omitted ones are
 * null.
 */
function strictForm(
  schema: { properties?: Readonly<Record<string, { type?: unknown }>> },
  given: Readonly<Record<string, Json>>,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const value = given[name];
      if (value === undefined) return [name, null];
      const free = typeof value === 'object' && [property.type].flat().includes('string');
      return [name, free ? JSON.stringify(value) : value];
    }),
  );
}
