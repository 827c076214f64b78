import { describe, expect, it, vi } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { sampled } from '../../../test/support/depth.ts';
import { sealedRun } from './test-sealed-run.ts';

const runOf = (onBar: string) => sealedRun(onBar, { decisionTimeout: 3 });

const SEARCHES: Readonly<Record<string, string>> = {
  'causes of errors': `
    for (const work of [() => account.position('NONE'), () => orders.submit({ get symbol() { throw new Error('in', { cause: turn }); } }), () => documents.read('none'), () => orders.submit(null)])
      try { seeds.push(['result', work()]); } catch (e: any) { for (let each = e; each != null && typeof each === 'object'; each = each.cause) seeds.push(['cause', each]); }
    try { await context.compute('1'); } catch (e: any) { seeds.push(['rejection', e], ['cause', e.cause], ['errors', e.errors]); }`,
  'getters on the prototypes that arguments use': `
    for (const name of ['symbol', 'toJSON', 'quantity', 'size', 'cause', 'get', 'set', 'value'])
      Object.defineProperty(Object.prototype, name, { configurable: true, get() { seeds[seeds.length] = [name, this]; return undefined; } });
    try { orders.submit({ action: 'buy' }); } catch (e) { seeds.push(['error', e]); }
    try { account.position('NONE'); } catch (e) { seeds.push(['error', e]); }
    for (const name of ['symbol', 'toJSON', 'quantity', 'size', 'cause', 'get', 'set', 'value']) delete (Object.prototype as any)[name];`,
  'async stacks': `
    (Error as any).prepareStackTrace = (error: any, sites: any[]) => { seeds.push(['error', error], ['sites', sites]); for (const site of sites) for (const name of ['getThis', 'getFunction', 'getEvalOrigin', 'getPromiseIndex']) try { seeds.push([name, site[name]?.()]); } catch (e) { seeds.push(['refusal', e]); } return sites; };
    const inner = async () => { await null; return new Error('x').stack; };
    seeds.push(['stack', await Promise.all([inner(), (async () => await inner())()])]);
    try { await context.compute('1'); } catch (e: any) { seeds.push(['stack', e.stack]); }
    delete (Error as any).prepareStackTrace;`,
  'the registries of symbols and finalisers': `
    if (typeof FinalizationRegistry !== 'undefined') { const registry = new FinalizationRegistry((held) => seeds.push(['held', held])); registry.register({}, {}); seeds.push(['registry', registry]); }
    if (typeof WeakRef !== 'undefined') seeds.push(['reference', new WeakRef(turn).deref()]);
    for (const name of Reflect.ownKeys(Symbol)) { const own = (Symbol as any)[name]; if (typeof own === 'symbol') seeds.push(['under ' + String(name), (globalThis as any)[own]]); }`,
  'generators that throw and return': `
    const steps = function* (): any { try { yield orders; } finally { try { yield account.position('NONE'); } catch (e) { yield e; } } };
    const one = steps(); seeds.push(['step', one.next()]);
    try { seeds.push(['return', one.return(turn)]); } catch (e) { seeds.push(['error', e]); }
    try { seeds.push(['throw', one.throw(new Error('x'))]); } catch (e) { seeds.push(['error', e]); }
    try { seeds.push(['orders', orders.rebalance(steps())]); } catch (e) { seeds.push(['error', e]); }`,
};

const GONE = [
  'structuredClone',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'queueMicrotask',
  'setTimeout',
];

describe.skipIf(!buildIsHere())('a hostile sealed strategy', () => {
  it.each(sampled(Object.entries(SEARCHES), 3))('gets no outer object through %s', async (_, work) => {
    const { notes, error } = await runOf(`${work}\n note(found());`);
    expect(error).toBeUndefined();
    expect(new Set(notes)).toEqual(new Set(['[]']));
  });

  // Node's own formatter of stack traces belongs to the outer realm and would call `Error.prepareStackTrace`
  // of the strategy. An inner function must therefore format them.
  it('gets stacks that are formatted by an inner function', async () => {
    const { notes, error } = await runOf(
      `(Error as any).prepareStackTrace = () => 'formatted by Node'; note(new TypeError('x').stack);`,
    );
    expect(error).toBeUndefined();
    expect(notes[0]).toMatch(/^TypeError: x\n {4}at /);
  });

  it('learns nothing about the machine from stacks, local times and languages', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    vi.stubEnv('LANG', 'de_DE.UTF-8');
    const { notes, error } = await runOf(
      `(Error as any).stackTraceLimit = 100;
      const inner = async () => { await null; return [1].map(() => new Error('x').stack).join(); };
      note([await inner(), new Date(2020, 0, 1).toISOString(), String(new Date(0)), (0.5).toLocaleString()].join('\\n'));`,
    );
    vi.unstubAllEnvs();
    expect(error).toBeUndefined();
    const [frames, others] = [/^ {4}at /, /^Error: x$/].map((form) => (line: string) => form.test(line));
    const lines = notes[0]!.split('\n');
    expect(lines.filter(frames!).length).toBeGreaterThan(1);
    for (const line of lines.filter(frames!)) expect(line).toMatch(/[ (]strategy\.ts:\d|<anonymous>/);
    for (const line of lines) expect(line).not.toContain(process.cwd());
    expect(lines.filter((line) => !frames!(line) && !others!(line))).toEqual([
      '2020-01-01T00:00:00.000Z',
      expect.stringMatching(/^Thu Jan 01 1970 00:00:00 GMT\+0000/),
      '0.5',
    ]);
  });

  it('has no shared memory, WebAssembly, timer or clone of the host', async () => {
    const { notes, error } = await runOf(
      `note(${JSON.stringify(GONE)}.filter((name) => name in globalThis));`,
    );
    expect(error).toBeUndefined();
    expect(new Set(notes)).toEqual(new Set(['']));
  });

  it.each(
    sampled(
      [
        ['data:', "seeds.push(['module', await import('data:text/javascript,export default 1')])"],
        ['file:', "await import('file:///etc/passwd')"],
        ['node:', "await import('node:vm')"],
        ['blob:', "await import(['blob', 'x'].join(':'))"],
        ['attributes', "await import('./package.json', { with: { type: 'json' } })"],
        [
          'attributes made at run time',
          "await import(['da', 'ta:application/json,1'].join(''), { with: { type: 'json' } } as any)",
        ],
      ],
      3,
    ),
  )('imports nothing at run time: %s', async (_, work) => {
    let outcome: string;
    try {
      const { notes } = await runOf(
        `try { ${work}; note(found()); } catch (e) { seeds.push(['e', e]); note(found()); }`,
      );
      outcome = [...new Set(notes)].join();
    } catch (error) {
      outcome = (error as Error).message;
    }
    expect(outcome).toMatch(/^\[\]$|cannot import/);
  });

  it.each(
    sampled(
      [
        ['endless microtasks', 'const again = (): any => Promise.resolve().then(again); await again();'],
        ['an endless thenable', 'const looks: any = { then(done: any) { done(looks); } }; await looks;'],
        [
          'an endless asynchronous generator',
          'for await (const _ of (async function* () { for (;;) yield 1; })());',
        ],
      ],
      3,
      3,
    ),
  )('with %s is stopped by the deadline', async (_, work) => {
    const { error } = await runOf(work);
    expect(error).toMatchObject({ code: 'decision_timeout' });
  });

  it.each([
    ['a note that is too long', "note('x'.repeat(300_000));", 'bad_record'],
    ['too many notes', "for (let i = 0; i < 10_001; i++) note('x');", 'too_many_notes'],
  ])('is stopped by %s', async (_, work, code) => {
    const { error, notes } = await runOf(work);
    expect(error).toBeDefined();
    expect([code, String((error as { code?: string }).code)]).toEqual([code, code]);
    expect(notes.join('').length).toBeLessThan(300_000);
  });
});
