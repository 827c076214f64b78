import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../pages/index.ts';
import { RunLauncher } from './start-runs.ts';

const STRATEGY =
  "import { defineStrategy } from 'sandtable';\nexport default defineStrategy({ name: 'x' });\n";
const ASKED = {
  command: 'run',
  strategy: 'rules/x.ts',
  data: ['prices.csv'],
  values: { cash: '5000' },
  parameters: { fast: '-3' },
};

let outside: string;
let project: string;
let launcher: RunLauncher;

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'sandtable-launcher-')));
  project = join(outside, 'project');
  mkdirSync(join(project, 'rules'), { recursive: true });
  mkdirSync(join(project, 'reports'));
  mkdirSync(join(project, '.hidden'));
  for (const place of [
    'rules/x.ts',
    '.hidden/y.ts',
    'reports/z.ts',
    '--flag.ts',
    '../secret.ts',
    'rules/x.test.ts',
  ])
    writeFileSync(join(project, place), STRATEGY);
  writeFileSync(join(project, 'rules/none.ts'), 'export const x = 1;\n');
  for (const place of ['prices.csv', '../secret.csv', '--data.csv'])
    writeFileSync(join(project, place), 'date\n');
  symlinkSync(join(outside, 'secret.ts'), join(project, 'rules/link.ts'));
  symlinkSync(outside, join(project, 'rules/up'));
  const { stdin, stdout, stderr } = process;
  launcher = new RunLauncher('reports', project, { stdin, stdout, stderr, env: {} });
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

describe('the form for starting runs', () => {
  it('offers strategies and data of the project, without links, hidden folders or names like flags', () => {
    const { strategies, data } = launcher.choices();
    expect(strategies).toEqual(['rules/x.ts']);
    expect(data).toEqual(['prices.csv']);
  });

  it('shows the command for a request', () => {
    const { command, problem } = launcher.check(ASKED);
    expect(problem).toBe('');
    expect(command).toMatch(/ run rules\/x\.ts --data prices\.csv --cash 5000 --param fast=-3$/);
    const short = launcher.check({ ...ASKED, values: { short: 'true', from: '2020-01-01' }, parameters: {} });
    expect(short.command).toMatch(/ --data prices\.csv --no-short --from 2020-01-01$/);
  });

  it.each([
    [{ strategy: '../secret.ts' }, 'strategy "../secret.ts" is not a file that the form offers'],
    [{ strategy: 'rules/link.ts' }, 'is not a file'],
    [{ strategy: 'rules/up/secret.ts' }, 'is not a file'],
    [{ strategy: '--version' }, 'is not a file'],
    [{ data: ['../secret.csv'] }, 'is not a file'],
    [{ data: ['prices.csv', '--out', 'elsewhere'] }, 'data "--out" is not a file'],
    [{ data: ['*.csv'] }, 'is not a file'],
    [{ data: [] }, 'data is missing'],
    [{ values: { out: '/tmp' } }, 'out is not a field of this form'],
    [{ values: { config: 'x.yaml' } }, 'config is not a field'],
    [{ values: { agent: 'rm -rf .' } }, 'agent is not a field'],
    [{ values: { settings: '/etc/passwd' } }, 'settings is not a field'],
    [{ values: { trials: '5' } }, 'trials is not a field'],
    [{ values: { cash: '-1' } }, '--cash'],
    [{ values: { cash: '5\n--out=x' } }, 'control character'],
    [{ parameters: { '--out': 'x' } }, '--out is not the name of a parameter'],
    [{ command: 'serve' }, 'command'],
    [{ more: true }, 'Unrecognized key'],
  ])('refuses %j', async (change, message) => {
    expect(launcher.check({ ...ASKED, ...change }).problem).toContain(message);
    await expect(launcher.start({ ...ASKED, ...change })).rejects.toThrow(message);
    expect(readdirSync(join(project, 'reports'))).toEqual(['z.ts']);
  });

  it('loads only strategies from its list', async () => {
    await expect(launcher.parameters('../secret.ts')).rejects.toThrow('is not a file that the form offers');
    await expect(launcher.parameters(['rules/x.ts'])).rejects.toThrow('is not a file that the form offers');
  });
});

describe('a server that can start runs', () => {
  let server: RunningServer;
  const started = async (readOnly: boolean): Promise<void> => {
    server = await startServer({ folder: join(project, 'reports'), port: 0, launcher, readOnly });
  };
  afterEach(() => server.close());

  const ask = async (path: string, headers: Record<string, string>, method = 'POST'): Promise<number> => {
    const body = method === 'POST' ? { body: JSON.stringify(ASKED) } : {};
    return (await fetch(new URL(path, server.url), { method, headers, ...body })).status;
  };
  const token = (): Record<string, string> => ({
    'X-Sandtable-Token': new URL(server.url).hash.slice('#token='.length),
  });

  it('requires the token and its own origin for each start request', async () => {
    await started(false);
    for (const path of ['/api/start', '/api/start/check', '/api/start/parameters', '/api/runs/x/stop']) {
      expect([path, await ask(path, {})]).toEqual([path, 401]);
      expect([path, await ask(path, { ...token(), Origin: 'http://evil.example' })]).toEqual([path, 403]);
    }
    expect(await ask('/api/start', {}, 'GET')).toBe(401);
    expect(await ask('/api/runs/x/request', {}, 'GET')).toBe(401);
    expect(await ask('/api/start', token(), 'GET')).toBe(200);
    expect(await ask('/api/start/check', token(), 'GET')).toBe(405);
    expect(await ask('/api/runs/x/resume', token())).toBe(404);
    expect(await ask('/api/runs/..%2Fsecret/stop', token())).toBe(404);
  });

  it('cannot start or change anything with --read-only', async () => {
    await started(true);
    for (const path of ['/api/start', '/api/start/check', '/api/runs/x/resume'])
      expect([path, await ask(path, token())]).toEqual([path, 403]);
    expect(await ask('/api/runs/x', token(), 'DELETE')).toBe(403);
    const page = await (await fetch(server.url)).text();
    expect(page).not.toContain('id="new-run"');
  });
});
