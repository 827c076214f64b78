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
  const prototype = new Proxy(Object.create(Object.prototype) as object, {
    get(target, member, receiver): unknown {
      if (typeof member === 'symbol' || member in target || LOOKED_UP.has(member))
        return Reflect.get(target, member, receiver);
      const members = Object.keys(object);
      const other = Object.entries(others).find(([, one]) => Object.hasOwn(one, member));
      const near = nearest(member, members);
      const meant = other === undefined ? near && `${name}.${near}` : `${other[0]}.${member}`;
      throw new TypeError(
        `${name}.${member} does not exist. ${meant === undefined ? '' : `Did you mean ${meant}? `}${name} has ${members.join(', ')}.`,
      );
    },
  });
  return Object.setPrototypeOf(object, prototype) as Value;
}
