import type { Proof } from './prove.ts';
import { LONGEST_PROVED } from './source.ts';

/** Texts whose verdict is kept: a strategy asks the same question on every bar. */
const KEPT = 1024;
const verdicts = new Map<string, Proof>();

/**
 * Whether a call is proved to leave nothing behind, before anything of it runs and outside Python.
 *
 * Of the operations only `compute` runs agent code that can be proved, and `indicator` runs none: its parameters are
 * read by our own code. Everything else is taken to leave something.
 */
export async function verdictOf(
  operation: string,
  request: Readonly<Record<string, unknown>>,
): Promise<Proof> {
  if (operation === 'indicator') return { clean: true, facts: '' };
  const { code } = request;
  if (operation !== 'compute' || typeof code !== 'string')
    return { clean: false, because: `operation: ${operation}` };
  // Before anything looks at the text, and not kept: only its length was read.
  if (code.length > LONGEST_PROVED) return { clean: false, because: 'longer than what is proved' };
  const known = verdicts.get(code);
  if (known !== undefined) return known;
  // The parser is loaded with the first call: most commands of the CLI run no Python.
  const { proveText } = await import('./prove.ts');
  const verdict = proveText(code);
  if (verdicts.size >= KEPT) verdicts.delete(verdicts.keys().next().value!);
  verdicts.set(code, verdict);
  return verdict;
}
