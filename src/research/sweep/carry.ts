import { isDeepStrictEqual } from 'node:util';
import type { LoadedStrategy } from '../../agents/index.ts';
import { mergeSettings, type RunSettingsInput } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';

/**
 * Refuses a strategy whose account settings or costs depend on its parameters. A walk-forward that carries
 * positions uses one account for all windows.
 *
 * @param strategies the strategy, created with different parameters
 * @param asked settings of the request, which override the strategy's settings
 * @throws AppError `bad_walk_forward`
 */
export function refuseChangingAccount(strategies: readonly LoadedStrategy[], asked: RunSettingsInput): void {
  const [first, ...others] = strategies.map(({ settings, costs }) => ({
    ...mergeSettings(settings, asked),
    // The sweep sets `evaluateFrom` itself.
    evaluateFrom: undefined,
    costs,
  }));
  if (first === undefined) return;
  const changing = new Set<string>();
  // Cost functions are compared by identity: two different functions count as different costs.
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
    hint: 'Remove carry, or use settings and cost models that do not depend on parameters.',
  });
}
