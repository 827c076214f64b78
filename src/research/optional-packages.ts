import { AppError, packageFile } from '../kernel/index.ts';

/**
 * Loads optional packages, which users install only if they need them.
 *
 * @param purpose feature that needs the packages, as the beginning of the sentence in the error message
 * @throws AppError `package_missing` with the command that installs them
 */
export async function optionalPackages<Loaded>(
  purpose: string,
  names: readonly string[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const { peerDependencies } = packageFile();
    const wanted = names.map((name) => `${name}@${peerDependencies[name]}`);
    throw new AppError({
      code: 'package_missing',
      message: `${purpose} needs ${names.join(' and ')}, and ${names.length === 1 ? 'it is' : 'one of them is'} not installed.`,
      hint: `Run: npm install ${wanted.join(' ')}`,
      cause,
    });
  }
}
