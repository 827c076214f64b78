import type { Command } from 'commander';
import { addDataFlags, addToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addToolExtraFlags } from '../tool-extra-flags.ts';
import type { SetExitCode } from './set-exit-code.ts';

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

export function addLooking(program: Command, io: Io): void {
  const compute = program
    .command('compute')
    .description('run Python on the bars up to one bar, as an agent would')
    .argument('<python>', 'one expression, or code that sets result');
  addSettingsFlags(addDataFlags(compute))
    .option('--bar <n>', 'bar number from 0 (default the last)')
    .option('--max-result-bytes <n>', 'cap of the result (default 32768)')
    .addHelpText('after', COMPUTE_EXAMPLES)
    .action(async (code: string, flags: unknown) => {
      const { computeCommand } = await import('../commands/tools.ts');
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
      const { listCommand } = await import('../commands/tools.ts');
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
      const { callCommand } = await import('../commands/tools.ts');
      await callCommand(name === undefined ? undefined : { name, arguments: parameters }, flags, io);
    });
}

export function addMcp(program: Command, io: Io, setExitCode: SetExitCode): void {
  const mcp = program
    .command('mcp')
    .description(
      'serve the tools to an MCP client over stdio: it trades bar by bar, and a run folder is left',
    );
  addToolFlags(addToolExtraFlags(addSettingsFlags(addDataFlags(mcp))), 'all but those that must be named')
    .option('--strategy-risk <file>', 'JSON with risk limits, such as {"maxPosition": 0.5}')
    .option(
      '--mask <kinds>',
      'hide symbols,dates,prices or some of them, or change the market too with shape, from the client',
    )
    .option(
      '--project <name>',
      'research project that the look belongs to (default one per strategy and data set)',
    )
    .option('--out <folder>', 'where the run folder goes (default reports)')
    .addHelpText('after', MCP_EXAMPLES)
    .action(async (flags: unknown) => {
      const { mcpCommand } = await import('../commands/mcp.ts');
      setExitCode(await mcpCommand(flags, io));
    });
}
