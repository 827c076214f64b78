/**
 * Starting point of a search for foreign objects: a value and its name. An object is foreign if it belongs to
 * another JavaScript realm. The search runs inside a sealed strategy in `foreign.test.ts`.
 */
export type Seed = readonly [path: string, value: unknown];

const MOST_OBJECTS = 60_000;
/**
 * Each call is tried at the last `LEVELS` stack levels before an overflow. At levels further away, up to
 * `FAR_LEVELS`, the call is tried only at every sixteenth level.
 */
const LEVELS = 100;
const FAR_LEVELS = 1600;

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { apply } = Reflect;
const top = Object.prototype;

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/**
 * Returns true if the last object of the prototype chain belongs to another realm. Returns false for an
 * object without a prototype. The properties of such an object are searched instead.
 */
export function isForeign(value: unknown): boolean {
  if (!isObject(value)) return false;
  let last: object = value;
  for (let next = getPrototypeOf(last); next !== null; next = getPrototypeOf(last)) last = next;
  return last !== top && last !== value;
}

/**
 * Returns the paths of foreign objects that can be reached from the seeds: own properties, getters, prototypes,
 * constructors, iterators.
 */
export function foreignIn(seeds: readonly Seed[]): string[] {
  const seen = new Set<object>();
  const found: string[] = [];
  const queue: Seed[] = [...seeds];
  const attempt = (path: string, work: () => unknown): void => {
    try {
      queue.push([path, work()]);
    } catch (error) {
      queue.push([`${path} threw`, error]);
    }
  };
  for (let next = queue.pop(); next !== undefined && seen.size < MOST_OBJECTS; next = queue.pop()) {
    const [path, value] = next;
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    if (isForeign(value)) found.push(path);
    queue.push([`${path}.__proto__`, getPrototypeOf(value)]);
    for (const key of ownKeys(value)) {
      if (ArrayBuffer.isView(value) && typeof key === 'string' && /^\d/.test(key)) continue;
      const place = `${path}.${String(key)}`;
      const { get, set, value: own } = getOwnPropertyDescriptor(value, key) ?? {};
      queue.push([place, own], [`get ${place}`, get], [`set ${place}`, set]);
      if (get !== undefined) attempt(place, () => apply(get, value, []));
    }
    if (path.length < 100 && Symbol.iterator in value)
      attempt(`${path}[…]`, () => {
        const iterator = (value as Iterable<unknown>)[Symbol.iterator]();
        return [iterator, iterator.next(), iterator.next()];
      });
  }
  return found;
}

/**
 * Makes each call at many stack depths shortly before an overflow. Returns the names of calls whose result or
 * error belongs to another realm.
 */
export function foreignAtDepth(calls: Readonly<Record<string, () => unknown>>): string[] {
  const found = new Set<string>();
  const judge = (name: string, value: unknown): void => {
    if (isForeign(value)) found.add(name);
  };
  for (const [name, call] of Object.entries(calls))
    for (let padding = 0; padding < 4; padding++) {
      let tried = 0;
      const descend = (...values: readonly unknown[]): void => {
        try {
          descend(...values);
        } catch (error) {
          tried += 1;
          if (tried > LEVELS && (tried % 16 !== 0 || tried > FAR_LEVELS)) throw error;
          judge(`${name}: overflow`, error);
          try {
            judge(`${name}: result`, call());
          } catch (inner) {
            judge(`${name}: error`, inner);
            try {
              judge(`${name}: stack`, (inner as Error).stack);
            } catch (last) {
              judge(`${name}: error of stack`, last);
            }
          }
          throw error;
        }
      };
      try {
        descend(...Array.from({ length: padding }, () => 0));
      } catch {
        // The overflow of the stack is expected.
      }
    }
  return [...found];
}

/**
 * Replaces built-in functions of JavaScript. Every value that the engine's code passes to a built-in function
 * is added to `seeds`.
 */
export function collectFromBuiltIns(seeds: Seed[]): void {
  const owners = { Array, Function, Promise, String, Map, Set, Object, Error, RegExp, Symbol, Date } as const;
  const statics = { JSON, Reflect, Math };
  const isBusy = { now: false };
  const replace = (holder: object, path: string): void => {
    for (const key of ownKeys(holder)) {
      const descriptor = getOwnPropertyDescriptor(holder, key)!;
      const own: unknown = descriptor.value;
      if (typeof own !== 'function' || key === 'constructor' || !descriptor.configurable) continue;
      const collecting = function (this: unknown, ...given: unknown[]): unknown {
        if (!isBusy.now) {
          isBusy.now = true;
          if (seeds.length < 20_000) {
            seeds[seeds.length] = [`this of ${path}.${String(key)}`, this];
            for (let index = 0; index < given.length; index++)
              seeds[seeds.length] = [`argument of ${path}.${String(key)}`, given[index]];
          }
          isBusy.now = false;
        }
        return new.target === undefined ? apply(own, this, given) : undefined;
      };
      Reflect.defineProperty(holder, key, { value: collecting, configurable: true, writable: true });
    }
  };
  for (const [name, owner] of Object.entries(owners)) replace(owner.prototype, name);
  for (const [name, holder] of Object.entries(statics)) replace(holder, name);
}

/** Returns a proxy. Every access to the proxy adds `this` and the arguments of the access to `seeds`. */
export function collectingProxy(seeds: Seed[], target: object = new Error('looked at')): object {
  const handler = new Proxy(
    {},
    {
      get:
        (_, trap) =>
        (...given: unknown[]): unknown => {
          for (const value of given) seeds.push([`argument of the trap ${String(trap)}`, value]);
          const work = (Reflect as unknown as Record<PropertyKey, (...values: unknown[]) => unknown>)[trap]!;
          const value = work(...given);
          return typeof value === 'function' && trap === 'get' ? collectingFunction(seeds, value) : value;
        },
    },
  );
  return new Proxy(target, handler);
}

function collectingFunction(seeds: Seed[], own: unknown): unknown {
  return function (this: unknown, ...given: unknown[]): unknown {
    seeds.push(['this of a method', this], ...given.map((value): Seed => ['argument of a method', value]));
    return apply(own as () => unknown, this, given);
  };
}
