import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inDepth, randomCases } from '../../test/support/depth.ts';
import { findPython, SessionAgent } from '../../test/support/toolkit-python.ts';
import { Sandbox } from '../sandbox/index.ts';

const runtime = await findPython();

const NAMES = ['a', 'b', 'c', 'df', 'cash'] as const;
const START = 'a = b = c = 1\nitems = []\ndef f(x): return x';
/** Python expression of all state that the generated programs can change. */
const STATE = '[str(x) for x in (a, b, c, cash, items, type(df).__name__, f(3), np.random.rand())]';

const name = fc.constantFrom(...NAMES);
const number = fc.integer({ min: -3, max: 9 });
/** Complete snippets of one to three lines that never fail. */
const snippet = fc.oneof(
  fc.tuple(name, number).map(([target, value]) => `${target} = ${value}`),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), number)
    .map(([target, value]) => `${target} = str(${target}) + '${value}'`),
  number.map((value) => `items.append(${value})`),
  number.map((value) => `def f(x):\n    return (x, ${value}, a)`),
  name.map((target) => `print('${target}', str(type(${target}).__name__))`),
  fc.tuple(name, name).map(([left, right]) => `${left}, ${right} = ${right}, ${left}`),
  number.map((value) => `for i in range(${Math.abs(value)}):\n    items.append(i)\n    b = i`),
  fc.constant('items.append(round(float(np.random.rand()), 9))'),
  fc.constant('class K:\n    n = a'),
  number.map((value) => `try:\n    1 / ${value}\nexcept ZeroDivisionError:\n    items.append('zero')`),
);
/** Snippets that fail before they change anything. */
const failing = fc.constantFrom(
  '1 / 0',
  'nothing_of_that_name',
  'def (',
  'a = = 1',
  "raise ValueError('no')",
  "df['no such column']",
  '().__class__',
  'import os',
  'assert False',
  '(lambda: missing)()',
);

describe.skipIf(runtime === undefined)('laws of a session', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: 10_000, graceMs: 20_000 });
    await sandbox.start();
  });
  afterAll(() => sandbox?.close());

  /** Runs the snippets one after the other in a new session. Returns their output and the resulting state. */
  const run = async (snippets: readonly string[]): Promise<{ printed: string; state: string }> => {
    const agent = new SessionAgent(sandbox, { bar: 5 });
    await agent.exec(START);
    let printed = '';
    for (const source of snippets) printed += String((await agent.exec(source)).stdout);
    return { printed, state: await agent.value(STATE) };
  };

  it('separate snippets have the same effect as the joined snippet', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(snippet, { minLength: 1, maxLength: 6 }), async (snippets) => {
        expect(await run(snippets)).toEqual(await run([snippets.join('\n')]));
      }),
      randomCases(6, 60),
    );
  });

  it('a failing snippet changes nothing', async () => {
    const program = fc.array(fc.tuple(snippet, fc.option(failing, { nil: '' })), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(program, async (pairs) => {
        const good = pairs.map(([source]) => source);
        const mixed = pairs.flatMap(([source, fails]) => (fails === '' ? [source] : [fails, source]));
        expect(await run(mixed)).toEqual(await run(good));
      }),
      randomCases(6, 60),
    );
  });

  it('effects before an error remain, and code after it does not run', async () => {
    await fc.assert(
      fc.asyncProperty(snippet, snippet, async (before, after) => {
        expect(await run([`${before}\n1 / 0\n${after}`])).toEqual(await run([before]));
      }),
      randomCases(5, 40),
    );
  });

  it('inspection changes nothing', async () => {
    const expression = fc.constantFrom('items', 'df', 'f', 'a', 'missing', '[*items]', 'np', '1 / 0');
    await fc.assert(
      fc.asyncProperty(
        fc.array(snippet, { minLength: 1, maxLength: 4 }),
        expression,
        async (snippets, looked) => {
          const plain = await run(snippets);
          const agent = new SessionAgent(sandbox, { bar: 5 });
          await agent.exec(START);
          for (const source of snippets) {
            await agent.exec(source);
            for (const [tool, given] of [
              ['inspect', { expr: looked }],
              ['eval_expr', { expr: looked }],
              ['list_globals', {}],
              ['compute', { code: 'a = 5\nitems = 1\nresult = np.random.rand()' }],
            ] as const)
              await agent.call(tool, given);
          }
          expect(await agent.value(STATE)).toBe(plain.state);
        },
      ),
      randomCases(3, 24),
    );
  });

  it('two alternating agents have the same results as each alone', async () => {
    const program = fc.array(snippet, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(program, program, async (left, right) => {
        const agents = [
          new SessionAgent(sandbox, { bar: 5 }),
          new SessionAgent(sandbox, { bar: 5 }),
        ] as const;
        for (const agent of agents) await agent.exec(START);
        for (let turn = 0; turn < Math.max(left.length, right.length); turn++) {
          if (turn < left.length) await agents[0].exec(left[turn]!);
          if (turn < right.length) await agents[1].exec(right[turn]!);
        }
        expect([await agents[0].value(STATE), await agents[1].value(STATE)]).toEqual([
          (await run(left)).state,
          (await run(right)).state,
        ]);
      }),
      randomCases(3, 24),
    );
  });

  it.runIf(inDepth(4))('the same calls give the same answers, also in another process', async () => {
    const other = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: 10_000, graceMs: 20_000 });
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(snippet, failing), { minLength: 1, maxLength: 6 }),
          async (snippets) => {
            const answers = async (where: Sandbox): Promise<unknown[]> => {
              const agent = new SessionAgent(where, { bar: 5 });
              const given: unknown[] = [await agent.exec(START)];
              for (const source of snippets) given.push(await agent.exec(source));
              return [
                ...given,
                await agent.call('inspect', { expr: 'items' }),
                await agent.call('list_globals', {}),
              ];
            };
            expect(await answers(sandbox)).toEqual(await answers(other));
          },
        ),
        randomCases(3, 24),
      );
    } finally {
      await other.close();
    }
  });
});
