import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type Json, type RunSettings, readRunSettings, World } from '../../engine/index.ts';
import { AppError, parseJsonInput } from '../../kernel/index.ts';
import {
  availableData,
  fitWorld,
  loadWorldFiles,
  movedAnswer,
  nextBarTool,
  openSandbox,
  toolExtras,
} from '../../runner/index.ts';
import {
  argumentsFor,
  createToolkit,
  DEFAULT_RESULT_BYTES,
  needPython,
  offerText,
  RecentEvents,
  TOOL_NAMES,
  type Toolkit,
  toolDefinitions,
  toolsFor,
} from '../../toolkit/index.ts';
import { missingData, readFlags, settingsAskedFor, worldFlagsSchema } from '../flags/flags.ts';
import { extraFaults, readPairs } from '../flags/tool-flags.ts';
import { type Io, printLine } from '../io.ts';
import { printing, pythonContext } from '../run-context.ts';

const [NEWLINE, RETURN] = [10, 13];

/** Line that exceeds the length limit. Its content was not stored. */
interface SkippedLine {
  readonly bytes: number;
}

/**
 * Yields the lines of a stream without line ends. For a line of more than `limit` bytes, yields only its
 * length. The content of such a line is never buffered.
 */
export async function* limitedLines(input: Readable, limit: number): AsyncGenerator<string | SkippedLine> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > limit) pieces = [];
    else pieces.push(piece);
  };
  const finish = (): string | SkippedLine => {
    const line = Buffer.concat(pieces);
    const whole =
      bytes > limit ? { bytes } : line.toString('utf8', 0, line.length - Number(line.at(-1) === RETURN));
    pieces = [];
    bytes = 0;
    return whole;
  };
  for await (const chunk of input) {
    const received = Buffer.from(chunk as Buffer | string);
    let from = 0;
    for (let end = received.indexOf(NEWLINE); end >= 0; end = received.indexOf(NEWLINE, from)) {
      take(received.subarray(from, end));
      yield finish();
      from = end + 1;
    }
    take(received.subarray(from));
  }
  if (bytes > 0) yield finish();
}

/** `sandtable compute`: calls the tool `compute` once and prints the result on stdout. */
export async function computeCommand(code: string, given: unknown, io: Io): Promise<void> {
  await withWorld('compute', given, io, async (world, toolkit) => {
    const result = await toolkit.call('compute', { code }, world.turn);
    printLine(io.stdout, JSON.stringify(result));
  });
}

/** `sandtable tools list`: prints the names and manuals of the tools that a model or an agent can call. */
export function listCommand(
  names: readonly string[],
  flags: { readonly json?: boolean; readonly strict?: boolean },
  io: Io,
): void {
  const strict = flags.strict === true;
  const definitions = toolDefinitions(names.length === 0 ? TOOL_NAMES : names, { strict });
  if (flags.json === true || strict) {
    printLine(io.stdout, JSON.stringify(definitions, null, 2));
    return;
  }
  const texts = definitions.map(({ function: { name, description } }) => {
    const where = offerText(name);
    return `${name}${where === undefined ? '' : `   (${where})`}\n${indent(description)}`;
  });
  printLine(io.stdout, texts.join('\n\n'));
}

const MEGABYTE = 1024 * 1024;
/**
 * Maximum length in bytes of a line that `sandtable tools call` reads from stdin. `sandtable mcp` has the
 * same limit.
 */
const LONGEST_LINE = 16 * MEGABYTE;

const callSchema = z.strictObject({ name: z.string(), arguments: z.unknown().optional() });

/**
 * `sandtable tools call`: makes one call given on the command line, or one call for each line of JSON on
 * stdin. Prints each result as a line of JSON. All calls use the same market, account and Python session.
 */
export async function callCommand(
  one: { readonly name: string; readonly arguments: string | undefined } | undefined,
  given: unknown,
  io: Io,
): Promise<void> {
  await withWorld('tools call', given, io, async (world, toolkit, { fillOn }) => {
    const since = new RecentEvents();
    const call = (name: string, parameters: unknown): Promise<Json> | Json =>
      name === nextBarTool.name
        ? nextBar(world, since, fillOn === 'close', parameters)
        : toolkit.call(name, parameters, world.turn);
    if (one !== undefined) {
      printLine(io.stdout, JSON.stringify(await call(one.name, one.arguments)));
      return;
    }
    for await (const line of limitedLines(io.stdin, LONGEST_LINE)) {
      if (typeof line !== 'string') printLine(io.stdout, JSON.stringify(lineTooLong(line.bytes)));
      else if (line.trim() !== '') printLine(io.stdout, JSON.stringify(await answerLine(line, call)));
    }
  });
}

function lineTooLong(bytes: number): Json {
  const limit = `${LONGEST_LINE / MEGABYTE} MB`;
  return {
    error: `The line has ${bytes.toLocaleString('en-US')} bytes; the limit is ${limit}.`,
    remediation: 'Send shorter arguments. No tool needs more than a few kilobytes.',
  };
}

async function answerLine(
  line: string,
  callTool: (name: string, parameters: unknown) => Promise<Json> | Json,
): Promise<Json> {
  const remediation = 'Send lines such as {"name": "market_observe", "arguments": {}}.';
  let value: unknown;
  try {
    value = parseJsonInput(line);
  } catch {
    return { error: 'The line is not JSON.', remediation };
  }
  const call = callSchema.safeParse(value);
  if (!call.success)
    return { error: 'The line is not a tool call. Expected the fields name and arguments.', remediation };
  return callTool(call.data.name, call.data.arguments);
}

/**
 * Advances the market by the requested number of bars, like the tool `next_bar` of `sandtable mcp`. The tool
 * calls of a strategy can thus be tried over several bars.
 */
function nextBar(world: World, since: RecentEvents, fillsAtClose: boolean, given: unknown): Json {
  const read = argumentsFor(nextBarTool, given);
  if (!read.ok) return read.failure;
  const { bars } = read.parameters;
  const moved = Math.min(bars, world.length - 1 - world.bar);
  since.decided(world.turn);
  world.since.end();
  for (let bar = 0; bar < moved; bar++) {
    if (fillsAtClose) world.fillAtClose();
    step(world);
  }
  world.since.start();
  return {
    ...movedAnswer(world.turn, moved, since),
    ...(moved < bars ? { note: 'There is no next bar: the data end here.' } : {}),
  };
}

function step(world: World): void {
  world.reveal();
  world.open();
  world.fill();
  world.markToMarket();
  world.checkMargin();
}

type WorldWork = (world: World, toolkit: Toolkit, settings: RunSettings) => Promise<void>;

async function withWorld(command: string, given: unknown, io: Io, work: WorldWork): Promise<void> {
  const budgets = readPairs('--budget', (given as { budget?: string[] }).budget);
  const missing = missingData(given as { data?: unknown });
  const flags = readFlags(worldFlagsSchema, given, command, [
    ...missing,
    ...budgets.faults,
    ...extraFaults(given),
  ]);
  // Tool names are checked before the data are read, so that a misspelt name is reported immediately.
  const named = toolDefinitions(flags.tools ?? TOOL_NAMES).map(({ function: tool }) => tool.name);
  const { shared, arrivals } = toolExtras(flags);
  const asked = settingsAskedFor(flags);
  const files = await loadWorldFiles(flags, Promise.resolve(asked), asked, printing(io, false));
  const { settings, loaded } = fitWorld(files, readRunSettings(asked));
  const { market } = loaded;
  const tools = toolsFor(named, availableData(loaded.pointInTime));
  const bar = flags.bar ?? market.clock.length - 1;
  if (bar >= market.clock.length) {
    throw new AppError({
      code: 'bar_out_of_range',
      message: `Invalid bar ${bar}: the data have ${market.clock.length} bars, numbered from 0.`,
      hint: `Pass a --bar from 0 to ${market.clock.length - 1}.`,
    });
  }
  // The world (market and account of a run) collects events since the last decision only if it has a
  // listener. The tools need these events, so the world gets a listener that does nothing.
  const world = new World(market, settings, () => undefined, { ...loaded, arrivals });
  for (let done = 0; done <= bar; done++) step(world);
  world.since.start();
  const sandbox = needPython(tools)
    ? await openSandbox(pythonContext(io, false), {
        seed: settings.seed,
        spares: 0,
        paranoid: flags.paranoid === true,
      })
    : undefined;
  try {
    const toolkit = createToolkit({
      ...(sandbox === undefined ? {} : { sandbox }),
      tools,
      shared,
      budgets: budgets.pairs,
      resultBytes: flags.maxResultBytes ?? DEFAULT_RESULT_BYTES,
      ...(flags.timing === true
        ? { onTiming: (name, ms) => printLine(io.stderr, `${name}: ${ms.toFixed(3)} ms`) }
        : {}),
    });
    await work(world, toolkit, settings);
  } finally {
    await sandbox?.close();
  }
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
