import { AppError, type Fault } from '../../kernel/index.ts';

export const CONFIG_HINT = 'Fix these lines. docs/config.md describes the file. --no-config ignores it.';

/** Origin of a value that `sandtable.yaml` sets. */
export interface Origin {
  /** File and line, for example `sandtable.yaml:4`. */
  readonly place: string;
  /** Key without the profile and without the command's section, for example `costs.commission`. */
  readonly key: string;
  readonly profile?: string | undefined;
  /** Names of environment variables that the value refers to. */
  readonly variables: readonly string[];
}

/** Origins of the values that `sandtable.yaml` has set for a command, and faults of the file. */
export interface Configured {
  readonly file: string;
  readonly profile?: string | undefined;
  /**
   * Origin of each value: by flag, such as `--commission`; by name, such as `--param fast`; or `<strategy>`
   * for the strategy.
   */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly faults: readonly Fault[];
}

/** Configuration of each command, by the object that contains the flags of the command. */
const byFlags = new WeakMap<object, Configured>();

export function rememberConfigured(flags: object, configured: Configured): void {
  byFlags.set(flags, configured);
}

/** Returns the configuration that was used for the flags of a command. `undefined` if no file was read. */
export function configuredOf(flags: unknown): Configured | undefined {
  return typeof flags === 'object' && flags !== null ? byFlags.get(flags) : undefined;
}

/**
 * Returns the faults of the flags and of the project file together. If the file has set a faulty value, the
 * fault names the line and key of the file instead of the flag.
 */
export function locatedFaults(flags: unknown, faults: readonly Fault[]): readonly Fault[] {
  const configured = configuredOf(flags);
  if (configured === undefined) return faults;
  // A misspelt or faulty key in the file also makes its flag appear to be missing. This second fault is
  // omitted.
  const isFaulty = (flag: string): boolean =>
    configured.faults.some(({ message }) =>
      new RegExp(`^${flag} is |(Did you mean|Expected at) ${flag}\\b`).test(message),
    );
  const real = faults.filter(
    ({ where, message }) => !(message.startsWith('is missing') && isFaulty(where.replace(/^--/, ''))),
  );
  const located = real.map((fault) => {
    const [flag = '', name = ''] = fault.where.split(' ');
    const origin = configured.origins.get(`${flag} ${name}`) ?? configured.origins.get(flag);
    if (origin === undefined) return fault;
    return { ...fault, where: `${origin.place} ${origin.key}` };
  });
  return [...configured.faults, ...located];
}

/**
 * Returns the error with clearer places if it concerns the parameters of a sweep and the project file has set
 * them. The message then names lines and keys of the file instead of `--param`. Other errors are returned
 * unchanged.
 */
export function locatedError(flags: unknown, error: unknown): unknown {
  const origins = configuredOf(flags)?.origins;
  if (origins === undefined || !(error instanceof AppError) || error.code !== 'bad_space') return error;
  const message = error.message.replaceAll(/^( +)--param (\S+):/gm, (line, indent: string, name: string) => {
    const origin = origins.get(`--param ${name}`);
    return origin === undefined ? line : `${indent}${origin.place} ${origin.key}:`;
  });
  if (message === error.message) return error;
  return new AppError({ code: error.code, message, hint: CONFIG_HINT });
}
