import { main } from '../../src/cli/main.ts';
import { testIo } from './io.ts';

export async function sandtable(argv: readonly string[], options: Parameters<typeof testIo>[0] = {}) {
  const io = testIo(options);
  const exitCode = await main(argv, io);
  return { exitCode, stdout: io.stdout.text, stderr: io.stderr.text };
}
