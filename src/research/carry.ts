import { isDeepStrictEqual } from 'node:util';
import type { LoadedStrategy } from '../agent/index.ts';
import { mergeSettings, type RunSettingsInput } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';

/**
 * Refuses a strategy whose parameters change what an account is kept by: in a walk-forward that carries its positions, one
 * account goes through all windows.
 *
 * @param strategies as different parameters make it
 * @param asked settings that win over its own
 * @throws AppError `bad_walk_forward`
 */
export function refuseChangingAccount(strategies: readonly LoadedStrategy[], asked: RunSettingsInput): void {
  const [first, ...others] = strategies.map(({ settings, costs }) => ({
    ...mergeSettings(settings, asked),
    // That of the figures is the sweep's own.
    evaluateFrom: undefined,
    costs,
  }));
  if (first === undefined) return;
  const changing = new Set<string>();
  // Of two functions nobody can say whether they charge the same.
  for (const other of others)
    for (const name of Object.keys({ ...first, ...other }) as (keyof typeof first)[])
      if (!isDeepStrictEqual(first[name], other[name])) changing.add(name);
  if (changing.size === 0) return;
  const names = [...changing]
    .sort()
    .map((name) => (name === 'costs' ? 'its cost models' : `settings.${name}`));
  throw new AppError({
    code: 'bad_walk_forward',
    message: `--walk-forward with carry: ${strategies[0]!.file} makes ${names.join(', ')} of its parameters, and one account goes through all windows.`,
    hint: 'Leave carry out, or give settings and cost models that do not depend on parameters.',
  });
}
