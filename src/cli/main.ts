import { Command, CommanderError } from 'commander';
import { AppError, messageOf } from '../kernel/index.ts';
import type { CompareFlags } from './commands/compare.ts';
import type { QueryFlags } from './commands/query.ts';
import { addDataFlags, addToolFlags } from './flags.ts';
import type { Io } from './io.ts';
import { printLine } from './io.ts';
import { addReportFlags } from './report-flags.ts';
import { addSettingsFlags } from './settings-flags.ts';
import { addToolExtraFlags } from './tool-extras.ts';
import { version } from './version.ts';

const RUN_EXAMPLES = `
Examples:
  npx sandtable run strategies/compute-quant.ts --data data/spx-daily.csv
  npx sandtable run strategies/sma-cross.ts --data prices.csv --cash 10000 --commission 0.002 --param fast=5 --param slow=50
  npx sandtable run orders.json --data prices/*.csv --json > summary.json`;

const RESUME_EXAMPLES = `
Examples:
  npx sandtable resume reports/20261121-215900-llm-momentum-3fa9c1
  npx sandtable resume reports/20261121-215900-llm-momentum-3fa9c1 --budget usd=5`;

const REPLAY_EXAMPLES = `
Example:
  npx sandtable replay reports/20261121-215900-llm-momentum-3fa9c1`;

const PROBE_EXAMPLES = `
Example:
  npx sandtable probe strategies/llm-momentum.md --data data/spx-daily.csv --from 2019-01-01`;

const MOCK_EXAMPLES = `
Example:
  npx sandtable mock-llm script.json --port 8099`;

const COMPUTE_EXAMPLES = `
Examples:
  npx sandtable compute "latest(ta.rsi(df.close, 14))" --data data/spx-daily.csv --bar 100
  npx sandtable compute "df.close.pct_change().std()" --data data/spx-daily.csv`;

const TOOLS_EXAMPLES = `
Examples:
  npx sandtable tools list
  npx sandtable tools list market_observe trade_execute --json > tools.json
  npx sandtable tools call market_observe --data data/spx-daily.csv --bar 30`;

const CALL_EXAMPLES = `
Examples:
  npx sandtable tools call indicator_calc '{"name": "rsi"}' --data data/spx-daily.csv --bar 300
  npx sandtable tools call --data data/spx-daily.csv --bar 30 < calls.jsonl
Lines of calls.jsonl: {"name": "market_observe", "arguments": {}}, and {"name": "next_bar"} to move on.`;

const MCP_EXAMPLES = `
Examples:
  npx sandtable mcp --data data/spx-daily.csv --from 2010-01-01 --cash 50000
  npx sandtable mcp --data prices/*.csv --tools market_observe market_history trade_execute --strategy-risk risk.json`;

const DATA_EXAMPLES = `
Examples:
  npx sandtable data check prices.csv
  npx sandtable data simulate --bars 500 --regime trend --seed 7 --out simulated.csv`;

/**
 * The command line.
 *
 * @param argv without the program's name
 * @returns the exit code: 0 good, 1 the run failed, 2 bad usage or input
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const program = createProgram(io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return report(error, io);
  }
}

/** Says on stderr what went wrong and gives the exit code. */
function report(error: unknown, io: Io): number {
  if (error instanceof AppError) {
    printLine(io.stderr, `error: ${error.message}\n  ${error.remedy}`);
    return error.kind === 'input' ? 2 : 1;
  }
  printLine(io.stderr, `error: Sandtable failed where it should not: ${messageOf(error)}`);
  printLine(
    io.stderr,
    '  Please report it with the command you ran; SANDTABLE_DEBUG=1 shows where it happened.',
  );
  if ((io.env.SANDTABLE_DEBUG ?? '') !== '' && error instanceof Error)
    printLine(io.stderr, error.stack ?? '');
  return 1;
}

type SetExitCode = (code: number) => void;

function createProgram(io: Io, setExitCode: SetExitCode): Command {
  const program = new Command('sandtable')
    .description('A backtesting engine with an agent inside.')
    .version(version(), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) =>
        write(
          text.includes("argument 'strategy'")
            ? `${text}  Name the strategy before --data, which takes every word that follows it.\n`
            : text,
        ),
    })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText(
      'after',
      '\nFirst steps:\n  npm start                        a backtest of 5,105 real bars, computing in Python\n  npx sandtable doctor             is everything in place?\n  npx sandtable run --help         all about backtests',
    );
  addRun(program, io, setExitCode);
  addRecords(program, io, setExitCode);
  addLooking(program, io);
  addMcp(program, io, setExitCode);
  addData(program, io);
  addReports(program, io);
  addTrace(program, io);
  addQuery(program, io);
  addUpkeep(program, io, setExitCode);
  return program;
}

function addRun(program: Command, io: Io, setExitCode: SetExitCode): void {
  const run = program
    .command('run')
    .description('backtest a strategy: a .ts file, an order script in .json, or a prompt for a model in .md')
    .argument('<strategy>', 'strategy file');
  addDataFlags(run).option(
    '--detail <path...>',
    'finer bars of some or all symbols, which settle what happened inside a bar',
  );
  addReportFlags(addToolExtraFlags(addSettingsFlags(run)))
    .option('--param <name=value...>', "set one of the strategy's parameters")
    .option('--mask <kinds>', 'hide symbols,dates,prices, or some of them, from whoever decides')
    .option('--model-cutoff <date>', 'split the figures at the last date the model was trained on')
    .option('--samples <n>', 'independent runs of a strategy for a model, compared')
    .option('--concurrency <n>', 'samples at work at once (default 2)')
    .option('--recording <run>', "answer from another run's record where it holds the same request")
    .option('--replay-only', 'with --recording: fail where the model would have to be asked')
    .option('--out <folder>', 'where run folders go (default reports)')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (strategy: string, flags: { samples?: string }) => {
      if (flags.samples !== undefined) {
        const { samplesCommand } = await import('./commands/samples.ts');
        setExitCode(await samplesCommand(strategy, flags, io));
        return;
      }
      const { runCommand } = await import('./commands/run.ts');
      setExitCode(await runCommand(strategy, flags, io));
    });
}

function addRecords(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('resume')
    .description('continue a run that was killed, interrupted or stopped, in its own folder')
    .argument('<run>', "the run's folder")
    .option('--data <path...>', 'where its data are now (default where they were)')
    .option('--budget <limit=amount...>', 'another budget of the run: tokens, usd, calls or seconds')
    .option('--replay-only', 'fail where the model would have to be asked')
    .option('--json', "print the run's summary as one JSON document")
    .option('--quiet', 'no progress, no summary')
    .addHelpText('after', RESUME_EXAMPLES)
    .action(async (folder: string, flags: unknown) => {
      const { holdsSamples, resumeSamplesCommand } = await import('./commands/samples.ts');
      if (holdsSamples(folder)) {
        setExitCode(await resumeSamplesCommand(folder, flags, io));
        return;
      }
      const { resumeCommand } = await import('./commands/resume.ts');
      setExitCode(await resumeCommand(folder, flags, io));
    });
  program
    .command('replay')
    .description('walk a run again from its records, without a network, and compare')
    .argument('<run>', "the run's folder")
    .option('--data <path...>', 'where its data are now (default where they were)')
    .option('--quiet', 'no progress')
    .addHelpText('after', REPLAY_EXAMPLES)
    .action(async (folder: string, flags: unknown) => {
      const { replayCommand } = await import('./commands/replay.ts');
      setExitCode(await replayCommand(folder, flags, io));
    });
  const probe = program
    .command('probe')
    .description("ask a strategy's model what it remembers of the data, without showing them")
    .argument('<strategy>', 'strategy file in Markdown');
  addDataFlags(probe)
    .option('--questions <n>', 'questions to ask (default 30)')
    .option('--seed <n>', 'draws the dates (default 0)')
    .option('--json', 'print every question and answer as one JSON document')
    .addHelpText('after', PROBE_EXAMPLES)
    .action(async (strategy: string, flags: unknown) => {
      const { probeCommand } = await import('./commands/probe.ts');
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
      const { mockLlmCommand } = await import('./commands/mock-llm.ts');
      setExitCode(await mockLlmCommand(script, flags, io));
    });
}

function addLooking(program: Command, io: Io): void {
  const compute = program
    .command('compute')
    .description('run Python on the bars up to one bar, as an agent would')
    .argument('<python>', 'one expression, or code that sets result');
  addSettingsFlags(addDataFlags(compute))
    .option('--bar <n>', 'bar number from 0 (default the last)')
    .option('--max-result-bytes <n>', 'cap of the result (default 32768)')
    .addHelpText('after', COMPUTE_EXAMPLES)
    .action(async (code: string, flags: unknown) => {
      const { computeCommand } = await import('./commands/tools.ts');
      await computeCommand(code, flags, io);
    });
  const tools = program
    .command('tools')
    .description('the tools an agent has')
    .addHelpText('after', TOOLS_EXAMPLES);
  tools
    .command('list')
    .description('names and descriptions')
    .argument('[name...]', 'only these tools (default all there are)')
    .option('--json', 'with JSON Schemas, as OpenAI-compatible models take them')
    .option('--strict', "with JSON Schemas of OpenAI's strict mode")
    .addHelpText('after', TOOLS_EXAMPLES)
    .action(async (names: string[], flags: { json?: boolean; strict?: boolean }) => {
      const { listCommand } = await import('./commands/tools.ts');
      listCommand(names, flags, io);
    });
  const call = tools
    .command('call')
    .description(
      'call tools at one bar: one call as words, or JSON lines {"name","arguments"} on stdin, a JSON line each on stdout',
    )
    .argument('[name]', 'the tool; calls are read from stdin when left out')
    .argument('[arguments]', 'its arguments as JSON');
  addToolFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(call))), 'all there are')
    .option('--bar <n>', 'bar number from 0 (default the last)')
    .option('--timing', 'say on stderr how long each call took')
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (name: string | undefined, parameters: string | undefined, flags: unknown) => {
      const { callCommand } = await import('./commands/tools.ts');
      await callCommand(name === undefined ? undefined : { name, arguments: parameters }, flags, io);
    });
}

function addMcp(program: Command, io: Io, setExitCode: SetExitCode): void {
  const mcp = program
    .command('mcp')
    .description(
      'serve the tools to an MCP client over stdio: it trades bar by bar, and a run folder is left',
    );
  addToolFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(mcp))), 'all but those that must be named')
    .option('--strategy-risk <file>', 'JSON with risk limits, such as {"maxPosition": 0.5}')
    .option('--out <folder>', 'where the run folder goes (default reports)')
    .addHelpText('after', MCP_EXAMPLES)
    .action(async (flags: unknown) => {
      const { mcpCommand } = await import('./commands/mcp.ts');
      setExitCode(await mcpCommand(flags, io));
    });
}

function addData(program: Command, io: Io): void {
  const data = program
    .command('data')
    .description('look at data, or make some')
    .addHelpText('after', DATA_EXAMPLES);
  const check = data
    .command('check')
    .description('report what is in data files, every fault and everything suspicious')
    .argument('[paths...]', 'data files, folders or globs');
  addDataFlags(check)
    .option('--json', 'print the report as one JSON document')
    .addHelpText('after', DATA_EXAMPLES)
    .action(async (paths: string[], flags: Record<string, unknown>) => {
      const { checkCommand } = await import('./commands/data.ts');
      await checkCommand(paths, flags, io);
    });
  data
    .command('simulate')
    .description('make up a market: CSV on stdout, or into --out')
    .option('--seed <n>', 'the same seed gives the same bars (default 0)')
    .option('--bars <n>', 'bars to make (default 500)')
    .option('--regime <name>', 'random-walk, trend, mean-reverting, volatile, crash or regime-switching')
    .option('--symbols <symbol...>', 'one or several symbols (default SIM)')
    .option('--correlation <r>', 'between the returns of two symbols (default 0.5)')
    .option('--start <date>', 'date of the first bar (default 2000-01-03)')
    .option('--interval <interval>', '1min, 5min, 15min, 30min, 1h, 4h or 1d (default 1d)')
    .option('--price <price>', 'first price (default 100)')
    .option('--volatility <sd>', "standard deviation of a bar's return (default 0.012 a day)")
    .option('--out <path>', 'a .csv file for one symbol, a folder for several')
    .addHelpText('after', DATA_EXAMPLES)
    .action(async (flags: unknown) => {
      const { simulateCommand } = await import('./commands/data.ts');
      simulateCommand(flags, io);
    });
}

function addReports(program: Command, io: Io): void {
  const report = program
    .command('report')
    .description("make a run's report.html anew from its journal")
    .argument('<run>', 'run folder');
  addReportFlags(report)
    .option('--out <file>', 'where to write it (default report.html in the run folder)')
    .addHelpText('after', '\nExample:\n  npx sandtable report reports/20261121-215900-sma-cross-3fa9c1')
    .action(async (run: string, flags: unknown) => {
      const { reportCommand } = await import('./commands/report.ts');
      await reportCommand(run, flags, io);
    });
  program
    .command('compare')
    .description('put runs beside each other; the first is what the others are held against')
    .argument('<runs...>', 'two or more run folders')
    .option('--json', 'print one JSON document')
    .option('--csv', 'print CSV: a figure a row')
    .option('--md', 'print a Markdown table')
    .option('--html <file>', 'write a page too, with equity and drawdown of all')
    .addHelpText('after', '\nExample:\n  npx sandtable compare reports/*-sma-cross-* --html compared.html')
    .action(async (runs: string[], flags: CompareFlags) => {
      const { compareCommand } = await import('./commands/compare.ts');
      compareCommand(runs, flags, io);
    });
}

function addTrace(program: Command, io: Io): void {
  program
    .command('trace')
    .description('everything that was seen and done on each bar of a run, as one page')
    .argument('<run>', 'run folder')
    .option('--out <file>', 'where to write it (default trace.html in the run folder)')
    .addHelpText('after', '\nExample:\n  npx sandtable trace reports/20261121-215900-sma-cross-3fa9c1')
    .action(async (run: string, flags: { out?: string }) => {
      const { traceCommand } = await import('./commands/trace.ts');
      await traceCommand(run, flags, io);
    });
  program
    .command('serve')
    .description('show all runs to the browser of this machine: list, reports, traces, comparisons')
    .argument('[reports]', 'folder that holds run folders', 'reports')
    .option('--port <n>', 'port of 127.0.0.1, 0 for any that is free (default 4180)')
    .addHelpText('after', '\nExample:\n  npx sandtable serve reports')
    .action(async (folder: string, flags: { port?: string }) => {
      const { serveCommand } = await import('./commands/serve.ts');
      await serveCommand(folder, flags, io);
    });
}

function addQuery(program: Command, io: Io): void {
  program
    .command('query')
    .description('answer SQL over all runs: tables runs, equity, trades; read only')
    .argument('<sql>', 'one statement of DuckDB SQL')
    .option('--reports <folder>', 'where the run folders are (default reports)')
    .option('--json', 'print a JSON array of objects')
    .option('--csv', 'print CSV')
    .addHelpText(
      'after',
      '\nExamples:\n  npx sandtable query "select runId, sharpe from runs order by sharpe desc"\n  npx sandtable query "select symbol, sum(netPnl) from trades group by 1"',
    )
    .action(async (sql: string, flags: QueryFlags) => {
      const { queryCommand } = await import('./commands/query.ts');
      await queryCommand(sql, flags, io);
    });
}

function addUpkeep(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('setup')
    .description('fetch and prepare Python ahead of the first run')
    .option('--wheels <folder>', 'a folder that holds the wheels, for machines without a network')
    .addHelpText('after', '\nExample:\n  npx sandtable setup')
    .action(async (flags: { wheels?: string }) => {
      const { setupCommand } = await import('./commands/setup.ts');
      await setupCommand(flags, io);
    });
  program
    .command('doctor')
    .description('check Node, the cache, the wheels and the sandbox, with timings')
    .option('--json', 'print the findings as one JSON document')
    .addHelpText('after', '\nExample:\n  npx sandtable doctor')
    .action(async (flags: { json?: boolean }) => {
      const { doctorCommand } = await import('./commands/doctor.ts');
      setExitCode(await doctorCommand(flags.json === true, io));
    });
}
