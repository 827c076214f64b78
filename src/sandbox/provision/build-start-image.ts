import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { drawnRandom, installDeterminism, setClock } from '../child/harden.ts';
import type { BuildMessage, StartJob } from './build-job.ts';
import { makeStartImage } from './start-python.ts';

// Program that runStartJob starts. Reads a job from standard input and writes a message if the job fails.

async function main(): Promise<void> {
  const job = JSON.parse(await text(process.stdin)) as StartJob;
  // With a fixed clock and seed, the image does not depend on the time of the build or on random numbers.
  installDeterminism(0);
  setClock(0);
  const { memory, index } = await makeStartImage(job.runtime, drawnRandom);
  fs.writeFileSync(job.memory, memory);
  fs.writeFileSync(job.index, JSON.stringify(index));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const message: BuildMessage = { kind: 'failed', reason: reason.slice(-2000) };
    fs.writeSync(1, `${JSON.stringify(message)}\n`);
    process.exit(1);
  },
);
