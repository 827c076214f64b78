import { existsSync } from 'node:fs';
import { AppError, messageOf } from '../../kernel/index.ts';
import { startServer } from '../../pages/index.ts';
import { endOfNpx } from '../end-of-npx.ts';
import { type Io, printLine } from '../io.ts';
import { onInterrupt } from '../run-context.ts';
import { parametersOf } from './start-form.ts';
import { RunLauncher } from './start-runs.ts';

interface ServeFlags {
  readonly port?: string;
  readonly readOnly?: boolean;
  /**
   * If set, the parameters of this strategy are printed as JSON, and no server is started. The server runs
   * this command in another process, because the code of a strategy must not run in the server.
   */
  readonly parametersOf?: string;
}

const DEFAULT_PORT = '4180';

/** `sandtable serve`: shows runs in a browser on this machine until Ctrl-C. */
export async function serveCommand(folder: string, flags: ServeFlags, io: Io): Promise<void> {
  const { readOnly = false, parametersOf: strategy } = flags;
  if (strategy !== undefined) {
    printLine(io.stdout, JSON.stringify(await parametersOf(strategy, io)));
    return;
  }
  const interrupt = onInterrupt();
  try {
    const server = await startServer({
      folder,
      port: portOf(flags.port ?? DEFAULT_PORT),
      readOnly,
      launcher: readOnly || !existsSync(folder) ? undefined : new RunLauncher(folder, '.', io),
      onProblem: (error) => printLine(io.stderr, `problem: ${messageOf(error)}`),
    });
    const runs = `${server.runs} ${server.runs === 1 ? 'run' : 'runs'}`;
    printLine(io.stdout, server.url);
    printLine(io.stderr, `Showing ${runs} of ${folder} to this machine only. Press Ctrl-C to stop.`);
    await aborted(AbortSignal.any([interrupt.signal, endOfNpx(io.env, interrupt.signal)]));
    await server.close();
  } finally {
    interrupt.release();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new AppError({
    code: 'bad_flags',
    message: `--port: "${text}" is not a whole number from 0 to 65535.`,
    hint: 'See: npx sandtable serve --help',
  });
}
