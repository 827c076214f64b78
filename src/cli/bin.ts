#!/usr/bin/env node
import * as nodeModule from 'node:module';

// A reader that stops early (`sandtable doctor | head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // A command that listens itself has something to put away first.
    if (stream.listenerCount('error') === 1) process.exit(0);
  });
}

// From Node 22.1 on compiled code can be kept, which shortens the next start. Only what is imported later is.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
const { main } = await import('./main.ts');

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
