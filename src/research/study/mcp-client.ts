import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isResult } from '../../engine/index.ts';
import { builtPlace } from '../../kernel/index.ts';
import { jsonText, readWritten, writeWhole } from '../../results/runs/index.ts';
import { type RunOptions, toolExtraOptions, worldOptions } from '../../runner/index.ts';

/** MCP client that trades as an arm of a study. */
export interface McpClient {
  /** Command that starts the client. `{config}` is replaced with the path of the server's configuration. */
  readonly command: string;
  /** Time limit of one run, in seconds. */
  readonly timeoutSeconds: number;
}

/** Inputs of one run in which an MCP client makes the decisions. */
export interface ClientTask {
  readonly client: McpClient;
  readonly options: RunOptions;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the tools that the server offers. `undefined` for the default tools of the server. */
  readonly tools: readonly string[] | undefined;
  /** Folder with all samples (repeated runs) of an arm in a window. `sample` is the number of this run. */
  readonly folder: string;
  readonly sample: number;
}

/** Options of a study that `sandtable mcp` also accepts. */
const SUPPORTED = new Set([
  ...Object.keys(worldOptions),
  ...Object.keys(toolExtraOptions),
  'mask',
  'project',
]);
/** Environment variable with the path of the server's configuration, set for the client. */
const VARIABLE = 'SANDTABLE_MCP_CONFIG';
/** Maximum wait for the server to write its files after the client has ended, in milliseconds. */
const LAST_WRITES = 60_000;
const LOOK = 50;

/** Returns the names of options that cannot be used with an MCP client. */
export function unsupportedOptions(options: RunOptions): string[] {
  return Object.entries(options)
    .filter(
      ([name, value]) => value !== undefined && (!SUPPORTED.has(name) || flagOf(name, value) === undefined),
    )
    .map(([name]) => name);
}

/** Returns an option as command line flags. `undefined` for a value that no flag can express. */
function flagOf(name: string, value: unknown): string[] | undefined {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (value === true) return [`--${flag}`];
  if (value === false) return [`--no-${flag}`];
  if (name === 'mask' && Array.isArray(value)) return ['--mask', value.join(',')];
  if (Array.isArray(value)) return [`--${flag}`, ...value.map(String)];
  return typeof value === 'string' || typeof value === 'number' ? [`--${flag}`, String(value)] : undefined;
}

/**
 * Runs an MCP client. The client reads a configuration file with the command of Sandtable's MCP server,
 * starts the server, and trades. The run folder that the server writes becomes the folder of the sample. An
 * interrupted run is repeated from the beginning.
 *
 * @returns the reason why the run failed. Undefined if the run has a result or was stopped
 */
export async function runClient(
  task: ClientTask,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { folder, sample, client } = task;
  const place = join(folder, `sample-${sample}`);
  if (existsSync(join(place, 'summary.json'))) return outcomeOf(place);
  const staging = join(folder, `.client-${sample}`);
  for (const old of [staging, place]) rmSync(old, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const config = resolve(staging, 'mcp.json');
  const settings = join(staging, 'settings.json');
  writeWhole(settings, jsonText(task.settings));
  writeWhole(config, jsonText(serverOf(task, settings, join(staging, 'out'))));
  const problem = await clientEnd(client, config, { ...environment, [VARIABLE]: config }, signal);
  const run = await writtenRun(join(staging, 'out'));
  if (signal.aborted) return undefined;
  if (typeof run === 'string') {
    rmSync(staging, { recursive: true, force: true });
    return problem === undefined ? run : `${run}. ${problem}`;
  }
  renameSync(run.folder, place);
  rmSync(staging, { recursive: true, force: true });
  return outcomeOf(place);
}

/** Returns the content of the configuration file with which the client starts the server. */
function serverOf({ options, tools }: ClientTask, settings: string, out: string): object {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : (flagOf(name, value) ?? []),
  );
  const offered = tools === undefined ? [] : ['--tools', ...tools];
  const args = [fileURLToPath(builtPlace('cli/bin.js')), 'mcp', ...flags, ...offered];
  return {
    mcpServers: {
      sandtable: {
        command: process.execPath,
        args: [...args, '--no-config', '--settings', resolve(settings), '--out', resolve(out)],
        cwd: process.cwd(),
      },
    },
  };
}

/**
 * Runs a client until it ends. Returns a description of the problem if the client failed. `undefined` if it
 * succeeded.
 */
async function clientEnd(
  { command, timeoutSeconds }: McpClient,
  config: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  // The command is split into words here and does not run in a shell. Quotes group words. The path of the
  // configuration contains no quotes.
  const [program = '', ...words] = command
    .trim()
    .split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((word) => word.replace(/^"(.*)"$/, '$1').replaceAll('{config}', config));
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
    env,
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-1_000);
  });
  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGTERM');
    } catch {
      // The error means that no process of the group is running any more, so nothing remains to be ended.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, timeoutSeconds * 1_000);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const ended = await new Promise<string | undefined>((done) => {
    child.once('error', (error) => done(`the client could not be started: ${error.message}`));
    child.once('exit', (code, by) =>
      done(
        code === 0 ? undefined : `the client ended with ${code === null ? `signal ${by}` : `code ${code}`}`,
      ),
    );
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', kill);
  if (isLate) return `the client took longer than ${timeoutSeconds} s`;
  const lastWords = errors.trim().replaceAll(/\s+/g, ' ').slice(-200);
  return ended === undefined || lastWords === '' ? ended : `${ended}: ${lastWords}`;
}

/**
 * Waits until the server has written its run. Returns a description of the problem if there is not exactly
 * one run.
 */
async function writtenRun(out: string): Promise<{ readonly folder: string } | string> {
  const folders = existsSync(out)
    ? readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  const [first] = folders;
  if (first === undefined) return 'the client called no tool, so there is no run';
  if (folders.length > 1) return `the client made ${folders.length} runs, and one was expected`;
  const folder = join(out, first.name);
  const until = Date.now() + LAST_WRITES;
  while (!existsSync(join(folder, 'manifest.json')) && Date.now() < until) await sleep(LOOK);
  return existsSync(join(folder, 'manifest.json')) ? { folder } : 'the server did not finish its files';
}

const summarySchema = z.looseObject({ outcome: z.string() });

function outcomeOf(place: string): string | undefined {
  const { outcome } = readWritten(join(place, 'summary.json'), summarySchema, (problem) => ({
    code: 'bad_study',
    message: `${place}: summary.json: ${problem}.`,
    hint: 'Remove the folder, and resume the study.',
  }));
  return isResult(outcome as Parameters<typeof isResult>[0])
    ? undefined
    : `the client ended before the last bar (${outcome})`;
}
