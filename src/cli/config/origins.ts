import { AppError, type Fault } from '../../kernel/index.ts';

export const CONFIG_HINT = 'Fix these lines. docs/config.md describes the file. --no-config ignores it.';

/** Origin of a value that `sandtable.yaml` sets. */
export interface Origin {
  /** File and line, for example `sandtable.yaml:4`. */
  readonly place: string;
  /** Key without the profile and the command's section, for example `costs.commission`. */
  readonly key: string;
  readonly profile?: string | undefined;
  /** Environment variables in the value. */
  readonly variables: readonly string[];
}

/** Values of a command that were set by `sandtable.yaml`, and faults of the file. */
export interface Configured {
  readonly file: string;
  readonly profile?: string | undefined;
  /** Origins by flag, such as `--commission`, and by name for `--param fast`. `<strategy>` for the strategy. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly faults: readonly Fault[];
}

/** Configurations by the object with a command's flags. */
const byFlags = new WeakMap<object, Configured>();

export function rememberConfigured(flags: object, configured: Configured): void {
  byFlags.set(flags, configured);
}

/** Returns the configuration that was used for the flags of a command. `undefined` if no file was read. */
export function configuredOf(flags: unknown): Configured | undefined {
  return typeof flags === 'object' && flags !== null ? byFlags.get(flags) : undefined;
}

/**
 * Returns faults of flags together with those of the file. A fault of a value from the file names its line and
 * key instead of the flag.
 */
export function locatedFaults(flags: unknown, faults: readonly Fault[]): readonly Fault[] {
  const configured = configuredOf(flags);
  if (configured === undefined) return faults;
  // A misspelt or faulty key in the file would also make its flag appear to be missing. This second fault is
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

/** Returns an error about the parameters of a sweep with the lines and keys of the file instead of `--param`. */
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
