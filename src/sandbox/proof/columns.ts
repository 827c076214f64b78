import { A_TO_H } from './attribute-names/a-to-h.ts';
import { CAPITAL } from './attribute-names/capital.ts';
import { I_TO_Z } from './attribute-names/i-to-z.ts';

/**
 * Every public attribute of every class and façade in the sandbox's Python. Any other attribute, such as
 * `df.my_ema`, is a column or an error, because no object has an attribute of that name.
 *
 * Generated from the running interpreter. Generate again after a change of Python, numpy or pandas.
 */
const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set(
  [CAPITAL, A_TO_H, I_TO_Z].flatMap((names) => names.trim().split(/\s+/)),
);

/** No object has an attribute of that name: it is a column of a frame, or an error. */
export function isColumn(name: string): boolean {
  return !name.startsWith('_') && !ATTRIBUTE_NAMES.has(name);
}
