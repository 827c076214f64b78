import { A_TO_H } from './attribute-names/a-to-h.ts';
import { CAPITAL } from './attribute-names/capital.ts';
import { I_TO_Z } from './attribute-names/i-to-z.ts';

/**
 * Every public attribute of every class and façade in the sandbox's Python, none of which can be taken for a column:
 * `df.my_ema` is a column or an error, for no object has an attribute of that name.
 *
 * Made from the running interpreter, and to be made again with another Python, numpy or pandas.
 */
export const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set(
  [CAPITAL, A_TO_H, I_TO_Z].flatMap((names) => names.trim().split(/\s+/)),
);
