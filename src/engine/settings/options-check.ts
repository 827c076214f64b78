import { AppError, type Fault, faultsError, nearest } from '../../kernel/index.ts';

const OPTIONS = {
  market: true,
  decider: true,
  settings: true,
  detail: true,
  costs: true,
  actions: true,
  rates: true,
  features: true,
  context: true,
  pointInTime: true,
  arrivals: true,
  interestClock: true,
  onEvent: true,
  emitStart: true,
  lightBars: true,
  onProgress: true,
  signal: true,
  onStart: true,
} as const;

/**
 * Throws on unknown options of `runBacktest`. A misspelt option would otherwise be silently ignored.
 *
 * @throws AppError `bad_settings` with every unknown option
 */
export function checkOptionNames(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new AppError({
      code: 'bad_settings',
      message: 'runBacktest was called without options.',
      hint: 'Pass an object with a market and a decider: runBacktest({ market, decider }).',
    });
  }
  const names = Object.keys(OPTIONS);
  const faults = Object.keys(options).flatMap((name): Fault[] => {
    if (Object.hasOwn(OPTIONS, name)) return [];
    const meant = nearest(name, names);
    const hint = meant === undefined ? `available: ${names.join(', ')}` : `did you mean ${meant}?`;
    return [{ where: name, message: 'unknown option', hint }];
  });
  if (faults.length > 0)
    throw faultsError(
      'bad_settings',
      'The options of runBacktest',
      faults,
      'Fix these options. Terms of the run belong in `settings`.',
    );
}
