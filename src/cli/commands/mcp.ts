import { maskedTools } from '../../agents/index.ts';
import { isResult, mergeSettings, readRunSettings } from '../../engine/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { exampleMasker } from '../../masking/index.ts';
import {
  availableData,
  ClientRun,
  checkScriptsAllowed,
  fitWorld,
  loadMcp,
  loadWorldFiles,
  maskFilesFor,
  maskFor,
  openSandbox,
  seenWorld,
  toolExtras,
  unnamedWarning,
} from '../../runner/index.ts';
import {
  DEFAULT_RESULT_BYTES,
  failure,
  needPython,
  offeredTools,
  toolDefinitions,
  toolsFor,
} from '../../toolkit/index.ts';
import { mcpFlagsSchema, missingData, readFlags, settingsAskedFor } from '../flags/flags.ts';
import { extraFaults, readPairs, readRiskFile } from '../flags/tool-flags.ts';
import { type Io, printLine } from '../io.ts';
import { onInterrupt, printing, pythonContext } from '../run-context.ts';

/**
 * `sandtable mcp`: serves Sandtable's trading tools to an MCP client over stdio until the client disconnects.
 * Returns the exit code.
 */
export async function mcpCommand(given: unknown, io: Io): Promise<number> {
  const budgets = readPairs('--budget', (given as { budget?: string[] }).budget);
  const missing = missingData(given as { data?: unknown });
  const flags = readFlags(mcpFlagsSchema, given, 'mcp', [
    ...missing,
    ...budgets.faults,
    ...extraFaults(given),
  ]);
  const extras = toolExtras(flags);
  if (flags.tools !== undefined) toolDefinitions(flags.tools);
  checkScriptsAllowed('This server', flags.tools ?? [], extras.allowScripts);
  const asked = mergeSettings({ risk: readRiskFile(flags.strategyRisk) }, settingsAskedFor(flags));
  const files = await loadWorldFiles(flags, Promise.resolve(asked), asked, printing(io, false));
  const { settings, loaded } = fitWorld(files, readRunSettings(asked));
  const beside = availableData(loaded.pointInTime);
  const tools =
    flags.tools === undefined
      ? offeredTools(beside, loaded.market.symbols.length)
      : toolsFor(flags.tools, beside);
  const mask = maskFor({ kind: 'mcp', file: '' }, flags.mask, loaded, settings);
  const manuals = toolDefinitions(tools);
  const definitions = maskedTools(manuals, mask && exampleMasker(mask));
  const seen =
    mask === undefined
      ? extras
      : toolExtras(flags, undefined, maskFilesFor(mask, loaded, undefined, settings));
  // Masks the data (disguises names, dates or prices) before Python and the session start, so that errors in
  // the mask are reported immediately.
  const view = seenWorld(loaded, settings, mask);
  const unnamed = unnamedWarning(mask, loaded);
  if (unnamed !== undefined) printLine(io.stderr, `warning: ${unnamed}`);
  // Python starts while the client connects.
  const sandbox = needPython(tools)
    ? openSandbox(pythonContext(io, false), { seed: settings.seed, paranoid: flags.paranoid === true })
    : Promise.resolve(undefined);
  sandbox.then((opened) => opened?.start()).catch(() => undefined);
  const { LineTransport, createMcpServer } = await loadMcp();
  const run = new ClientRun({
    loaded,
    view,
    mask,
    extras: seen,
    toolkit: {
      tools,
      budgets: budgets.pairs,
      resultBytes: flags.maxResultBytes ?? DEFAULT_RESULT_BYTES,
    },
    sandbox,
    outFolder: flags.out ?? 'reports',
    project: flags.project,
    client() {
      const client = server.getClientVersion();
      return client === undefined ? null : `${client.name} ${client.version}`;
    },
  });
  const server = createMcpServer(definitions, (name, parameters) =>
    run.call(name, parameters).catch((error: unknown) => {
      printLine(io.stderr, `error: ${messageOf(error)}`);
      return failure('The server cannot continue this run.', 'See the messages of the server for the cause.');
    }),
  );
  const gone = clientGone(io);
  try {
    await server.connect(new LineTransport(io.stdin, io.stdout));
    await gone.promise;
    const end = await run.close();
    if (end === undefined) return 0;
    const { summary, folder, finished, notes } = end;
    for (const note of notes) printLine(io.stderr, `note: ${note}`);
    printLine(io.stderr, `${summary.outcome} after ${summary.bars} bars: ${folder}`);
    return finished || isResult(summary.outcome) ? 0 : 1;
  } finally {
    gone.release();
    await server.close();
    io.stdin.destroy();
    await sandbox.then((opened) => opened?.close()).catch(() => undefined);
  }
}

/** Resolves when the client disconnects, or when the process receives a signal to stop. */
function clientGone(io: Io): { readonly promise: Promise<void>; release(): void } {
  const interrupt = onInterrupt();
  const promise = new Promise<void>((resolve) => {
    const gone = (): void => resolve();
    for (const event of ['end', 'close', 'error']) io.stdin.once(event, gone);
    // If the client stops reading, it counts as disconnected. The finished part of the run is still written.
    io.stdout.on('error', gone);
    interrupt.signal.addEventListener('abort', gone, { once: true });
  });
  return { promise, release: () => interrupt.release() };
}
