import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sandtable } from '../../test/support/sandtable.ts';
import { TOOL_NAMES, toolDefinitions } from '../toolkit/index.ts';

describe('help', () => {
  it.each([
    ['', ['First steps:', 'run', 'compute', 'tools', 'data', 'setup', 'doctor']],
    ['run', ['Examples:', '--data', '--cash', '--commission', '--param', '--json']],
    ['compute', ['Examples:', '--bar', '--max-result-bytes']],
    ['tools', ['list', 'call']],
    ['tools list', ['--json']],
    ['tools call', ['Examples:', 'JSON lines', '--bar']],
    ['data', ['Examples:', 'check', 'simulate']],
    ['data check', ['Examples:', '--allow-gaps', '--json']],
    ['data simulate', ['Examples:', '--regime', '--seed']],
    ['setup', ['Example:', '--wheels']],
    ['doctor', ['Example:', '--json']],
  ])('of “%s” goes to stdout and lists the commands or flags', async (command, words) => {
    const { exitCode, stdout, stderr } = await sandtable([...command.split(' ').filter(Boolean), '--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const word of words) expect(stdout).toContain(word);
  });

  describe.each(['run', 'sweep', 'stress', 'mcp', 'compute'])('of %s', (command) => {
    it('has at most 60 lines: purpose, three examples, twelve flags, and a reference to all flags', async () => {
      const { stdout } = await sandtable([command, '--help']);
      expect(stdout.split('\n').length).toBeLessThanOrEqual(60);
      expect(stdout.match(/^ {2}npx sandtable /gm)).toHaveLength(3);
      expect(stdout.indexOf('Examples:')).toBeLessThan(stdout.indexOf('--data'));
      const flags = stdout.match(/^ {2}--[a-z-]+/gm)!.map((flag) => flag.trim());
      expect(flags.pop()).toBe('--help-all');
      expect(flags).toHaveLength(12);
    });

    it('with --help-all shows all flags in groups', async () => {
      const brief = await sandtable([command, '--help']);
      const { exitCode, stdout, stderr } = await sandtable([command, '--help-all']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/^Account:$[\s\S]*^ {2}--currency <code>[\s\S]*^Costs:$/m);
      const count = Number(/show all (\d+) flags/.exec(brief.stdout)?.[1]);
      // The short help states the number of all flags without `--help-all`.
      expect(stdout.match(/^ {2}--[a-z-]+/gm)).toHaveLength(count + 1);
      for (const [flag] of brief.stdout.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(flag);
    });
  });

  it.each([
    [['rn'], 'Did you mean run?'],
    [['data', 'chek'], 'Did you mean check?'],
    [['run', 'x.ts', '--commision', '0.1'], 'Did you mean --commission?'],
    [['run', 'x.ts', '--participaton', '0.1'], 'Did you mean --participation?'],
    [['mcp', '--strategy-risc', 'x'], 'Did you mean --strategy-risk?'],
  ])('suggests the closest word for %j', async (argv, suggestion) => {
    const { exitCode, stderr } = await sandtable(argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(suggestion);
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await sandtable(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('tools list', () => {
  it('prints the definitions as one JSON document or as text', async () => {
    const asJson = await sandtable(['tools', 'list', '--json']);
    expect(JSON.parse(asJson.stdout)).toEqual(JSON.parse(JSON.stringify(toolDefinitions(TOOL_NAMES))));
    const { stdout, exitCode } = await sandtable(['tools', 'list']);
    expect(exitCode).toBe(0);
    for (const { function: tool } of toolDefinitions(TOOL_NAMES))
      expect(stdout).toMatch(
        new RegExp(`^${tool.name}(?: {3}\\((?:only )?(?:if|in runs) [^\\n]+\\))?\n {2}`, 'm'),
      );
  });
});
