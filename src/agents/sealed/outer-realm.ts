import { Buffer } from 'node:buffer';
import nodeModule, { createRequire } from 'node:module';
import vm from 'node:vm';
import type { Bridge } from './bridge.ts';

/** Module of Node that contains `internalBinding`. Available with `--expose-internals`. */
const INTERNAL_MODULE = 'internal/test/binding';

/** Properties of `process` that Node's event loop and its `EventEmitter` read. */
const KEPT_PROCESS = new Set([
  '_events',
  '_eventsCount',
  '_maxListeners',
  '_exiting',
  '_fatalException',
  'domain',
  'emit',
]);

const outer = globalThis;
const { isView } = ArrayBuffer;
const { deleteProperty, getPrototypeOf, ownKeys } = Reflect;
const { freeze, getOwnPropertyDescriptor } = Object;

/**
 * Makes Node format stack traces with a function of the inner realm. If Node's internal module is not
 * available, stack traces are not recorded and errors are reported without a line.
 */
export function formatInside({ formatStack, keepNoStacks }: Bridge): void {
  try {
    const require = createRequire(`${process.cwd()}/sealed.js`);
    const { internalBinding } = require(INTERNAL_MODULE) as {
      internalBinding(name: string): { setPrepareStackTraceCallback(format: unknown): void };
    };
    internalBinding('errors').setPrepareStackTraceCallback(formatStack);
  } catch {
    keepNoStacks();
  }
}

/**
 * Deletes all objects that are reachable from an outer object: the clock, `process`, modules, and modifiable
 * prototypes. See `boot.ts` for the two realms.
 */
export function emptyOuterRealm(): void {
  const prototypes: object[] = [];
  for (const name of ownKeys(outer)) {
    const descriptor = getOwnPropertyDescriptor(outer, name);
    const value: unknown = descriptor !== undefined && 'value' in descriptor ? descriptor.value : undefined;
    if (typeof value === 'function')
      prototypes.push(value, (value as { prototype?: object }).prototype ?? value);
  }
  const samples = [
    async () => undefined,
    function* () {},
    (function* () {})(),
    async function* () {},
    (async function* () {})(),
    [].values(),
    new Int32Array(1),
  ];
  for (const sample of [
    ...samples,
    new Map().values(),
    new Set().values(),
    ''.matchAll(/x/g),
    Buffer.alloc(1),
  ])
    for (let each: object | null = getPrototypeOf(sample); each !== null; each = getPrototypeOf(each))
      prototypes.push(each);
  // Removes Node's own listeners. The listeners of `newListener` and `removeListener` start and stop the
  // handling of signals.
  for (const name of ['exit', 'newListener', 'removeListener']) process.removeAllListeners(name);
  // The prototype of the prototype of `process` belongs to Node's event emitter.
  const emitter = getPrototypeOf(getPrototypeOf(process) as object) as { constructor: object };
  prototypes.push(emitter, emitter.constructor);
  deleteProperty(Date.prototype, 'constructor');
  // The property `prototype` of `Module` cannot be deleted, so the members of the prototype are deleted.
  for (const holder of [nodeModule.prototype, nodeModule, vm, process] as object[])
    for (const name of ownKeys(holder))
      if (holder !== process || !KEPT_PROCESS.has(String(name))) deleteProperty(holder, name);
  freeze(getPrototypeOf(process));
  for (const name of ownKeys(outer)) deleteProperty(outer, name);
  for (const each of prototypes) if (!isView(each)) freeze(each);
}
