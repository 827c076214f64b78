import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';
import { sampled } from '../../test/support/depth.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { readScript, startScriptedModel } from '../agents/index.ts';
import { builtPlace } from '../kernel/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hasPython = (await findTestRuntime()) !== undefined;

const KEYS = {
  OPENAI_API_KEY: 'sk-model-0123456789',
  OTHER_API_KEY: 'sk-other-0123456789',
  AWS_SECRET_ACCESS_KEY: 'sk-store-0123456789',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=sk-spans-0123456789',
};
const SECRET = /sk-\w+-0123456789/;

const STRATEGIES = {
  'a prompt with Python': {
    name: 'trader.md',
    code: `---
model: scripted
base_url: \${OPENAI_BASE_URL}
schedule: { every_bars: 2 }
tools: [compute, exec_code]
---
Trade {{symbols}}.
`,
    flags: [],
  },
  'a sealed strategy that asks for Python': {
    name: 'rule.ts',
    code: `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'rule', summary: '', tools: ['compute'],
  async onBar({ bar, record }, { compute }) { record({ type: 'note', bar, text: String(await compute('len(df)')) }); } });`,
    flags: ['--seal'],
  },
} as const;

/** Reads a file of /proc. Empty if the process has ended. */
function proc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Descendants of a process. */
function descendants(root: number): string[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [pid, / \d+ /.exec(proc(pid, 'stat').split(') ')[1] ?? '')?.[0].trim()] as const);
  const found = [String(root)];
  for (const parent of found)
    found.push(...parents.flatMap(([pid, of]) => (of === parent && !found.includes(pid) ? [pid] : [])));
  return found.slice(1);
}

function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.skipIf(!buildIsHere() || !hasPython || process.platform !== 'linux')(
  'a key in the environment',
  () => {
    it.each(sampled(Object.entries(STRATEGIES), 2))(
      'of %s is not passed to any process, file or page',
      async (_, { name, code, flags }) => {
        const seen: { readonly line: string; readonly environment: string }[] = [];
        let root = 0;
        let hadKey = false;
        const look = (): void => {
          const own = proc(String(root), 'cmdline');
          // The command itself has the key in its environment. Finding it there proves that the search works.
          hadKey ||= SECRET.test(proc(String(root), 'environ'));
          seen.push({ line: `${own} ${proc(String(root), 'comm')}`, environment: '' });
          for (const pid of descendants(root)) {
            const line = proc(pid, 'cmdline');
            const environment = proc(pid, 'environ');
            // A forked process that has not started its program yet is a copy of its parent and is skipped.
            if (line !== own && line !== '') seen.push({ line: `${line} ${proc(pid, 'comm')}`, environment });
          }
        };
        const tool_calls = [
          { name: 'compute', arguments: { code: 'import os\nos.environ' } },
          { name: 'compute', arguments: { code: 'len(df)' } },
          { name: 'exec_code', arguments: { source: 'print(1)' } },
        ];
        const script = {
          api_key: KEYS.OPENAI_API_KEY,
          steps: [
            { when: { round: 1 }, times: 'any', reply: { tool_calls } },
            { times: 'any', reply: { text: 'Hold.' } },
          ],
        } as const;
        const model = await startScriptedModel(readScript(script));
        const place = mkdtempSync(join(folder, 'run-'));
        const bars = Array.from(
          { length: 6 },
          (_none, day) => `2024-01-0${day + 1},10,12,9,${10 + (day % 2)},1000\n`,
        );
        writeFileSync(join(place, 'acme.csv'), `date,open,high,low,close,volume\n${bars.join('')}`);
        writeFileSync(join(place, name), code);
        const sandtable = async (...words: readonly string[]): Promise<string> => {
          const child = spawn(process.execPath, [fileURLToPath(builtPlace('cli/bin.js')), ...words], {
            cwd: place,
            env: { ...process.env, ...KEYS, OPENAI_BASE_URL: model.url },
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          root = child.pid!;
          const looking = setInterval(look, 20);
          const ended = new Promise((done) => child.once('close', done));
          const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
          clearInterval(looking);
          expect([words[0], child.exitCode], errors).toEqual([words[0], 0]);
          return out + errors;
        };
        try {
          const printed = [await sandtable('run', name, ...flags, '--data', 'acme.csv', '--out', 'runs')];
          const run = join('runs', readdirSync(join(place, 'runs'))[0]!);
          printed.push(await sandtable('report', run), await sandtable('trace', run));
          for (const [at, words] of printed.entries()) expect([at, SECRET.exec(words)]).toEqual([at, null]);
          const files = filesIn(place);
          expect(files.some((file) => file.endsWith('trace.html'))).toBe(true);
          for (const file of files)
            expect([file, SECRET.exec(readFileSync(file, 'latin1'))]).toEqual([file, null]);
          // Proves that the search has seen the child process that runs the code of the strategy or of the
          // tool calls.
          const other = name === 'rule.ts' ? '--expose-internals' : 'sandbox/child/main.js';
          expect(seen.some(({ line }) => line.includes(other))).toBe(true);
          expect(hadKey).toBe(true);
          for (const { line, environment } of seen) {
            expect([line.slice(0, 100), SECRET.exec(line)]).toEqual([line.slice(0, 100), null]);
            expect([line.slice(0, 100), SECRET.exec(environment)]).toEqual([line.slice(0, 100), null]);
          }
        } finally {
          await model.close();
        }
      },
    );
  },
);
