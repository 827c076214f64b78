import { LONGEST_PROVED, type Proof } from './prove.ts';

/** Maximum number of cached verdicts. A strategy usually repeats the same code on every bar. */
const KEPT = 1024;
const verdicts = new Map<string, Proof>();

/**
 * Returns whether a call is proved to leave nothing behind. The call has not run yet, and the proof does not
 * use Python.
 *
 * Only `compute` runs agent code that can be proved. `indicator` runs no agent code, because Sandtable parses
 * its parameters. Any other operation counts as not proved.
 */
export async function verdictOf(
  operation: string,
  request: Readonly<Record<string, unknown>>,
): Promise<Proof> {
  if (operation === 'indicator') return { clean: true, facts: '' };
  const { code } = request;
  if (operation !== 'compute' || typeof code !== 'string')
    return { clean: false, because: `operation: ${operation}` };
  // Checked before the text is read, and not cached.
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

/**
 * Returns whether running the file of a Python strategy and calling its `signals` is proved to leave nothing behind.
 *
 * @param parameters names of its declared parameters, which `signals` reads as attributes of its second argument
 */
export async function strategyProof(source: string, parameters: readonly string[]): Promise<Proof> {
  const { proveText } = await import('./prove.ts');
  // Only these names are accepted for the second argument, because no object of the sandbox has one of them.
  const [, object = ''] =
    /^def[ \t]+signals[ \t]*\([ \t]*\w+[ \t]*,[ \t]*(p|params|args|config|cfg|opts)[ \t]*\)/m.exec(source) ??
    [];
  const reads = new RegExp(`\\b${object}\\.(?:${parameters.join('|')})\\b(?![ \\t]*\\()`, 'g');
  // Any other use of the name could bind it to another object.
  const uses =
    object === '' ? 0 : source.replace(reads, '').match(new RegExp(`\\b${object}\\b`, 'g'))?.length;
  return proveText(source, uses === 1 ? { object, names: new Set(parameters) } : undefined);
}
