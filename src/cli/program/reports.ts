import type { Command } from 'commander';
import type { CompareFlags } from '../commands/compare.ts';
import type { Io } from '../io.ts';
import { addReportFlags } from '../report-flags.ts';
import type { SetExitCode } from './set-exit-code.ts';

const OTEL = 'export the run as OpenTelemetry spans too: a file of OTLP/JSON, or the address of a collector';

export function addReports(program: Command, io: Io): void {
  const report = program
    .command('report')
    .description("make a run's report.html anew from its journal")
    .argument('<run>', 'run folder');
  addReportFlags(report)
    .option('--out <file>', 'where to write it (default report.html in the run folder)')
    .option('--otel <file|address>', OTEL)
    .option('--pdf', 'print it as a PDF beside it, with a browser of this machine')
    .addHelpText('after', '\nExample:\n  npx sandtable report reports/20261121-215900-sma-cross-3fa9c1')
    .action(async (run: string, flags: unknown) => {
      const { reportCommand } = await import('../commands/report.ts');
      await reportCommand(run, flags, io);
    });
  program
    .command('compare')
    .description('put runs beside each other; the first is what the others are compared with')
    .argument('<runs...>', 'two or more run folders')
    .option('--json', 'print one JSON document')
    .option('--csv', 'print CSV: a figure a row')
    .option('--md', 'print a Markdown table')
    .option('--html <file>', 'write a page too, with equity and drawdown of all')
    .addHelpText('after', '\nExample:\n  npx sandtable compare reports/*-sma-cross-* --html compared.html')
    .action(async (runs: string[], flags: CompareFlags) => {
      const { compareCommand } = await import('../commands/compare.ts');
      compareCommand(runs, flags, io);
    });
}

export function addTrace(program: Command, io: Io): void {
  program
    .command('trace')
    .description('everything that was seen and done on each bar of a run, as one page')
    .argument('<run>', 'run folder')
    .option('--out <file>', 'where to write it (default trace.html in the run folder)')
    .option('--otel <file|address>', OTEL)
    .addHelpText('after', '\nExample:\n  npx sandtable trace reports/20261121-215900-sma-cross-3fa9c1')
    .action(async (run: string, flags: { out?: string; otel?: string }) => {
      const { traceCommand } = await import('../commands/trace.ts');
      await traceCommand(run, flags, io);
    });
  program
    .command('serve')
    .description('show all runs to the browser of this machine: list, reports, traces, comparisons')
    .argument('[reports]', 'folder that holds run folders', 'reports')
    .option('--port <n>', 'port of 127.0.0.1, 0 for any that is free (default 4180)')
    .addHelpText('after', '\nExample:\n  npx sandtable serve reports')
    .action(async (folder: string, flags: { port?: string }) => {
      const { serveCommand } = await import('../commands/serve.ts');
      await serveCommand(folder, flags, io);
    });
}

export function addExport(program: Command, io: Io): void {
  program
    .command('export')
    .description(
      "write a run's tables as files: trades, equity, fills, orders, decisions, metrics, spine; of a sweep its trials, of a stress test its worlds",
    )
    .argument('<run>', 'run folder')
    .option('--format <format>', 'csv, with decimals as they are, or parquet (default csv)')
    .option('--out <folder>', 'where to write them (default export in the run folder)')
    .option('--tables <name...>', 'only these tables')
    .option('--force', 'write over files that are there')
    .addHelpText(
      'after',
      '\nExamples:\n  npx sandtable export reports/20261121-215900-sma-cross-3fa9c1 --format parquet\n  npx sandtable export reports/20261121-215900-sma-cross-3fa9c1 --tables trades fills --out for-excel',
    )
    .action(async (run: string, flags: unknown) => {
      const { exportCommand } = await import('../commands/export.ts');
      await exportCommand(run, flags, io);
    });
}

export function addQuery(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('query')
    .description(
      'answer SQL over all runs, sweeps, stress tests and studies: tables runs, equity, trades, fills, orders, decisions, metrics, spine, sweeps, trials, stress, arms, comparisons, study_runs; read only',
    )
    .argument('<sql>', 'one statement of DuckDB SQL')
    .option('--reports <folder>', 'where the run folders are (default reports)')
    .option('--json', 'print a JSON array of objects')
    .option('--csv', 'print CSV')
    .option('--timeout <seconds>', 'end the query after this time (default 30)')
    .option('--memory <mb>', 'end the query where it needs more memory, or its answer does (default 1024)')
    .addHelpText(
      'after',
      '\nExamples:\n  npx sandtable query "select runId, sharpe from runs order by sharpe desc"\n  npx sandtable query "select symbol, sum(netPnl) from trades where exitBar is not null group by 1"',
    )
    .action(async (sql: string, flags: Record<string, unknown>) => {
      const { queryCommand } = await import('../commands/query.ts');
      setExitCode(await queryCommand(sql, flags, io));
    });
}
