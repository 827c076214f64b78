import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bootText } from './bundle.ts';
import { sealedArguments } from './process.ts';

const BUILT = existsSync(new URL('../../../dist/agents/sealed/boot.js', import.meta.url));

/**
 * Objects of the outer realm that a strategy normally cannot reach. The test passes them to the strategy in
 * order to check `emptyOuterRealm`, the second line of defence.
 */
const LEAKS = `const makes = function* () {};
  Object.freeze(makes.prototype);
  context.leaked = { plain: {}, list: [], error: new Error('x'), promise: Promise.resolve(), call: () => 1,
  later: async () => 1, generator: makes(), bytes: Buffer.alloc(2), numbers: new Float64Array(2),
  map: new Map(), set: new Set(), date: new Date(0), pattern: /x/, proxy: new Proxy({}, {}), symbol: Object(Symbol('x')),
  process, vm, module: nodeModule, global: globalThis };
'LEAKED_ABOVE';`;

/**
 * Starts a sealed process in which objects of the outer realm have leaked to the inner realm. Runs code there
 * in place of a strategy's bundle. Returns the messages that the process sent.
 */
async function withLeaks(
  code: string,
  change: (boot: string) => string = (boot) => boot,
  argumentsOf: (boot: string) => string[] = sealedArguments,
): Promise<unknown[]> {
  const boot = await bootText();
  const at = boot.lastIndexOf('emptyOuterRealm();');
  const leaking = `${boot.slice(0, at)}${LEAKS}\n${boot.slice(at)}`;
  const child = spawn(process.execPath, argumentsOf(change(leaking)), {
    env: { LEAKED: 'secret' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  (child.stdio[4] as NodeJS.WritableStream).end(
    `${JSON.stringify(['s.js', `(function () { const channel = sandtableChannel; ${code} })`])}\na line\n`,
  );
  const [said, errors] = await Promise.all([
    text(child.stdio[3] as NodeJS.ReadableStream),
    text(child.stderr!),
  ]);
  const messages = said.split('\n').filter((line) => line !== '');
  return messages.length > 1 ? messages.slice(1).map((line) => JSON.parse(line) as unknown) : [errors];
}
/** Code that searches everything reachable from the outer objects, and sends its findings. */
const SEARCH = `
  const { ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const seen = new Set([globalThis]);
  const names = new Set();
  const changeable = [];
  const work = [leaked];
  while (work.length > 0) {
    const value = work.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    try { work.push(getPrototypeOf(value)); } catch (error) { work.push(error); }
    for (const key of ownKeys(value)) {
      if (value !== leaked) names.add(String(key));
      const { value: own, get, set } = getOwnPropertyDescriptor(value, key);
      work.push(own, get, set);
      try { work.push(value[key]); } catch (error) { work.push(error); }
    }
  }
  for (const name of ['plain', 'list', 'error', 'promise', 'call', 'later', 'generator', 'bytes', 'numbers', 'map', 'set', 'date', 'pattern', 'process'])
    for (let each = getPrototypeOf(leaked[name]); each !== null; each = getPrototypeOf(each))
      if (!Object.isFrozen(each)) changeable.push(name);
  let code = 'none';
  try { code = typeof leaked.plain.constructor.constructor('return this')(); } catch {}
  const { constructor: Clock } = leaked.date;
  let time = 0;
  try { time = Number(new Clock()); } catch {}
  channel.send(JSON.stringify({ names: [...names], changeable, code, hasTime: time > 1e12 }));`;

/** Names of members that read the host, the clock or the engine, or run code. */
const USABLE =
  `binding _linkedBinding dlopen mainModule env argv execArgv exit reallyExit kill abort hrtime uptime cpuUsage memoryUsage
  cwd chdir setuid umask openStdin stdin stdout stderr nextTick getBuiltinModule report createRequire _load _compile require
  load register Script runInThisContext runInContext createContext compileFunction now performance fetch WebAssembly
  setTimeout setInterval setImmediate queueMicrotask structuredClone Atomics SharedArrayBuffer WeakRef
  FinalizationRegistry navigator crypto internalBinding eval Function Date`.split(/\s+/);

interface Found {
  readonly names: readonly string[];
  readonly changeable: readonly string[];
  readonly code: string;
  readonly hasTime: boolean;
}

describe.skipIf(!BUILT)('a sealed strategy with access to objects of the outer realm', () => {
  it('finds no host functions, clock, code evaluation or mutable objects in them', async () => {
    const [found] = (await withLeaks(SEARCH)) as Found[];
    expect(found).toMatchObject({ changeable: [], code: 'none', hasTime: false });
    expect(found!.names.filter((name) => USABLE.includes(name))).toEqual([]);
  });

  it('would find all of these if the outer realm were not emptied', async () => {
    const keep = (boot: string): string => boot.replace(/(LEAKED_ABOVE';\n\s*)emptyOuterRealm\(\);/, '$1');
    const [found] = (await withLeaks(SEARCH, keep)) as Found[];
    expect(found).toMatchObject({ hasTime: true });
    expect(found!.changeable).toContain('plain');
    for (const name of [
      'env',
      'reallyExit',
      'hrtime',
      'createRequire',
      '_load',
      'setTimeout',
      'Date',
      'Atomics',
    ])
      expect(found!.names).toContain(name);
  });

  it('gets empty stacks of their errors, because their frames contain the host', async () => {
    const code =
      "channel.send(JSON.stringify({ stack: leaked.error.stack, own: new Error('x').stack.slice(0, 8) }));";
    const [found] = await withLeaks(code);
    expect(found).toEqual({ stack: '', own: 'Error: x' });
  });

  it('does not get the reason of a rejection of the outer realm', async () => {
    const reject = (boot: string): string =>
      boot.replace("'LEAKED_ABOVE';", "Promise.reject(new Error('outer'));\n$&");
    const code = `
      void Promise.reject(new Error('inner'));
      channel.serve((line) => {
        // Rejections are reported when the event loop turns, which it does for a decision that waits.
        if (line !== '') return true;
        channel.send(JSON.stringify(channel.uncaught.map(({ message }) => message)));
        return false;
      });`;
    const [found] = await withLeaks(code, reject);
    expect(found).toEqual(['inner']);
  });

  it('records no stack if Node has no inner formatter', async () => {
    const code = `
      let formatted = false;
      Error.prepareStackTrace = () => { formatted = true; return 'by Node'; };
      Error.stackTraceLimit = 10;
      const { stack } = new Error('x');
      channel.send(JSON.stringify({ formatted, hasFrames: /by Node|\\n/.test(String(stack)) }));`;
    const without = (boot: string): string[] =>
      sealedArguments(boot).filter((flag) => flag !== '--expose-internals');
    const [found] = await withLeaks(code, undefined, without);
    expect(found).toEqual({ formatted: false, hasFrames: false });
  });
});
