import type { ServedBy } from '../../engine/index.ts';
import { isPresent } from './present.ts';

/** Who answered, as the server says; nothing where it does not. */
export function servedBy(
  model: string | null | undefined,
  fingerprint: string | null | undefined,
): { readonly served?: ServedBy } {
  if (!isPresent(model) && !isPresent(fingerprint)) return {};
  return {
    served: { ...(isPresent(model) ? { model } : {}), ...(isPresent(fingerprint) ? { fingerprint } : {}) },
  };
}
