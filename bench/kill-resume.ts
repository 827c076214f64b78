/**
 * Kills runs of an LLM strategy at random points and resumes them: `node --import tsx bench/kill-resume.ts 50
 * [seed]`. Every journal must end exactly as the journal of the uninterrupted run. No recorded request may be
 * sent again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readScript, type ScriptedModel, type ScriptInput, startScriptedModel } from '../src/agents/index.ts';
import { canonicalJson, requestHash } from '../src/agents/model/wire-parts.ts';
import type { Json } from '../src/engine/index.ts';
import { readEarlier } from '../src/journal/index.ts';
import { createRandom, type Random } from '../src/kernel/index.ts';
import { simulateMarket } from '../src/market/index.ts';

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));

const STRATEGY = `---
model: scripted
base_url: \${OPENAI_BASE_URL}
tools: [market_history, account_status, trade_execute]
schedule: { every_bars: 2 }
rounds: 4
request: { backoff_seconds: 0.001 }
prices: { input: 1, output: 2 }
---
Trade {{symbols}} on {{date}}.
`;

const SCRIPT = {
  steps: [
    // Each step is selected by the content of a request and can be used any number of times. A step for a
    // single use could be used up by a request whose reply is lost in a kill.
    {
      when: { round: 1 },
      times: 'any' as const,
      reply: {
        tool_calls: [
          { name: 'market_history', arguments: { bars: 3 } },
          { name: 'account_status' },
          { name: 'trade_execute', arguments: { action: 'buy', quantity: 1, reason: 'one more' } },
        ],
      },
    },
    { when: { round: 2 }, times: 'any' as const, reply: { text: 'Bought one.' } },
  ],
};

/** Strategy to kill, and the script of its model. */
export interface ToKill {
  readonly strategy: string;
  readonly script: ScriptInput;
}

const ONE_PROMPT: ToKill = { strategy: STRATEGY, script: SCRIPT };

/** Strategy with several roles. Requests on the same bar are distinguished by role and round. */
export const DESK_TO_KILL: ToKill = {
  strategy: `---
model: scripted
base_url: \${OPENAI_BASE_URL}
tools: []
schedule: { every_bars: 4 }
request: { backoff_seconds: 0.001 }
prices: { input: 1, output: 2 }
roles:
  bull: {}
  bear: {}
  trader: { tools: [trade_execute] }
  risk: {}
flow: [{ debate: [bull, bear], rounds: 2 }, trader, { veto: risk, again: 1 }]
---
# bull
You are glad.
# bear
You are sad.
# trader
You trade {{symbols}} on {{date}}.
# risk
You watch.
`,
  script: {
    steps: [
      {
        when: { contains: 'You trade', round: 1 },
        times: 'any',
        reply: { tool_calls: [{ name: 'trade_execute', arguments: { action: 'buy', quantity: 1 } }] },
      },
      {
        when: { contains: ['You watch', 'once more'] },
        times: 'any',
        reply: { text: '{"approve": true, "reason": "well"}' },
      },
      {
        when: { contains: 'You watch' },
        times: 'any',
        reply: { text: '{"approve": false, "reason": "no"}' },
      },
      { times: 'any', reply: { text: 'So it is.' } },
    ],
  },
};

export interface KillReport {
  readonly kills: number;
  readonly exchanges: number;
  /** Descriptions of problems. Empty without problems. */
  readonly problems: readonly string[];
}

/**
 * Kills a run `kills` times, resumes it to its end and compares the result.
 *
 * @param folder an empty folder
 */
export async function killAndResume(
  folder: string,
  kills: number,
  seed: number,
  { strategy, script }: ToKill = ONE_PROMPT,
): Promise<KillReport> {
  const random = createRandom(seed, 'kills');
  writeInputs(folder, strategy);
  const reference = await startScriptedModel(readScript(script));
  await finished(
    sandtable(['run', 'llm-kill.md', '--data', 'prices.csv', '--out', 'whole', '--quiet'], folder, reference),
  );
  const asked = reference.calls.length;
  await reference.close();
  const whole = readFileSync(join(onlyRun(join(folder, 'whole')), 'journal.jsonl'), 'utf8');
  const wholeExchanges = whole.split('\n').filter((line) => line.startsWith('{"type":"model_called"')).length;

  const problems: string[] = [];
  const model = await startScriptedModel(readScript(script));
  const first = ['run', 'llm-kill.md', '--data', 'prices.csv', '--out', 'killed', '--quiet'];
  let recorded = new Set<string>();
  for (let kill = 0; kill <= kills; kill++) {
    const before = model.calls.length;
    const run = existsSync(join(folder, 'killed')) ? usableRun(join(folder, 'killed')) : undefined;
    const words = run === undefined ? first : ['resume', run, '--quiet'];
    const child = sandtable(words, folder, model);
    const end = finished(child);
    if (kill < kills) await killSomewhere(child, end, model, Math.ceil((1.5 * asked) / (kills + 1)), random);
    const ended = await end;
    if (kill === kills && ended.code !== 0)
      problems.push(`the last resume ended with ${ended.code}: ${ended.stderr}`);
    for (const call of model.calls.slice(before)) {
      const hash = requestHash(canonicalJson(call.body as Json));
      if (recorded.has(hash)) problems.push(`request ${call.request} had been recorded before the kill`);
    }
    const now = existsSync(join(folder, 'killed')) ? usableRun(join(folder, 'killed')) : undefined;
    if (now !== undefined) recorded = recordedIn(join(now, 'journal.jsonl'));
  }
  await model.close();
  const run = usableRun(join(folder, 'killed'));
  if (run === undefined) problems.push('no run was left');
  else if (readFileSync(join(run, 'journal.jsonl'), 'utf8') !== whole) problems.push('the journals differ');
  return { kills, exchanges: wholeExchanges, problems };
}

function writeInputs(folder: string, strategy: string): void {
  const [series] = simulateMarket({ seed: 3, bars: 40, symbols: ['SIM'] }).series;
  const rows = Array.from(series!.time, (time, bar) => {
    const { open, high, low, close, volume } = series!;
    const date = new Date(time).toISOString().slice(0, 10);
    return [date, open[bar], high[bar], low[bar], close[bar], volume[bar]].join(',');
  });
  writeFileSync(join(folder, 'prices.csv'), `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  writeFileSync(join(folder, 'llm-kill.md'), strategy);
}

function sandtable(words: readonly string[], folder: string, model: ScriptedModel): ChildProcess {
  return spawn(process.execPath, [BIN, ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, OPENAI_BASE_URL: model.url },
  });
}

function finished(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (piece: Buffer) => {
    stderr += piece.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

/** Waits for a random number of further requests and a short random time, then kills the process. */
async function killSomewhere(
  child: ChildProcess,
  end: Promise<unknown>,
  model: ScriptedModel,
  most: number,
  random: Random,
): Promise<void> {
  let gone = false;
  end.then(() => {
    gone = true;
  });
  const target = model.calls.length + random.integer(0, most);
  const later = random.next() * 8;
  while (model.calls.length < target && !gone) await pause(1);
  await pause(later);
  child.kill('SIGKILL');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function onlyRun(folder: string): string {
  return join(folder, readdirSync(folder)[0]!);
}

/** Returns the folder of the run. Removes a run that was killed before its first line, as a user would. */
function usableRun(folder: string): string | undefined {
  for (const name of readdirSync(folder)) {
    const journal = join(folder, name, 'journal.jsonl');
    if (existsSync(journal) && readFileSync(journal, 'utf8').includes('\n')) return join(folder, name);
    rmSync(join(folder, name), { recursive: true });
  }
  return undefined;
}

function recordedIn(journal: string): Set<string> {
  return new Set(
    readEarlier(journal).events.flatMap((event) =>
      event.type === 'model_called' && event.reply !== undefined ? [event.request] : [],
    ),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const total = Number(process.argv[2] ?? 50);
  const seed = Number(process.argv[3] ?? 1);
  const perRun = 10;
  for (let done = 0; done < total; done += perRun) {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-kills-'));
    mkdirSync(folder, { recursive: true });
    const report = await killAndResume(folder, Math.min(perRun, total - done), seed + done);
    rmSync(folder, { recursive: true });
    for (const problem of report.problems) process.stdout.write(`  ${problem}\n`);
    process.stdout.write(`${done + report.kills} of ${total} kills, ${report.problems.length} problems\n`);
    if (report.problems.length > 0) process.exitCode = 1;
  }
}
