/** Properties of the process that determine if the notice about its Node version is shown. */
interface Terminal {
  /** Node version, for example `20.18.1`. */
  readonly version: string;
  readonly argv: readonly string[];
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Oldest major version of Node that still gets security fixes. */
const MAINTAINED = 22;

/**
 * Returns a notice for users of a Node version that gets no security fixes.
 *
 * @returns `undefined` for other versions, without a terminal, or if the notice is disabled
 */
export function nodeNotice({ version, argv, isTerminal, env }: Terminal): string | undefined {
  if (Number.parseInt(version, 10) >= MAINTAINED) return undefined;
  if (!isTerminal || argv.includes('--quiet') || (env.SANDTABLE_NO_NODE_NOTICE ?? '') !== '')
    return undefined;
  return `note: Node ${version} no longer receives security fixes. Sandtable works on it, but Node 22 or 24 is recommended.`;
}
