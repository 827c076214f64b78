import { AppError, nearest } from '../../kernel/index.ts';

/** Error for a symbol that no context series has. */
export function unknownContext(symbol: string, known: readonly string[]): AppError {
  return unknown(
    'unknown_context',
    'context series',
    symbol,
    known,
    'Give the run files of series that are not traded with --context, or `context` in code.',
  );
}

/** Error for a name that no feature has. */
export function unknownFeature(name: string, known: readonly string[]): AppError {
  return unknown(
    'unknown_feature',
    'feature',
    name,
    known,
    'Give the run a file of features with --features, or `features` in code.',
  );
}

function unknown(code: string, kind: string, name: string, known: readonly string[], none: string): AppError {
  const meant = nearest(name, known);
  const there = `There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  return new AppError({
    code,
    message: `Unknown ${kind} ${name} in this run.`,
    hint: known.length === 0 ? none : there,
  });
}
