import type { Command } from 'commander';
import { addDataFlags, addToolFlags } from '../flags/flags.ts';
import { addConfigFlags } from '../flags/run-flags.ts';
import { addSettingsFlags } from '../flags/settings-flags.ts';
import { addToolExtraFlags } from '../flags/tool-flags.ts';
import type { Io, SetExitCode } from '../io.ts';
import { addBriefHelp } from './brief-help.ts';

const COMPUTE_HELP = {
  examples: [
    'npx sandtable compute "latest(ta.rsi(df.close, 14))" --data data/spx-daily.csv --bar 100',
    'npx sandtable compute "df.close.pct_change().std()" --data data/spx-daily.csv',
    'npx sandtable compute "df.close.max()" --data data/spx-daily.csv --from 2007-01-01 --to 2008-12-31',
  ],
  flags: [
    '--data',
    '--symbol',
    '--from',
    '--to',
    '--bar',
    '--lookback',
    '--features',
    '--context',
    '--columns',
    '--timezone',
    '--interval',
    '--max-result-bytes',
  ],
};

const TOOLS_EXAMPLES = `
Examples:
  npx sandtable tools list
  npx sandtable tools list market_observe trade_execute --json > tools.json
  npx sandtable tools call market_observe --data data/spx-daily.csv --bar 30`;

const CALL_EXAMPLES = `
Examples:
  npx sandtable tools call indicator_calc '{"name": "rsi"}' --data data/spx-daily.csv --bar 300
  npx sandtable tools call --data data/spx-daily.csv --bar 30 < calls.jsonl
Lines of calls.jsonl: {"name": "market_observe", "arguments": {}}, and {"name": "next_bar"} to advance one bar.`;

const MCP_HELP = {
  examples: [
    'npx sandtable mcp --data data/spx-daily.csv --from 2010-01-01 --cash 50000',
    'npx sandtable mcp --data prices/*.csv --tools market_observe market_history trade_execute --strategy-risk risk.json',
    'npx sandtable mcp --data data/spx-daily.csv --mask symbols,dates --budget compute=5',
  ],
  flags: [
    '--data',
    '--symbol',
    '--from',
    '--to',
    '--cash',
    '--commission',
    '--slippage-bps',
    '--tools',
    '--budget',
    '--mask',
    '--strategy-risk',
    '--out',
  ],
};

export function addLooking(program: Command, io: Io): void {
  const compute = program
    .command('compute')
    .description('run Python on the bars up to one bar, as an agent would')
    .argument('<python>', 'one expression, or code that sets result');
  addConfigFlags(addSettingsFlags(addDataFlags(compute)))
    .option('--bar <n>', 'bar number from 0 (default the last)')
    .option('--max-result-bytes <n>', 'maximum size of the result (default 32768)');
  addBriefHelp(compute, COMPUTE_HELP).action(async (code: string, flags: unknown) => {
    const { computeCommand } = await import('../commands/tools.ts');
    await computeCommand(code, flags, io);
  });
  const tools = program
    .command('tools')
    .description('list or call the tools of an agent')
    .addHelpText('after', TOOLS_EXAMPLES);
  tools
    .command('list')
    .description('print names and descriptions')
    .argument('[name...]', 'tools to list (default all)')
    .option('--json', 'print JSON Schemas in the format of OpenAI-compatible models')
    .option('--strict', "print JSON Schemas for OpenAI's strict mode")
    .addHelpText('after', TOOLS_EXAMPLES)
    .action(async (names: string[], flags: { json?: boolean; strict?: boolean }) => {
      const { listCommand } = await import('../commands/tools.ts');
      listCommand(names, flags, io);
    });
  const call = tools
    .command('call')
    .description(
      'call tools at one bar: one call as arguments, or JSON lines {"name","arguments"} on stdin with one JSON line per result on stdout',
    )
    .argument('[name]', 'name of the tool; if omitted, calls are read from stdin')
    .argument('[arguments]', 'arguments of the tool as JSON');
  addToolFlags(addConfigFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(call)))), 'all there are')
    .option('--bar <n>', 'bar number from 0 (default the last)')
    .option('--timing', 'print the duration of each call to stderr')
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (name: string | undefined, parameters: string | undefined, flags: unknown) => {
      const { callCommand } = await import('../commands/tools.ts');
      await callCommand(name === undefined ? undefined : { name, arguments: parameters }, flags, io);
    });
}

export function addMcp(program: Command, io: Io, setExitCode: SetExitCode): void {
  const mcp = program
    .command('mcp')
    .description(
      'serve the tools to an MCP client over stdio; the client trades bar by bar and a run folder is written',
    );
  addToolFlags(
    addConfigFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(mcp)))),
    'all except those that must be listed explicitly',
  )
    .option('--strategy-risk <file>', 'JSON with risk limits, such as {"maxPosition": 0.5}')
    .option(
      '--mask <kinds>',
      'mask symbols, dates, prices or several of them, or the market itself with shape',
    )
    .option('--project <name>', 'research project of the run (default one per strategy and data set)')
    .option('--out <folder>', 'folder for the run folder (default reports)');
  addBriefHelp(mcp, MCP_HELP).action(async (flags: unknown) => {
    const { mcpCommand } = await import('../commands/mcp.ts');
    setExitCode(await mcpCommand(flags, io));
  });
}
