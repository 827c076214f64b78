import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluated, evaluatedAttacks } from '../../test/policy/evaluate.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxReply } from './sandbox-call.ts';

const runtime = await findTestRuntime();

interface Outcome {
  readonly value_repr: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly globals: Readonly<Record<string, string>>;
  readonly writes: readonly { readonly path: string; readonly content: string; readonly mode: string }[];
  readonly failed?: string;
}

interface Given {
  readonly globals?: Readonly<Record<string, string>>;
  readonly reads?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly writes?: readonly { path: string; content: string; mode: string }[];
  readonly timeoutMs?: number;
}

describe.skipIf(runtime === undefined)('evaluate_python in a real child', () => {
  const sandbox = new Sandbox({ runtime: runtime!, spares: 0 });
  afterAll(() => sandbox.close());

  const ask = (code: string, given: Given = {}): Promise<SandboxReply> => {
    const { timeoutMs = 5_000, ...rest } = given;
    const limits = { streamCharacters: 4_096, globalCharacters: 1_000, fileCharacters: 48_000 };
    return sandbox.call({
      operation: 'evaluate_python',
      bar: 0,
      time: 0,
      windows: [],
      timeoutMs,
      request: {
        code,
        globals: {},
        reads: {},
        files: {},
        writes: [],
        ...rest,
        limits: { ...limits, queuedCharacters: 480_000 },
      },
    });
  };
  const run = async (code: string, given: Given = {}): Promise<Outcome> => {
    const reply = await ask(code, given);
    expect(reply).toMatchObject({ ok: true });
    return (reply as { result: unknown }).result as Outcome;
  };
  const template = (content: string, globals: Given['globals'] = {}): Promise<Outcome> =>
    run('', { globals, writes: [{ path: 'out', content, mode: 'create' }] });

  test.each(evaluated.map((snippet) => [snippet.name, snippet] as const))('runs: %s', async (_, snippet) => {
    const { code, expect: value_repr, stdout = '' } = snippet;
    expect(await run(code)).toMatchObject({ value_repr, stdout, stderr: '' });
  });

  test.each(evaluatedAttacks.map((attack) => [attack.name, attack] as const))(
    'is contained: %s',
    async (_, { setup, code }) => {
      if (setup !== undefined) await ask(setup);
      const reply = await ask(code);
      const outcome = (reply.ok ? reply.result : {}) as Partial<Outcome>;
      expect(outcome.value_repr ?? '').not.toContain('PWNED');
      expect(outcome.stdout ?? '').not.toContain('PWNED');
      expect(JSON.stringify(reply)).not.toMatch(/0x[0-9a-f]{4}|\/lib\/|sandtable_runtime|\$format|Traceback/);
    },
  );

  test('globals are passed and returned as JSON, or returned as a repr', async () => {
    const { globals } = await run(
      't = (1, 2)\ns = {1}\nnan = float("nan")\nd = {1: 2}\nbig = 2 ** 80\nf = lambda: 0\nb = b"x"\nlong = "x" * 2000\nmany = list(range(5000))\nloop = []\nloop.append(loop)\nhalf = "\\ud800"',
      { globals: { a: '[1, {"b": null}, true, 1.5]', u: '"ü"', big_in: '123456789012345678901234567890' } },
    );
    expect(globals).toMatchObject({
      a: '[1, {"b": null}, true, 1.5]',
      u: '"ü"',
      big_in: '123456789012345678901234567890',
      big: '1208925819614629174706176',
      t: '!repr:(1, 2)',
      s: '!repr:{1}',
      nan: '!repr:nan',
      d: '!repr:{1: 2}',
      f: '!repr:<function <lambda>>',
      b: "!repr:b'x'",
      half: "!repr:'\\ud800'",
    });
    expect(globals.long).toMatch(/^!repr:'xxx/);
    expect(globals.many).toMatch(/^!repr:\[0, 1, 2/);
    for (const text of Object.values(globals)) expect([...text].length).toBeLessThanOrEqual(1_000);
    expect(Object.keys(globals)).toEqual(Object.keys(globals).sort());
  });

  test('any JSON value is unchanged after a round trip through globals', async () => {
    const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('\\ud'));
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const text = JSON.stringify(value).replaceAll('-0', '0');
        const { globals } = await run('y = x', { globals: { x: text } });
        if (!globals.y?.startsWith('!repr:')) expect(JSON.parse(globals.y!)).toEqual(JSON.parse(text));
        else expect(text.length).toBeGreaterThan(500);
      }),
      { numRuns: 60 },
    );
  });

  test('invalid globals are refused before any code runs', async () => {
    for (const globals of [
      { x: 'NaN' },
      { x: '[' },
      { x: '' },
      { 'a b': '1' },
      { class: '1' },
      { __builtins__: '{}' },
      { $format: '1' },
    ])
      expect(await ask('print(1)', { globals })).toMatchObject({ ok: false, kind: 'InvalidRequest' });
    expect(await ask('x', { globals: { x: '['.repeat(100_000) } })).toMatchObject({ ok: false });
  });

  test('files are available as variables, entries of reads, and globals', async () => {
    const outcome = await run('(notes, reads["a/b.txt"], sorted(reads))', {
      reads: { notes: 'N', 'a/b.txt': 'B', __builtins__: 'X', $format: 'Y' },
      writes: [{ path: 'o', content: '{notes} {a/b.txt}', mode: 'create' }],
    });
    expect(outcome.value_repr).toBe("('N', 'B', ['$format', '__builtins__', 'a/b.txt', 'notes'])");
    expect(outcome.globals).toEqual({ notes: '"N"', 'a/b.txt': '"B"', __builtins__: '"X"', $format: '"Y"' });
    expect(outcome.writes).toEqual([{ path: 'o', content: 'N B', mode: 'create' }]);
  });

  test('the helpers read the snapshot and queue writes in order', async () => {
    const outcome = await run(
      'write_text("log", read_text("log") + "2")\nwrite_text("new", "x", mode="create")\nread_text("log")',
      { files: { log: '1' }, writes: [{ path: 'first', content: 'f', mode: 'append' }] },
    );
    expect(outcome.value_repr).toBe("'1'");
    expect(outcome.writes).toEqual([
      { path: 'first', content: 'f', mode: 'append' },
      { path: 'log', content: '12', mode: 'overwrite' },
      { path: 'new', content: 'x', mode: 'create' },
    ]);
    const overlap = await run('write_text("a", "x")', { reads: { a: '1' } });
    expect(overlap).toMatchObject({
      writes: [],
      stderr: expect.stringContaining('must not target read paths'),
    });
  });

  test.each([
    ['{x}', '5'],
    ['{x:>4}|{x:.2f}|{x!r}', '   5|5.00|5'],
    ['{{x}} {s!r} {s:>3}', "{x} 'é'   é"],
    ['{x:{w}d}', '       5'],
    ['{l}', '[1, 2]'],
    ['no fields', 'no fields'],
  ])('the template %s is expanded', async (content, filled) => {
    const globals = { x: '5', s: '"é"', w: '8', l: '[1, 2]' };
    expect((await template(content, globals)).writes).toEqual([
      { path: 'out', content: filled, mode: 'create' },
    ]);
  });

  test.each([
    ['{x.__class__}', /reads an attribute or an item/],
    ['{x.real}', /reads an attribute or an item/],
    ['{x[0]}', /reads an attribute or an item/],
    ['{x[a].b}', /reads an attribute or an item/],
    ['{x:{x.__class__}}', /reads an attribute or an item/],
    ['{}', /empty or numbered field/],
    ['{0}', /empty or numbered field/],
    ['{missing}', /Missing template variable: 'missing'/],
    ['{__builtins__}', /Missing template variable/],
    ['{len}', /Missing template variable/],
    ['{x', /cannot be filled/],
    ['}', /cannot be filled/],
    ['{x!q}', /cannot be filled/],
    ['{s:d}', /cannot be filled/],
    ['{l:>5}', /cannot be filled/],
    ['{x:999999999}', /too large/],
    ['{s:>99999}', /over the limit of 48,000/],
    ['{half}', /UTF-8/],
  ])('the template %s is refused, and no file is written', async (content, message) => {
    const globals = { x: '5', s: '"é"', l: '[1]', half: '"\\ud800"' };
    const outcome = await template(content, globals);
    expect(outcome).toMatchObject({ writes: [], value_repr: null, failed: expect.any(String) });
    expect(outcome.stderr).toMatch(message);
  });

  test('a template reads only globals, for any content', async () => {
    const sign = fc.constantFrom(...'{}[].!:_ax0>r'.split(''), '__class__', 'x', '{x', '.real', '{x}');
    await fc.assert(
      fc.asyncProperty(fc.array(sign, { maxLength: 12 }), async (signs) => {
        const outcome = await template(signs.join(''), { x: '5' });
        expect(JSON.stringify(outcome)).not.toMatch(/<class|built-in|0x[0-9a-f]{4}|sandtable_runtime/);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['1 / 0', 'ZeroDivisionError: division by zero (line 1)'],
    ['x = 1\ny = z', "NameError: name 'z' is not defined (line 2)"],
    ['def f(:', 'SyntaxError: invalid syntax (line 1)'],
    ['raise ValueError("a/b.txt is bad")', 'ValueError: a/b.txt is bad (line 1)'],
    ['assert False', 'AssertionError: no message (line 1)'],
    ['read_text("none")', "FileError: there is no file 'none' (line 1)"],
  ])('%s reports %s', async (code, stderr) => {
    expect(await run(code)).toMatchObject({
      stderr,
      value_repr: null,
      writes: [],
      failed: expect.any(String),
    });
  });

  test('streams are truncated at 4,096 characters, with an ellipsis', async () => {
    const outcome = await run('print("x" * 5000)\n"é" * 5000');
    for (const text of [outcome.stdout, outcome.value_repr ?? '']) {
      expect([...text].length).toBe(4_096);
      expect(text.endsWith('…')).toBe(true);
    }
    expect((await run('print("x" * 4095)')).stdout).toBe(`${'x'.repeat(4_095)}\n`);
    expect([...(await run('raise ValueError("x" * 9000)')).stderr].length).toBe(4_096);
  });

  test('an endless loop is stopped even if it catches exceptions, and the next call works', async () => {
    for (const code of [
      'print("left behind")\nwrite_text("a", "x")\nwhile True:\n    pass',
      'while True:\n    try:\n        while True:\n            pass\n    except:\n        pass',
    ]) {
      expect(await run(code, { timeoutMs: 300 })).toMatchObject({
        stderr: 'Execution timed out.',
        stdout: '',
        value_repr: null,
        writes: [],
        globals: {},
      });
      expect((await run('1 + 1')).value_repr).toBe('2');
    }
    const swallowed =
      'while True:\n    try:\n        while True:\n            pass\n    finally:\n        continue';
    expect(await ask(swallowed, { timeoutMs: 300 })).toMatchObject({ ok: false, kind: 'TimeoutError' });
    expect((await run('1 + 1')).value_repr).toBe('2');
  });

  test('random code never breaks it', async () => {
    const words = fc.constantFrom(
      ...'x = ( ) [ ] { } : \n\t lambda def if for in 1 "s" . , * ** / % f" \' # None and not import class print(x) __class__ .format @ ; del'.split(
        ' ',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 15 }), async (parts) => {
        const reply = await ask(parts.join(' '), { timeoutMs: 1_000 });
        expect(reply.ok).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
