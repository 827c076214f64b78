import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Json, type RunEvent, readRunSettings, World } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import { loadMarket } from '../../market/index.ts';
import { createToolkit, DEFAULT_RESULT_BYTES, type Toolkit, toolDefinitions } from '../../toolkit/index.ts';
import { loadOptions, missingData, readFlags, runSettings, worldFlagsSchema } from '../flags.ts';
import { type Io, printLine } from '../io.ts';
import { openSandbox } from '../python.ts';
import { extraFaults, toolExtras } from '../tool-extras.ts';

/** `sandtable compute`: one call of the tool, its result on stdout. */
export async function computeCommand(code: string, given: unknown, io: Io): Promise<void> {
  await withWorld('compute', given, io, async (world, toolkit) => {
    const result = await toolkit.call('compute', { code }, world.turn);
    printLine(io.stdout, JSON.stringify(result));
  });
}

/** `sandtable tools list`. */
export function listCommand(asJson: boolean, io: Io): void {
  const definitions = toolDefinitions();
  if (asJson) {
    printLine(io.stdout, JSON.stringify(definitions, null, 2));
    return;
  }
  const texts = definitions.map(({ function: tool }) => `${tool.name}\n${indent(tool.description)}`);
  printLine(io.stdout, texts.join('\n\n'));
}

const callSchema = z.strictObject({ name: z.string(), arguments: z.unknown().optional() });

/** `sandtable tools call`: a JSON line in, a JSON line out, all in one world. */
export async function callCommand(given: unknown, io: Io): Promise<void> {
  await withWorld('tools call', given, io, async (world, toolkit) => {
    for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue;
      printLine(io.stdout, JSON.stringify(await answerLine(line, world, toolkit)));
    }
  });
}

async function answerLine(line: string, world: World, toolkit: Toolkit): Promise<Json> {
  const remediation = 'Send lines such as {"name": "market_observe", "arguments": {}}.';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: 'The line is not JSON.', remediation };
  }
  const call = callSchema.safeParse(value);
  if (!call.success) return { error: 'The line is no tool call: it needs name and arguments.', remediation };
  return toolkit.call(call.data.name, call.data.arguments, world.turn);
}

type WorldWork = (world: World, toolkit: Toolkit) => Promise<void>;

async function withWorld(command: string, given: unknown, io: Io, work: WorldWork): Promise<void> {
  const flags = readFlags(worldFlagsSchema, given, command, [
    ...missingData(given as { data?: unknown }),
    ...extraFaults(given),
  ]);
  const { shared } = toolExtras(flags);
  const { market } = await loadMarket(loadOptions(flags));
  const settings = readRunSettings(runSettings(flags));
  const bar = flags.bar ?? market.clock.length - 1;
  if (bar >= market.clock.length) {
    throw new AppError({
      code: 'bar_out_of_range',
      message: `There is no bar ${bar}: the data have ${market.clock.length} bars, numbered from 0.`,
      remedy: `Give --bar at most ${market.clock.length - 1}.`,
    });
  }
  const world = new World(market, settings, (_: RunEvent) => undefined);
  for (let walked = 0; walked <= bar; walked++) {
    world.reveal();
    world.fill();
    world.markToMarket();
  }
  const sandbox = await openSandbox(io, false, { seed: settings.seed, spares: 0 });
  try {
    await work(
      world,
      createToolkit({ sandbox, shared, resultBytes: flags.maxResultBytes ?? DEFAULT_RESULT_BYTES }),
    );
  } finally {
    await sandbox.close();
  }
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
