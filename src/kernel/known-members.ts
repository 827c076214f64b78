import { nearest } from './errors.ts';

/**
 * Names that JavaScript and test tools read from any object, for example to await or print it. Never an
 * error.
 */
const LOOKED_UP: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'inspect',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
  'href',
  'cause',
]);

/**
 * Makes reading an unknown member of an object an error. Strategies are compiled without a type check. A
 * misspelt name would otherwise be `undefined`, and a comparison with `undefined` would be false.
 *
 * The check is in the prototype, so it does not slow down reading a known member.
 *
 * @param name name of the object in messages, for example `turn`
 * @param others further objects by name; if one has the unknown member, the error suggests this object
 * @returns the same object
 */
export function withKnownMembers<Value extends object>(
  object: Value,
  name: string,
  others: Readonly<Record<string, object>> = {},
): Value {
  return Object.setPrototypeOf(
    object,
    guard(name, () => Object.keys(object), others),
  ) as Value;
}

/**
 * Makes reading an unknown member of an instance of a class an error, as `withKnownMembers` does for one
 * object. The check is set once for the class, at the end of its prototype chain. It therefore slows down
 * neither the creation of an instance nor reading a known member.
 *
 * @param name name of an instance in messages, for example `window`
 */
export function guardInstances(made: { readonly prototype: object }, name: string): void {
  const { prototype } = made;
  const shared = Object.getOwnPropertyNames(prototype).filter((member) => member !== 'constructor');
  Object.setPrototypeOf(
    prototype,
    guard(name, (instance) => [...Object.keys(instance), ...shared], {}),
  );
}

/** Returns a prototype that throws an error for unknown members. */
function guard(
  name: string,
  membersOf: (receiver: object) => readonly string[],
  others: Readonly<Record<string, object>>,
): object {
  return new Proxy(Object.create(Object.prototype) as object, {
    get(target, member, receiver): unknown {
      if (typeof member === 'symbol' || member in target || LOOKED_UP.has(member))
        return Reflect.get(target, member, receiver);
      const members = membersOf(receiver as object);
      const other = Object.entries(others).find(([, one]) => Object.hasOwn(one, member));
      const near = nearest(member, members);
      const meant = other === undefined ? near && `${name}.${near}` : `${other[0]}.${member}`;
      throw new TypeError(
        `${name}.${member} does not exist. ${meant === undefined ? '' : `Did you mean ${meant}? `}${name} has ${members.join(', ')}.`,
      );
    },
  });
}
