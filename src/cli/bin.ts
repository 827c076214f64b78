#!/usr/bin/env node
import { main } from './main.ts';

// A reader that stops early (`sandtable doctor | head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // A command that listens itself has something to put away first.
    if (stream.listenerCount('error') === 1) process.exit(0);
  });
}

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
