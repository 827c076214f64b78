import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { fakeSandbox, worldAt } from '../../../test/support/toolkit-world.ts';
import type { Json } from '../../engine/index.ts';
import { createToolkit } from '../toolkit.ts';
import { CappedText, findSkill, SCRIPTS, scriptEnvironment } from './run-script.ts';

const place = mkdtempSync(join(tmpdir(), 'sandtable-skills-'));
const made = spawnSync('python3', ['-m', 'venv', '--without-pip', join(place, 'calculator/venv')], {
  encoding: 'utf8',
});
const hasVenv = process.platform !== 'win32' && made.status === 0;
if (!hasVenv) skipBecause('Scripts were not tested: python3 with venv is missing.');
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Answer = Record<string, Json>;

function tool(timeoutSeconds = 30, allowed = true) {
  const { world } = worldAt(1);
  const toolkit = createToolkit({
    sandbox: fakeSandbox().sandbox,
    tools: ['run_python_script'],
    shared: allowed ? { [SCRIPTS.name]: { skillsFolder: place, timeoutSeconds } } : {},
  });
  return async (script: string, skill_name = 'calculator'): Promise<Answer> =>
    (await toolkit.call('run_python_script', { skill_name, script }, world.turn)) as Answer;
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie has ended and only waits for its parent.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the name and folder of a skill', () => {
  it.each(['../../../etc', '..', '.', '', 'a/b', 'a\\b', 'a..b', 'C:', 'a\u0000b', '/etc'])(
    'may not be %j',
    (name) => {
      expect(findSkill(name, place)).toEqual({
        error: `Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`,
      });
    },
  );

  it('include a venv and an interpreter, in the layout of any system', () => {
    mkdirSync(join(place, 'bare'), { recursive: true });
    mkdirSync(join(place, 'empty/venv'), { recursive: true });
    mkdirSync(join(place, 'windows/venv/Scripts'), { recursive: true });
    writeFileSync(join(place, 'windows/venv/Scripts/python.exe'), '');
    writeFileSync(join(place, 'plain-file'), '');
    expect(findSkill('none', place)).toEqual({ error: "Skill 'none' not found in skills folder" });
    expect(findSkill('plain-file', place)).toEqual({
      error: "Skill 'plain-file' not found in skills folder",
    });
    expect(findSkill('bare', place)).toEqual({
      error: "Skill 'bare' does not have a venv. Cannot execute script.",
    });
    expect(findSkill('empty', place)).toEqual({
      error: "Python interpreter not found in venv for skill 'empty'",
    });
    expect(findSkill('windows', place)).toEqual({
      folder: join(place, 'windows'),
      python: join(place, 'windows/venv/Scripts/python.exe'),
    });
  });
});

it('the environment of scripts contains paths and language, and no secrets', () => {
  const own = {
    PATH: '/bin',
    HOME: '/home/ann',
    LC_ALL: 'C',
    OPENAI_API_KEY: 'sk-1',
    AWS_SECRET_ACCESS_KEY: 'x',
    GITHUB_TOKEN: 'y',
    PYTHONPATH: '/evil',
    PYTHONSTARTUP: '/evil.py',
    LD_PRELOAD: '/evil.so',
    NODE_OPTIONS: '--inspect',
    HTTPS_PROXY: 'http://user:password@proxy',
  };
  expect(scriptEnvironment('/skills/a', '/skills/a/venv/bin/python', own)).toEqual({
    PATH: '/skills/a/venv/bin:/bin',
    HOME: '/home/ann',
    LC_ALL: 'C',
    VIRTUAL_ENV: '/skills/a/venv',
    PYTHONUNBUFFERED: '1',
    PYTHONUTF8: '1',
  });
});

it('truncates text that arrives in pieces, and counts what it drops', () => {
  const text = new CappedText(5);
  for (const byte of Buffer.from('aé😀xyz')) text.add(Buffer.from([byte]));
  expect(text.end()).toBe('aé😀x\n… (cut here: 2 more characters)\n');
  const whole = new CappedText(5);
  whole.add(Buffer.from('12345'));
  expect(whole.end()).toBe('12345');
  const split = new CappedText(1);
  split.add(Buffer.from('😀'));
  expect(split.end()).toBe('\n… (cut here: 1 more characters)\n');
});

it('scripts are refused in a run that does not allow them', async () => {
  expect(await tool(30, false)('print(1)')).toMatchObject({ error: 'Scripts are not allowed in this run.' });
});

describe.skipIf(!hasVenv)('run_python_script', () => {
  it('returns output, exit code and working directory of a real Python', async () => {
    expect(await tool()("result = 2 + 2\nprint(f'Result: {result}')")).toEqual({
      skill_name: 'calculator',
      stdout: 'Result: 4\n',
      stderr: '',
      returncode: 0,
      timed_out: false,
    });
    const answer = await tool()('import os, sys\nprint(os.getcwd())\nprint(sys.prefix)\nsys.exit(3)');
    expect(answer).toMatchObject({ returncode: 3, stderr: '' });
    expect(answer.stdout).toMatch(/calculator\n.*calculator\/venv\n$/);
    expect(await tool()('import os\nos.kill(os.getpid(), 15)')).toMatchObject({ returncode: -15 });
  });

  it('passes no secrets of this process', async () => {
    process.env.SANDTABLE_TEST_TOKEN = 'a secret';
    const answer = await tool()('import os\nprint(dict(os.environ))');
    delete process.env.SANDTABLE_TEST_TOKEN;
    expect(answer.stdout).not.toContain('a secret');
    expect(answer.stdout).toContain('VIRTUAL_ENV');
  });

  it('stops a script and all its processes at its timeout, and returns its output', async () => {
    const script = `import subprocess, sys, time
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])
print(child.pid)
time.sleep(60)`;
    const answer = await tool(1)(script);
    expect(answer).toMatchObject({
      skill_name: 'calculator',
      returncode: -1,
      timed_out: true,
      stderr: '',
      error: 'Script execution exceeded timeout of 1 seconds',
    });
    await sleep(50);
    expect(alive(Number(answer.stdout))).toBe(false);
  });

  it('does not wait for background processes of a script, and stops them', async () => {
    const startedAt = performance.now();
    const answer = await tool()(`import subprocess, sys
print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid)`);
    expect(answer).toMatchObject({ returncode: 0, timed_out: false });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await sleep(50);
    expect(alive(Number(answer.stdout))).toBe(false);
  });

  it('truncates output, also with multi-byte characters', async () => {
    const answer = await tool()("import sys\nprint('x' * 1_000_000)\nsys.stderr.write('é' * 20_000)");
    expect(String(answer.stdout)).toMatch(/^x{10000}\n… \(cut here: 990,001 more characters\)\n$/);
    expect(String(answer.stderr)).toMatch(/^é{10000}\n… \(cut here: 10,000 more/);
    const bytes = await tool()("print('\\x01' * 10_000)");
    expect(bytes).toMatchObject({ returncode: 0 });
    expect(Buffer.byteLength(JSON.stringify(bytes))).toBeLessThan(32_768);
  });

  it('refuses scripts that a process cannot receive', async () => {
    expect((await tool()('x'.repeat(130_000))).error).toMatch(/130,000 bytes, over the limit of 120,000/);
    expect((await tool()('print("\u0000")')).error).toMatch(/null character/);
  });

  it('reports that Python may not be executed', async () => {
    mkdirSync(join(place, 'closed/venv/bin'), { recursive: true });
    writeFileSync(join(place, 'closed/venv/bin/python'), '#!/bin/sh\n');
    chmodSync(join(place, 'closed/venv/bin/python'), 0o644);
    expect((await tool()('1', 'closed')).error).toBe("Permission denied executing script in skill 'closed'");
    mkdirSync(join(place, 'broken/venv/bin'), { recursive: true });
    writeFileSync(join(place, 'broken/venv/bin/python'), '#!/no/such/program\n', { mode: 0o755 });
    expect((await tool()('1', 'broken')).error).toMatch(/^Error executing script: /);
  });

  it('runs a venv with the Windows layout', async () => {
    mkdirSync(join(place, 'scripts-layout/venv/Scripts'), { recursive: true });
    symlinkSync(
      join(place, 'calculator/venv/bin/python'),
      join(place, 'scripts-layout/venv/Scripts/python.exe'),
    );
    expect(await tool()('print(1)', 'scripts-layout')).toMatchObject({ stdout: '1\n', returncode: 0 });
  });
});
