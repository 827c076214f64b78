import { LONGEST_PROVED, type Proof } from './prove.ts';

/**
 * Maximum number of cached results of `verdictOf`. They are cached because an agent usually repeats the same
 * code on every bar.
 */
const KEPT = 1024;
const verdicts = new Map<string, Proof>();

/**
 * Returns the proof that a call leaves nothing behind (no change that a later call could see), or the reason
 * why the proof fails. The check happens before the call runs and without Python.
 *
 * Only the operation `compute` runs agent code that can be proved. Calls of `indicator` run no agent code, so
 * they are always proved. Calls of other operations are never proved.
 */
export async function verdictOf(
  operation: string,
  request: Readonly<Record<string, unknown>>,
): Promise<Proof> {
  if (operation === 'indicator') return { clean: true, facts: '' };
  const { code } = request;
  if (operation !== 'compute' || typeof code !== 'string')
    return { clean: false, because: `operation: ${operation}` };
  // Long code is rejected before it is parsed, and the result is not cached.
  if (code.length > LONGEST_PROVED) return { clean: false, because: 'longer than what is proved' };
  const known = verdicts.get(code);
  if (known !== undefined) return known;
  // The parser is loaded at the first call, because most commands run no Python.
  const { proveText } = await import('./prove.ts');
  const verdict = proveText(code);
  if (verdicts.size >= KEPT) verdicts.delete(verdicts.keys().next().value!);
  verdicts.set(code, verdict);
  return verdict;
}

/**
 * Returns the proof that running the file of a Python strategy and calling its `signals` leaves nothing
 * behind, or the reason why the proof fails.
 *
 * @param parameters names of the declared parameters. `signals` reads them as attributes of its second
 *   argument
 */
export async function strategyProof(source: string, parameters: readonly string[]): Promise<Proof> {
  const { proveText } = await import('./prove.ts');
  // The second argument must have one of these names, because no global of the sandbox has such a name.
  const [, object = ''] =
    /^def[ \t]+signals[ \t]*\([ \t]*\w+[ \t]*,[ \t]*(p|params|args|config|cfg|opts)[ \t]*\)/m.exec(source) ??
    [];
  const reads = new RegExp(`\\b${object}\\.(?:${parameters.join('|')})\\b(?![ \\t]*\\()`, 'g');
  // Apart from the definition of the argument, the name may be used only to read parameters. Any other use
  // could assign another object to it.
  const uses =
    object === '' ? 0 : source.replace(reads, '').match(new RegExp(`\\b${object}\\b`, 'g'))?.length;
  return proveText(source, uses === 1 ? { object, names: new Set(parameters) } : undefined);
}
