import { ATTRIBUTE_NAMES } from './attribute-names.ts';

/** No object has an attribute of that name: it is a column of a frame, or an error. */
export function isColumn(name: string): boolean {
  return !name.startsWith('_') && !ATTRIBUTE_NAMES.has(name);
}
