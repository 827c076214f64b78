import { describe, expect, it, vi } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { sampled } from '../../../test/support/depth.ts';
import { sealedRun } from './test-sealed-run.ts';

const BUILT = buildIsHere();

const EVERYTHING = `
  const odd = [[], [undefined], [null], ['NONE'], [Symbol('x')], [5, 6], [{}], [{ weights: { NONE: 1 } }], [() => 1],
    [10n], [new Proxy({}, { get() { throw new Error('no'); } })], [{ get symbol() { throw new TypeError('no'); } }]];
  const objects = { turn, account, orders, documents, context, window: turn.window, close: turn.window.close, events: turn.eventsSince };
  for (const [name, object] of Object.entries<any>(objects))
    for (let holder = object; holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
      for (const key of Reflect.ownKeys(holder)) {
        if (key === 'constructor' || typeof object[key] !== 'function') continue;
        for (const values of odd) {
          const path = name + '.' + String(key);
          try {
            const result = object[key](...values);
            seeds.push([path, result]);
            if (typeof result?.then === 'function') try { seeds.push([path + ' awaited', await result]); } catch (e) { seeds.push([path + ' rejected', e]); }
          } catch (e) { seeds.push([path + ' threw', e]); }
        }
      }`;

const CODE_FROM_TEXT = `
  for (const make of [eval, Function, (async () => 1).constructor, (function* () {}).constructor, (async function* () {}).constructor] as any[])
    try { seeds.push(['code', make('1')]); } catch (e) { seeds.push(['no code', e]); }`;

const CASES: Readonly<Record<string, string>> = {
  'the globals and the arguments':
    "note(found(['globalThis', globalThis], ['turn', turn], ['context', context], ['this', this], ['imports', [z, Decimal, AppError, defineStrategy]]));",
  'results, errors and rejections of every call': `if (turn.bar === 1) { ${EVERYTHING} note(found()); }`,
  'code from text': `${CODE_FROM_TEXT} note(found());`,
  'a dynamic import': `
    const promise: any = import(['node', 'fs'].join(':'));
    seeds.push(['promise', promise]);
    try { seeds.push(['module', await promise]); } catch (e) { seeds.push(['rejection', e]); }
    note(found());`,
  'iterators, generators and asynchronous calls': `
    async function* many() { try { yield 1; yield await Promise.reject(new Error('x')); } finally { yield 2; } }
    const stream = many();
    seeds.push(['generator', stream], ['step', stream.next()], ['return', stream.return(3)]);
    try { for await (const each of many()) seeds.push(['each', each]); } catch (e) { seeds.push(['asynchronous', e]); }
    seeds.push(['all', await Promise.allSettled([Promise.any([]), context.compute('1')])]);
    seeds.push(...[[].values(), new Map().entries(), 'a'.matchAll(/a/g), (function* () {})(), new Intl.Segmenter('en').segment('a')].map((one) => ['iterator', one]));
    note(found());`,
  'stack traces': `
    const sites: any[] = [];
    (Error as any).prepareStackTrace = (...given: any[]) => { seeds.push(['given', given]); for (const s of given[1]) for (const get of ['getThis', 'getFunction', 'getTypeName', 'getEvalOrigin', 'getScriptNameOrSourceURL']) try { seeds.push([get, s[get]()]); } catch (e) { seeds.push([get, e]); } return sites; };
    Error.stackTraceLimit = 200;
    const holder: any = {};
    try { Error.captureStackTrace(holder); seeds.push(['captured', holder.stack]); } catch (e) { seeds.push(['not captured', e]); }
    seeds.push(['own', new Error('x').stack]);
    await null;
    seeds.push(['asynchronous', new Error('x').stack]);
    for (const symbol of ['NONE', Symbol('x')]) try { account.position(symbol); } catch (e: any) { seeds.push(['thrown', e.stack]); }
    note(found());`,
  'built-ins that are replaced': `
    if (turn.bar === 0) collectFromBuiltIns(seeds);
    orders.pending(); orders.buy(1); account.position('BBB'); documents.tail(3);
    try { account.position('NONE'); } catch {}
    try { await context.compute('1'); } catch {}
    console.log('x', { a: 1 });
    if (turn.bar === 2) note(found());`,
  'setters on the common prototype': `
    for (const name of ['noDeprecation', 'code', 'stack', 'then', 'type', 'message', '0', 'length', 'domain', 'name'])
      Object.defineProperty(Object.prototype, name, { configurable: true, get() { seeds[seeds.length] = ['reader of ' + name, this]; return undefined; }, set(value) { seeds[seeds.length] = ['writer of ' + name, this]; Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true }); } });
    orders.pending();
    try { account.position('NONE'); } catch {}
    void Promise.reject({}).catch(() => 1);
    for (const name of ['noDeprecation', 'code', 'stack', 'then', 'type', 'message', '0', 'length', 'domain', 'name']) delete (Object.prototype as any)[name];
    note(found());`,
  'values that look back': `
    const looked: any = collectingProxy(seeds);
    for (const work of [() => console.log(looked), () => orders.submit(looked), () => orders.buy(looked), () => account.position(looked), () => documents.search(looked), () => turn.record(looked)])
      try { seeds.push(['result', work()]); } catch (e) { seeds.push(['error', e]); }
    try { await context.compute(looked); } catch (e) { seeds.push(['rejection', e]); }
    note(found());`,
  'the registry of symbols': `
    const inspect: any = { [Symbol.for('nodejs.util.inspect.custom')](...given: any[]) { seeds.push(['inspect', given]); return 'x'; }, [Symbol.for('nodejs.util.promisify.custom')]: (...given: any[]) => { seeds.push(['promisify', given]); } };
    console.log(inspect);
    try { orders.submit(inspect); } catch (e) { seeds.push(['error', e]); }
    seeds.push(...['nodejs.util.inspect.custom', 'undici.globalDispatcher.1', 'nodejs.rejection'].map((name) => [name, (globalThis as any)[Symbol.for(name)]]));
    note(found());`,
};

describe.skipIf(!BUILT)('a sealed strategy gets no object of the outer realm', () => {
  it.each(sampled(Object.entries(CASES), 3))('from %s', async (_, onBar) => {
    const { notes, error } = await sealedRun(onBar);
    expect(error).toBeUndefined();
    expect(new Set(notes)).toEqual(new Set(['[]']));
  });

  it.each([
    [
      'calls',
      `'stack': () => new Error('x').stack,
      'stack of an object': () => { const e: any = {}; Error.captureStackTrace(e); return e.stack; },
      'pending': () => orders.pending(),
      'position': () => account.position('BBB'),
      'wrong symbol': () => account.position('NONE'),
      'record': () => note('[]'),
      'print': () => console.log('x'),
      'eval': () => (0, eval)('1'),
      'Function': () => Function('1'),
      'date': () => new Date().toLocaleString(),
      'numbers': () => new Intl.NumberFormat('en').format(1),
      'parse': () => JSON.parse('[['),
      'normalize': () => 'x'.normalize('NFC'),
      'regular expression': () => /(a+)+b/.test('aaaa'),
      'global': () => { (globalThis as any).kept = 1; return globalThis; },`,
    ],
    [
      // If `p.catch` overflows the stack, the rejection remains unhandled. The run then fails, but only after
      // the notes of this bar were recorded.
      'promises',
      `'call': () => { const p: any = context.compute('1'); p.catch(() => 1); return p; },
      'rejection': () => { const p: any = Promise.reject(new Error('x')); p.catch(() => 1); return p; },
      'dynamic import': () => { const p: any = import(['node', 'fs'].join(':')); p.catch(() => 1); return p; },`,
    ],
  ])('from %s at each depth of a stack that overflows', async (kind, calls) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { notes, error } = await sealedRun(
      `if (turn.bar !== 1) return; note(JSON.stringify(foreignAtDepth({ ${calls} })));`,
    );
    vi.restoreAllMocks();
    if (kind === 'calls') expect(error).toBeUndefined();
    expect(new Set(notes)).toEqual(new Set(['[]']));
    // One of the calls is `note`. More than 50 notes prove that this call also succeeded on a deep stack.
    if (kind === 'calls') expect(notes.length).toBeGreaterThan(50);
  });

  it.each(
    sampled(
      [
        ['throws', 'throw looked();'],
        ['rejects with', 'void Promise.reject(looked()); await null;'],
        ['returns', 'return looked();'],
        ['orders', 'return { orders: [looked()] };'],
      ],
      2,
    ),
  )('from a value that it %s and that inspects its caller', async (_, onBar) => {
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    await sealedRun(onBar, {
      top: `const looked = () => {
          const list: any = { push: (...more: any[]) => { console.log('looked ' + JSON.stringify(foreignIn(more))); } };
          const error: any = new Error('x');
          Object.defineProperty(error, 'stack', { get() { console.log('looked ' + isForeign(this)); (Error as any).prepareStackTrace = (...given: any[]) => { list.push(['site', given]); return ''; }; return ''; } });
          error[Symbol.for('nodejs.util.inspect.custom')] = (...given: any[]) => { list.push(['inspect', given]); return ''; };
          return collectingProxy(list, error);
        };
        (Error as any).prepareStackTrace = (...given: any[]) => { console.log('looked ' + JSON.stringify(foreignIn([['sites', given]]))); return ''; };`,
    });
    spy.mockRestore();
    expect(written.filter((text) => /looked/.test(text) && !/looked (\[\]|false)$/m.test(text))).toEqual([]);
  });

  it('from an error at the top of its file', async () => {
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    const top = `(Error as any).prepareStackTrace = (...given: any[]) => { console.log('looked ' + JSON.stringify(foreignIn([['sites', given]]))); return ''; };
      throw new Error('at the top');`;
    await expect(sealedRun('', { top })).rejects.toThrow('at the top');
    spy.mockRestore();
    expect(written.filter((text) => /looked/.test(text) && !/looked \[\]/.test(text))).toEqual([]);
  });
});
