import type { Command } from 'commander';
import type { Io, SetExitCode } from '../io.ts';

const WORKER_EXAMPLES = `
SANDTABLE_SWEEP_SECRET must be the same here and where the sweep is started. A password of Redis goes into
SANDTABLE_REDIS_PASSWORD, keys of S3 into the usual AWS variables. Details: docs/cluster.md

Examples:
  npx sandtable worker --queue redis://localhost:6379 --store /srv/sandtable
  npx sandtable worker --queue rediss://queue.example.com --store s3://bucket/sweeps --jobs 16`;

export function addCluster(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('worker')
    .description('run trials of sweeps that other machines start with sweep --queue')
    .option('--queue <address>', 'address of Redis: redis://host:6379 or rediss://host:6379')
    .option('--store <folder|address>', 'store of bundles and data: a shared folder, or s3://bucket/prefix')
    .option('--jobs <n>', 'trials run in parallel (default one per core)')
    .option('--quiet', 'no notes')
    .addHelpText('after', WORKER_EXAMPLES)
    .action(async (flags: unknown) => {
      const { workerCommand } = await import('../commands/worker.ts');
      setExitCode(await workerCommand(flags, io));
    });
}
