import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython, SessionAgent } from '../../test/support/toolkit-python.ts';
import { Sandbox } from '../sandbox/index.ts';
import { ALL_TOOLS } from './registry.ts';
import { createToolkit } from './toolkit.ts';

const runtime = await findPython();
const UNINTERRUPTIBLE = 'np.convolve(np.ones(10**6), np.ones(10**5))[0]';

describe.skipIf(runtime === undefined)('a Python session', () => {
  let sandbox: Sandbox;
  let agent: SessionAgent;

  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, spares: 1, timeoutMs: 3_000, graceMs: 20_000, seed: 7 });
    await sandbox.start();
  });
  afterAll(() => sandbox?.close());
  const fresh = (options: ConstructorParameters<typeof SessionAgent>[1] = {}): SessionAgent => {
    agent = new SessionAgent(sandbox, options);
    return agent;
  };

  it('retains new and changed names, and returns the value of the last expression', async () => {
    fresh();
    expect(await agent.exec('x = 41')).toEqual({ stdout: '', stderr: '' });
    expect(await agent.exec('x += 1\nx')).toEqual({ value_repr: '42', stdout: '', stderr: '' });
    expect(
      await agent.exec('import statistics\nclass A:\n    n = 5\ndef f(): return x + A.n'),
    ).not.toHaveProperty('error');
    expect(await agent.value('(f(), statistics.mean([1, 3]))')).toBe('(47, 2)');
    expect(await agent.exec('None')).toEqual({ stdout: '', stderr: '' });
    expect(await agent.exec("print('a'); 'text'")).toEqual({
      value_repr: "'text'",
      stdout: 'a\n',
      stderr: '',
    });
  });

  it('has the predefined names of compute, at the current bar', async () => {
    fresh();
    for (const expr of [
      'len(df)',
      'len(df_brk_b)',
      'cash',
      'account["equity"]',
      'positions',
      'latest(ta.sma(df.close, 5))',
      'math.pi',
    ]) {
      const computed = await agent.call('compute', { code: expr });
      expect([expr, JSON.parse((await agent.value(expr)).replaceAll("'", '"'))]).toEqual([
        expr,
        computed.result,
      ]);
    }
  });

  it('allows assigning every name, also predefined ones', async () => {
    fresh();
    await agent.exec('df = df.tail(3)\ncash = -1\nlatest = lambda series: 7\ndel equity');
    expect(await agent.value('[len(df), cash, latest(df.close)]')).toBe('[3, -1, 7]');
    expect(await agent.call('eval_expr', { expr: 'equity' })).toMatchObject({
      ok: false,
      code: 'python_exception',
    });
    expect((await agent.call('compute', { code: '[len(df), cash, latest(df.close) == 7]' })).result).toEqual([
      31,
      100000,
      false,
    ]);
  });

  it('retains assignments before an error of any kind', async () => {
    fresh();
    await agent.exec('kept = 1');
    for (const [source, kind] of [
      ['kept = 2\n1 / 0', 'ZeroDivisionError'],
      ['kept = 3\nnothing', 'NameError'],
      ['kept = 4\ndf.__dict__', 'PolicyError'],
      ['kept = 5\ndef (', 'SyntaxError'],
      ['kept = 6\nraise Exception()', 'Exception'],
    ] as const) {
      const before = await agent.value('kept');
      const answer = await agent.exec(source);
      expect(answer).toMatchObject({
        error: expect.stringMatching(`^${kind}: `),
        remediation: expect.any(String),
      });
      expect(answer.stderr).toContain(kind);
      // Syntax and policy errors are found before anything runs.
      const runs = kind !== 'SyntaxError' && kind !== 'PolicyError';
      expect(await agent.value('kept')).toBe(runs ? source[7]! : before);
    }
  });

  it('shows tracebacks of its snippets only, each with its source line', async () => {
    fresh();
    await agent.exec('def ratio(a, b):\n    return a / b');
    await agent.exec('def spread():\n    return df.close.map(lambda x: ratio(x, 0))');
    const { stderr, error, line } = await agent.exec('y = 1\nspread()');
    expect(stderr).toBe(
      `Traceback (most recent call last):
  File "<cell 3>", line 2, in <module>
    spread()
  File "<cell 2>", line 2, in spread
    return df.close.map(lambda x: ratio(x, 0))
  File "<cell 2>", line 2, in spread.<locals>.<lambda>
    return df.close.map(lambda x: ratio(x, 0))
  File "<cell 1>", line 2, in ratio
    return a / b
ZeroDivisionError: float division by zero
`,
    );
    expect([error, line]).toEqual(['ZeroDivisionError: float division by zero (line 2)', 2]);
    const recursive = await agent.exec('def f(n):\n    return f(n + 1)\nf(0)');
    expect(recursive.stderr).toMatch(/Previous line repeated \d+ more times/);
    expect(String(recursive.stderr).length).toBeLessThan(4_500);
    const chained = await agent.exec(
      'try:\n    ratio(1, 0)\nexcept ZeroDivisionError as e:\n    raise ValueError("no ratio") from e',
    );
    expect(chained.stderr).toMatch(/in ratio[\s\S]*direct cause[\s\S]*ValueError: no ratio\n$/);
    const syntax = await agent.exec('a = 1\nb = = 2');
    expect(syntax.stderr).toContain('File "<cell 6>", line 2\n    b = = 2\n        ^');
  });

  it('captures each stream per call, with a limit', async () => {
    fresh();
    expect(
      await agent.exec('import sys\nprint("out")\nprint("err", file=sys.stderr)\nsys.stdout.write("more")'),
    ).toEqual({
      value_repr: '4',
      stdout: 'out\nmore',
      stderr: 'err\n',
    });
    expect(await agent.exec('1')).toEqual({ value_repr: '1', stdout: '', stderr: '' });
    const long = await agent.exec(
      'for i in range(10_000): print(i)\nprint("x" * 10**6, file=sys.stderr)\n"y" * 10**6',
    );
    for (const text of [long.stdout, long.stderr, long.value_repr])
      expect(String(text).length).toBeLessThan(4_200);
    expect(long.stdout).toContain('output cut here');
    expect(long.value_repr).toContain('cut here');
    const failing = await agent.exec('print("before")\n1 / 0');
    expect(failing).toMatchObject({
      stdout: 'before\n',
      stderr: expect.stringContaining('ZeroDivisionError'),
    });
  });

  it('runs concurrent calls one after the other', async () => {
    fresh();
    await agent.exec('n = 0');
    const answers = await Promise.all(Array.from({ length: 6 }, () => agent.exec('n = n * 2 + 1\nprint(n)')));
    expect(answers.map(({ stdout }) => stdout)).toEqual(['1\n', '3\n', '7\n', '15\n', '31\n', '63\n']);
  });

  it('continues random numbers within a decision, and repeats them if the decision is repeated', async () => {
    const draws = async (): Promise<string[]> => {
      fresh();
      return [await agent.value('np.random.rand()'), await agent.value('np.random.rand()')];
    };
    const first = await draws();
    expect(first[0]).not.toBe(first[1]);
    expect(await draws()).toEqual(first);
  });

  it('is created on first use: a strategy that only uses compute has none', async () => {
    fresh();
    await agent.call('compute', { code: 'x = 1' });
    expect((await agent.call('list_globals', {})).result).toMatchObject({
      globals: expect.not.arrayContaining([{ name: 'x', type_name: 'int' }]),
    });
  });

  it('ends at the next bar, regardless of the first call there', async () => {
    fresh();
    await agent.exec('mine = 1\nimport random\npd.set_option("display.max_rows", 7)');
    expect((await agent.call('compute', { code: 'pd.get_option("display.max_rows")' })).result).toBe(60);
    expect(await agent.value('mine')).toBe('1');
    agent.advance();
    expect(await agent.exec('mine')).toMatchObject({ error: expect.stringMatching(/^NameError/) });
    expect(await agent.value('[len(df), pd.get_option("display.max_rows")]')).toBe('[32, 60]');
    await agent.exec('mine = 2');
    agent.advance();
    await agent.call('compute', { code: '1' });
    expect(await agent.exec('mine')).toMatchObject({ error: expect.stringMatching(/^NameError/) });
    expect(await agent.exec('1')).not.toHaveProperty('note');
  });

  it('belongs to one agent: another agent of the same sandbox has a separate session', async () => {
    const ann = new SessionAgent(sandbox);
    const bob = new SessionAgent(sandbox);
    await ann.exec('secret = "ann"\npd.set_option("display.width", 99)');
    await bob.exec('secret = "bob"');
    expect(await ann.value('[secret, pd.get_option("display.width")]')).toBe("['ann', 99]");
    expect(await bob.value('[secret, pd.get_option("display.width")]')).toBe("['bob', 80]");
    expect(await bob.call('compute', { code: 'secret' })).toMatchObject({
      error: expect.stringMatching(/^NameError/),
    });
  });

  it('is preserved during compute calls of every kind', async () => {
    fresh();
    await agent.exec('items = [1]\nbars = df.close\ndef last(): return bars.iloc[-1]');
    await agent.call('compute', { code: 'class A: pass\nresult = 1' });
    await agent.call('compute', { code: 'while True: pass' });
    await agent.call('compute', { code: 'len([bytearray(10**7) for _ in range(20)])' });
    expect(await agent.value('items')).toBe('[1]');
    expect(Number(await agent.value('float(last())'))).toBe(agent.world.turn.window.close.last);
  });

  it('retains its names after a call that times out', async () => {
    const quick = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: 400 });
    try {
      const hasty = new SessionAgent(quick);
      await hasty.exec('kept = 1');
      const answer = await hasty.exec('kept = 2\nwhile True: pass');
      expect(answer).toMatchObject({ error: 'TimeoutError: computation timed out (400 ms)' });
      expect(await hasty.value('kept')).toBe('2');
      await hasty.exec('class Slow:\n    def __repr__(self):\n        while True: pass\nslow = Slow()');
      expect(await hasty.call('inspect', { expr: 'slow' })).toMatchObject({
        ok: false,
        code: 'inspect_timeout',
      });
      expect(await hasty.call('eval_expr', { expr: 'slow' })).toMatchObject({
        ok: false,
        code: 'eval_timeout',
      });
      expect(await hasty.value('kept')).toBe('2');
    } finally {
      await quick.close();
    }
  });

  it('reports what was lost by a reset of Python', async () => {
    const own = new Sandbox({ runtime: runtime!, spares: 1, timeoutMs: 500 });
    try {
      const one = new SessionAgent(own);
      await one.exec('alpha = 1\ndef beta(): return 2');
      const killed = await one.exec(`gamma = 3\n${UNINTERRUPTIBLE}`);
      expect(killed).toMatchObject({
        error: expect.stringMatching(/^TimeoutError/),
        replaced: true,
        note: 'Python was reset with this call. The effects of the call and the session are lost.',
      });
      expect(await one.exec('delta = 4')).toEqual({
        stdout: '',
        stderr: '',
        note: 'Python was reset and this session restarted. Lost: alpha, beta. Define what you need again.',
      });
      expect(await one.exec('delta')).toEqual({ value_repr: '4', stdout: '', stderr: '' });
      // A call of another tool may also end the process.
      await one.call('compute', { code: UNINTERRUPTIBLE });
      expect(await one.call('eval_expr', { expr: 'delta' })).toMatchObject({
        ok: false,
        code: 'python_exception',
        note: expect.stringContaining('Lost: delta'),
      });
    } finally {
      await own.close();
    }
  });

  it('is disabled unless the strategy declares it', async () => {
    for (const name of ['exec_code', 'list_globals', 'inspect', 'eval_expr'])
      expect(ALL_TOOLS[name]).toMatchObject({ optIn: true });
    const plain = createToolkit({ sandbox, tools: ['compute'] });
    expect(await plain.call('exec_code', { source: '1' }, fresh().world.turn)).toMatchObject({
      error: 'The tool exec_code is not available here.',
    });
  });
});
