import type { Command } from 'commander';
import { addDataFlags } from '../flags/flags.ts';
import { addConfigFlags } from '../flags/run-flags.ts';
import type { Io, SetExitCode } from '../io.ts';

const RESUME_EXAMPLES = `
Examples:
  npx sandtable resume reports/20261121-215900-llm-momentum-3fa9c1
  npx sandtable resume reports/20261121-215900-llm-momentum-3fa9c1 --budget usd=5`;

const REPLAY_EXAMPLES = `
Example:
  npx sandtable replay reports/20261121-215900-llm-momentum-3fa9c1`;

const VERIFY_EXAMPLES = `
Examples:
  npx sandtable verify reports/20261121-215900-sma-cross-3fa9c1
  npx sandtable verify reports/20261121-215900-sma-cross-3fa9c1 --tag forward-1
  npx sandtable verify momentum.tar.gz --replay --key author.pem --html certificate.html`;

const BUNDLE_EXAMPLES = `
Examples:
  npx sandtable bundle reports/20261121-215900-sma-cross-3fa9c1 --with-data
  npx sandtable bundle studies/20261121-220000-walk --out momentum.tar.gz --sign key.pem`;

const PROBE_EXAMPLES = `
Example:
  npx sandtable probe strategies/llm-momentum.md --data data/spx-daily.csv --from 2019-01-01`;

const MOCK_EXAMPLES = `
Example:
  npx sandtable mock-llm script.json --port 8099`;

export function addRecords(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('resume')
    .description('continue a run that was killed, interrupted or stopped, in its own folder')
    .argument('<run>', "the run's folder")
    .option('--data <path...>', 'current path of the data (default: the recorded path)')
    .option('--budget <limit=amount...>', 'new budget of the run: tokens, usd, calls or seconds')
    .option('--replay-only', 'fail if a request is not in the record')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .option('--verbose', 'print the table against the benchmark and all notes')
    .addHelpText('after', RESUME_EXAMPLES)
    .action(async (folder: string, flags: unknown) => {
      const { holdsSamples } = await import('../../runner/index.ts');
      if (holdsSamples(folder)) {
        const { resumeSamplesCommand } = await import('../commands/samples.ts');
        setExitCode(await resumeSamplesCommand(folder, flags, io));
        return;
      }
      const { resumeCommand } = await import('../commands/replay.ts');
      setExitCode(await resumeCommand(folder, flags, io));
    });
  program
    .command('replay')
    .description('replay a run from its records without a network, and compare the results')
    .argument('<run>', "the run's folder")
    .option('--data <path...>', 'current path of the data (default: the recorded path)')
    .option('--quiet', 'no progress')
    .addHelpText('after', REPLAY_EXAMPLES)
    .action(async (folder: string, flags: unknown) => {
      const { replayCommand } = await import('../commands/replay.ts');
      setExitCode(await replayCommand(folder, flags, io));
    });
  program
    .command('verify')
    .description('check that the files and figures of a run follow from its records, and print a certificate')
    .argument('<run>', 'run folder, folder with runs, or archive of sandtable bundle')
    .option('--data <path...>', 'current path of the data (default: the recorded path, or the archive)')
    .option('--replay', "execute an archive's strategies and compare all events (default for a folder)")
    .option('--no-replay', 'do not execute any strategy')
    .option('--key <file>', 'PEM file of the key that must have signed the archive')
    .option('--published <hash|file>', 'published SHA-256 of the registration, or a file that contains it')
    .option('--tag <name>', 'annotated git tag here whose message contains the SHA-256 of the registration')
    .option('--html <file>', 'write the certificate as a page')
    .option('--json', 'print the result as one JSON document')
    .option('--quiet', 'no progress')
    .addHelpText('after', VERIFY_EXAMPLES)
    .action(async (target: string, flags: unknown) => {
      const { verifyCommand } = await import('../commands/verify.ts');
      setExitCode(await verifyCommand(target, flags, io));
    });
  program
    .command('bundle')
    .description('pack a run or a study into one archive that anyone can verify')
    .argument('<run>', 'run folder, or folder with runs')
    .option('--out <file>', "path of the archive (default: the folder's name with .tar.gz)")
    .option('--with-data', 'add the data files of the runs')
    .option('--sign <file>', 'PEM file of an Ed25519 private key that signs the archive')
    .addHelpText('after', BUNDLE_EXAMPLES)
    .action(async (folder: string, flags: unknown) => {
      const { bundleCommand } = await import('../commands/verify.ts');
      await bundleCommand(folder, flags, io);
    });
  const probe = program
    .command('probe')
    .description("test what a strategy's model remembers of the data without seeing the data")
    .argument('<strategy>', 'strategy file in Markdown');
  addConfigFlags(addDataFlags(probe))
    .option('--questions <n>', 'number of questions (default 30)')
    .option('--seed <n>', 'seed of the random dates (default 0)')
    .option('--json', 'print every question and answer as one JSON document')
    .addHelpText('after', PROBE_EXAMPLES)
    .action(async (strategy: string, flags: unknown) => {
      const { probeCommand } = await import('../commands/probe.ts');
      setExitCode(await probeCommand(strategy, flags, io));
    });
  program
    .command('mock-llm')
    .description('serve a scripted model, to test strategies without a real one')
    .argument('<script>', 'JSON file of the script')
    .option('--port <n>', 'port to listen on (default any free one)')
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--record <file>', 'write each request as a line of JSON')
    .addHelpText('after', MOCK_EXAMPLES)
    .action(async (script: string, flags: unknown) => {
      const { mockLlmCommand } = await import('../commands/probe.ts');
      setExitCode(await mockLlmCommand(script, flags, io));
    });
}

const EXAMPLES = `
Examples:
  npx sandtable ledger
  npx sandtable ledger --project gap-fade
  npx sandtable ledger --strategy sma-cross --json`;

export function addLedger(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('ledger')
    .description(
      'list research projects: which runs used which data, when, and how often holdout bars were used',
    )
    .option('--reports <folder>', 'results folder that contains the ledger (default reports)')
    .option('--project <name>', 'only this project')
    .option('--strategy <name>', 'only projects of this strategy')
    .option('--json', 'print a JSON array of projects')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Record<string, unknown>) => {
      const { ledgerCommand } = await import('../commands/ledger.ts');
      setExitCode(ledgerCommand(flags, io));
    });
}
