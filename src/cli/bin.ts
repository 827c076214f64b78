#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { nodeNotice } from './node-support.ts';
import { isVersionOnly, printVersion } from './print-version.ts';

// Scripts and editors call `sandtable --version` often, so this call exits before it loads further modules.
if (isVersionOnly(process.argv.slice(2))) process.exit(printVersion(notify()));

// From Node 22.1 on, compiled code can be cached, so that the next start is faster. Only modules that are
// imported after this call are cached.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
const { guardOutput, writeText } = await import('../kernel/index.ts');

for (const stream of [process.stdout, process.stderr]) {
  guardOutput(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stops early (`sandtable doctor | head`) is not an error, so the process ends normally. If
    // a command has its own `error` listener on the stream, that listener cleans up and ends the process.
    if (error.code === 'EPIPE') {
      if (stream.listenerCount('error') === 1) process.exit(process.exitCode ?? 0);
      return;
    }
    if (stream === process.stdout) {
      const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
      writeText(
        process.stderr,
        `error: Cannot write the results to standard output: ${why}.\n  Check the target of the redirection or pipe. Results of a run are in its folder.\n`,
      );
    }
    process.exit(1);
  });
}

const { main } = await import('./main.ts');
const { isVersionCall } = await import('./program/groups.ts');

const notice = notify();
if (notice !== undefined) writeText(process.stderr, `${notice}\n`);

const args = process.argv.slice(2);
// The guard protects the process from the code of a strategy, for example from endless loops. Loading the
// guard takes half of the start-up time of a simple command, so it is not loaded for `--version`.
const guard = isVersionCall(args)
  ? undefined
  : new (await import('./guard/process-guard.ts')).ProcessGuard(process.stderr);
process.exitCode = await main(args, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  ...(guard === undefined ? {} : { guard }),
});
// The process exits when all output is written, because a timer of a strategy could keep it running. The
// callback also runs after a failed write, before the `error` event of the stream. `setImmediate` lets the
// `error` listener above run before the exit.
if (guard?.used === true) process.stdout.write('', () => setImmediate(() => process.exit()));

function notify(): string | undefined {
  const { argv, env, stderr, versions } = process;
  return nodeNotice({ version: versions.node, argv, isTerminal: stderr.isTTY, env });
}
