import type { Command } from 'commander';
import { addForwardFlags, addRegisterFlags, addRegistrationFlags, addRunFlags } from '../flags/run-flags.ts';
import { addStressFlags } from '../flags/stress-flags.ts';
import { addSweepFlags } from '../flags/sweep-flags.ts';
import type { Io, SetExitCode } from '../io.ts';

export function addSweep(program: Command, io: Io, setExitCode: SetExitCode): void {
  addSweepFlags(program.command('sweep')).action(
    async (strategy: string | undefined, folder: string | undefined, flags: unknown) => {
      const { sweepCommand } = await import('../commands/sweep.ts');
      setExitCode(await sweepCommand(strategy, folder, flags, io));
    },
  );
}

export function addStress(program: Command, io: Io, setExitCode: SetExitCode): void {
  addStressFlags(program.command('stress')).action(
    async (strategy: string | undefined, flags: Record<string, unknown>) => {
      const { stressCommand } = await import('../commands/stress.ts');
      setExitCode(await stressCommand(strategy, flags, io));
    },
  );
}

const EXAMPLES = `
A study's file names strategies, models, samples, windows, masks and tool sets; see docs/study.md.

Examples:
  npx sandtable study study.yaml
  npx sandtable study study.yaml --concurrency 4 --budget usd=10
  npx sandtable study --resume reports/STUDY`;

export function addLeaderboard(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('leaderboard')
    .description('rank the arms of all studies in a folder, per data and windows, as a page and a CSV')
    .argument('<folder>', 'results folder that contains studies')
    .option('--json', 'print the ranking as one JSON document')
    .option('--quiet', 'write the files and print nothing')
    .addHelpText(
      'after',
      `
Writes leaderboard.html and leaderboard.csv into the folder.

Example:
  npx sandtable leaderboard reports`,
    )
    .action(async (folder: string, flags: unknown) => {
      const { leaderboardCommand } = await import('../commands/compare.ts');
      setExitCode(leaderboardCommand(folder, flags, io));
    });
}

export function addStudy(program: Command, io: Io, setExitCode: SetExitCode): void {
  const study = program
    .command('study')
    .description(
      'run strategies × models × samples × windows × masks × tools, with baselines, statistics and an audit',
    )
    .argument('[file]', 'study file, for example study.yaml')
    .option('--concurrency <n>', 'runs of models and agents in parallel (default 2)')
    .option('--jobs <n>', 'threads for rules, baselines and random agents (default: one per core)')
    .option(
      '--budget <limit=amount...>',
      'replaces the budget of the file: calls, tokens or usd, for the whole study',
    )
    .option('--out <folder>', 'folder for the study’s folder (default reports)')
    .option('--resume <folder>', 'resume a study that was stopped, killed or out of budget')
    .option('--estimate', 'print requests, tokens and costs with a range from one decision of each arm')
    .option('--estimate-from <run...>', 'the same from recorded runs, without a request')
    .option('--json', 'print the report as one JSON document')
    .option('--quiet', 'no progress, no table');
  addRegistrationFlags(study)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, flags: Record<string, unknown>) => {
      const { studyCommand } = await import('../commands/study.ts');
      setExitCode(await studyCommand(file, flags, io));
    });
}

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

export function addRun(program: Command, io: Io, setExitCode: SetExitCode): void {
  addRunFlags(program.command('run')).action(
    async (strategy: string | undefined, flags: { samples?: string; recorded?: string }) => {
      if (flags.recorded !== undefined) {
        const { recordedCommand } = await import('../commands/forward.ts');
        setExitCode(await recordedCommand(strategy, flags, io));
        return;
      }
      if (flags.samples !== undefined) {
        const { samplesCommand } = await import('../commands/samples.ts');
        setExitCode(await samplesCommand(strategy, flags, io));
        return;
      }
      const { runCommand } = await import('../commands/run.ts');
      setExitCode(await runCommand(strategy, flags, io));
    },
  );
}

export function addForward(program: Command, io: Io, setExitCode: SetExitCode): void {
  const forward = addForwardFlags(program.command('forward')).action(
    async (strategy: string | undefined, flags: unknown) => {
      const { forwardCommand } = await import('../commands/forward.ts');
      setExitCode(await forwardCommand(strategy, flags, io));
    },
  );
  forward
    .command('status')
    .description('show the state of a forward run')
    .argument('<run>', "the run's folder")
    .option('--json', 'print one JSON document')
    .action(async (folder: string, _flags: unknown, command: Command) => {
      const { forwardStatusCommand } = await import('../commands/forward.ts');
      setExitCode(forwardStatusCommand(folder, command.optsWithGlobals(), io));
    });
  forward
    .command('stop')
    .description('end a forward run after its current decision')
    .argument('<run>', "the run's folder")
    .action(async (folder: string) => {
      const { forwardStopCommand } = await import('../commands/forward.ts');
      setExitCode(forwardStopCommand(folder, io));
    });
}

export function addRegister(program: Command, io: Io, setExitCode: SetExitCode): void {
  addRegisterFlags(program.command('register')).action(
    async (strategy: string | undefined, flags: unknown) => {
      const { registerCommand } = await import('../commands/forward.ts');
      setExitCode(await registerCommand(strategy, flags, io));
    },
  );
}
