import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sandtable } from '../../test/support/sandtable.ts';
import { TOOL_NAMES, toolDefinitions } from '../toolkit/index.ts';

describe('help', () => {
  it.each([
    ['', ['First steps:', 'run', 'compute', 'tools', 'data', 'setup', 'doctor']],
    ['run', ['Examples:', '--data', '--cash', '--commission', '--param', '--json', '--quiet', '--lookback']],
    ['compute', ['Examples:', '--bar', '--max-result-bytes']],
    ['tools', ['list', 'call']],
    ['tools list', ['--json']],
    ['tools call', ['Examples:', 'JSON lines', '--bar']],
    ['data', ['Examples:', 'check', 'simulate']],
    ['data check', ['Examples:', '--allow-gaps', '--json']],
    ['data simulate', ['Examples:', '--regime', '--seed']],
    ['setup', ['Example:', '--wheels']],
    ['doctor', ['Example:', '--json']],
  ])('of “%s” goes to stdout and names what there is', async (command, words) => {
    const { exitCode, stdout, stderr } = await sandtable([...command.split(' ').filter(Boolean), '--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const word of words) expect(stdout).toContain(word);
  });

  it('has a version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await sandtable(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('tools list', () => {
  it('is the definitions as one JSON document, or a text to read', async () => {
    const asJson = await sandtable(['tools', 'list', '--json']);
    expect(JSON.parse(asJson.stdout)).toEqual(JSON.parse(JSON.stringify(toolDefinitions(TOOL_NAMES))));
    const { stdout, exitCode } = await sandtable(['tools', 'list']);
    expect(exitCode).toBe(0);
    for (const { function: tool } of toolDefinitions(TOOL_NAMES))
      expect(stdout).toMatch(
        new RegExp(`^${tool.name}(?: {3}\\((?:only )?(?:where|in runs) [^\\n]+\\))?\n {2}`, 'm'),
      );
  });
});
