import type { ServedBy } from '../../engine/index.ts';
import { isPresent } from './present.ts';

/** Model and provider that answered, as reported by the server. Empty if not reported. */
export function servedBy(
  model: string | null | undefined,
  fingerprint: string | null | undefined,
): { readonly served?: ServedBy } {
  if (!isPresent(model) && !isPresent(fingerprint)) return {};
  return {
    served: { ...(isPresent(model) ? { model } : {}), ...(isPresent(fingerprint) ? { fingerprint } : {}) },
  };
}
