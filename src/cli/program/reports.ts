import { type Command, Option } from 'commander';
import type { CompareFlags } from '../commands/compare.ts';
import { addReportFlags } from '../flags/tool-flags.ts';
import type { Io, SetExitCode } from '../io.ts';

const OTEL = 'also export the run as OpenTelemetry spans: an OTLP/JSON file or the address of a collector';

export function addReports(program: Command, io: Io): void {
  const report = program
    .command('report')
    .description("rebuild a run's report.html from its journal")
    .argument('<run>', 'run folder');
  addReportFlags(report)
    .option('--out <file>', 'output file (default report.html in the run folder)')
    .option('--otel <file|address>', OTEL)
    .option('--pdf', 'also print the report as a PDF, with a browser of this machine')
    .option('--embed', 'also write report.embed.html, an HTML fragment for notebooks and documents')
    .option('--svg', 'also write each chart as an SVG file to the folder charts')
    .option('--png', 'also write each chart as a PNG file, with a browser of this machine')
    .addHelpText('after', '\nExample:\n  npx sandtable report reports/20261121-215900-sma-cross-3fa9c1')
    .action(async (run: string, flags: unknown) => {
      const { reportCommand } = await import('../commands/report.ts');
      await reportCommand(run, flags, io);
    });
  program
    .command('compare')
    .description('compare runs; the first run is the baseline')
    .argument('<runs...>', 'two or more run folders')
    .option('--json', 'print one JSON document')
    .option('--csv', 'print CSV: one row per metric')
    .option('--md', 'print a Markdown table')
    .option('--html <file>', 'also write a page with equity and drawdown of all runs')
    .addHelpText('after', '\nExample:\n  npx sandtable compare reports/*-sma-cross-* --html compared.html')
    .action(async (runs: string[], flags: CompareFlags) => {
      const { compareCommand } = await import('../commands/compare.ts');
      compareCommand(runs, flags, io);
    });
}

export function addTrace(program: Command, io: Io): void {
  program
    .command('trace')
    .description('show every decision of a run, bar by bar, on one page')
    .argument('<run>', 'run folder')
    .option('--out <file>', 'output file (default trace.html in the run folder)')
    .option('--otel <file|address>', OTEL)
    .addHelpText('after', '\nExample:\n  npx sandtable trace reports/20261121-215900-sma-cross-3fa9c1')
    .action(async (run: string, flags: { out?: string; otel?: string }) => {
      const { traceCommand } = await import('../commands/report.ts');
      await traceCommand(run, flags, io);
    });
  program
    .command('serve')
    .description('serve all runs to a browser on this machine: list, reports, traces, comparisons')
    .argument('[reports]', 'folder that contains run folders', 'reports')
    .option('--port <n>', 'port on 127.0.0.1; 0 chooses a free port (default 4180)')
    .option('--read-only', 'start, change and delete nothing')
    .addOption(new Option('--parameters-of <strategy>').hideHelp())
    .addHelpText('after', '\nExample:\n  npx sandtable serve reports')
    .action(async (folder: string, flags: object) => {
      const { serveCommand } = await import('../commands/serve.ts');
      await serveCommand(folder, flags, io);
    });
}

export function addExport(program: Command, io: Io): void {
  program
    .command('export')
    .description(
      "write a run's tables as files: trades, equity, fills, orders, decisions, metrics, spine; for a sweep its trials, for a stress test its worlds",
    )
    .argument('<run>', 'run folder')
    .option('--format <format>', 'csv (exact decimals) or parquet (default csv)')
    .option('--out <folder>', 'output folder (default export in the run folder)')
    .option('--tables <name...>', 'tables to export (default all)')
    .option('--force', 'overwrite existing files')
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
      'run SQL over all runs, sweeps, stress tests and studies: tables runs, equity, trades, fills, orders, decisions, metrics, spine, sweeps, trials, stress, arms, comparisons, study_runs; read-only',
    )
    .argument('<sql>', 'one statement of DuckDB SQL')
    .option('--reports <folder>', 'folder of the run folders (default reports)')
    .option('--json', 'print a JSON array of objects')
    .option('--csv', 'print CSV')
    .option('--timeout <seconds>', 'timeout of the query (default 30)')
    .option('--memory <mb>', 'memory limit of the query and its result (default 1024)')
    .addHelpText(
      'after',
      '\nExamples:\n  npx sandtable query "select runId, sharpe from runs order by sharpe desc"\n  npx sandtable query "select symbol, sum(netPnl) from trades where exitBar is not null group by 1"',
    )
    .action(async (sql: string, flags: Record<string, unknown>) => {
      const { queryCommand } = await import('../commands/query.ts');
      setExitCode(await queryCommand(sql, flags, io));
    });
}
