/** Where the command line runs. */
interface Terminal {
  /** Of Node, such as `20.18.1`. */
  readonly version: string;
  readonly argv: readonly string[];
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The first major version of Node that still gets security fixes. */
const MAINTAINED = 22;

/**
 * What a person reads who runs Sandtable on a Node that gets no more fixes.
 *
 * @returns undefined where nobody is there to read it, or nobody wants to
 */
export function nodeNotice({ version, argv, isTerminal, env }: Terminal): string | undefined {
  if (Number.parseInt(version, 10) >= MAINTAINED) return undefined;
  if (!isTerminal || argv.includes('--quiet') || (env.SANDTABLE_NO_NODE_NOTICE ?? '') !== '')
    return undefined;
  return `note: Node ${version} gets no more security fixes. Sandtable works on it; Node 22 or 24 is recommended.`;
}
