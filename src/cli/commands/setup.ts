import { preparePython } from '../../runner/index.ts';
import { type Io, printLine } from '../io.ts';
import { printing } from '../run-context.ts';

/** `sandtable setup`: downloads everything that a first run needs. */
export async function setupCommand(flags: { readonly wheels?: string }, io: Io): Promise<void> {
  const startedAt = performance.now();
  const { versions } = await preparePython(printing(io, false), flags.wheels);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const parts = Object.entries(versions).map(([name, number]) => `${name} ${number}`);
  printLine(io.stdout, `Python is ready (${seconds} s): ${parts.join(', ')}`);
}
