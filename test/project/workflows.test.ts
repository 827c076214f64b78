import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../docs/blocks.ts';
import { inDepth } from '../support/depth.ts';

/** The parser imports JSON in a way that Node refuses, so it is bundled first. */
const place = mkdtempSync(join(tmpdir(), 'sandtable-workflows-'));
const outfile = join(place, 'parser.cjs');
buildSync({
  stdin: { contents: "export * from '@actions/workflow-parser'", resolveDir: ROOT },
  bundle: true,
  platform: 'node',
  outfile,
});
const { NoOperationTraceWriter, parseWorkflow } = createRequire(import.meta.url)(
  outfile,
) as typeof import('@actions/workflow-parser');
rmSync(place, { recursive: true });

const folder = `${ROOT}.github/workflows`;
const files = readdirSync(folder);

const workflowSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ name: z.string().optional(), run: z.string().optional() })) }),
  ),
});
const commandsOf = (file: string): string[] =>
  Object.values(workflowSchema.parse(parse(readFileSync(`${folder}/${file}`, 'utf8'))).jobs).flatMap(
    ({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
  );
const errorsOf = (name: string, content: string): string[] =>
  parseWorkflow({ name, content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);

describe.each(files)('the workflow %s', (file) => {
  const content = readFileSync(`${folder}/${file}`, 'utf8');

  it('conforms to the schema of GitHub', () => {
    expect(errorsOf(file, content)).toEqual([]);
    expect(errorsOf(file, content.replace('runs-on:', 'runs_on:'))).not.toEqual([]);
  });

  it('runs only npm scripts and files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: object };
    const commands = commandsOf(file).join('\n');
    const named = [...commands.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    const paths = [...commands.matchAll(/(?:^|\s)(\.ci\/[\w.-]+)/gm)].map(([, path]) => path!);
    expect(named.length + paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(existsSync(`${ROOT}${path}`), path).toBe(true);
  });
});

describe('steps of the workflows', () => {
  it('include commands that this test runs', () => {
    expect(commandsOf('ci.yml')).toContain('node .ci/smoke.js');
    expect(commandsOf('release.yml')).toContain('node .ci/release-check.js "$GITHUB_REF_NAME"');
  });

  it.runIf(inDepth(2) && existsSync(`${ROOT}dist/cli/bin.js`))(
    'use the command line in a folder with a space',
    () => {
      const output = execFileSync(process.execPath, ['.ci/smoke.js'], { cwd: ROOT, encoding: 'utf8' });
      expect(output).toContain('passed: equity.csv of two runs is the same');
      expect(output).toContain('passed: sandtable replay recorded');
    },
  );

  it('refuse a tag that differs from the version', () => {
    const check = (tag: string) =>
      spawnSync(process.execPath, ['.ci/release-check.js', tag], { cwd: ROOT, encoding: 'utf8' });
    const { status, stderr } = check('v99.0.0');
    expect(status).toBe(1);
    expect(stderr).toContain('The tag is "v99.0.0".');
  });
});

describe('files for contributors', () => {
  it('include the Node version, line ends and templates', () => {
    const { engines } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      engines: { node: string };
    };
    const least = Number(/>=(\d+)/.exec(engines.node)?.[1]);
    expect(Number(readFileSync(`${ROOT}.nvmrc`, 'utf8'))).toBeGreaterThanOrEqual(least);
    expect(readFileSync(`${ROOT}.gitattributes`, 'utf8')).toContain('* text=auto eol=lf');
    for (const file of readdirSync(`${ROOT}.github/ISSUE_TEMPLATE`)) {
      const form = parse(readFileSync(`${ROOT}.github/ISSUE_TEMPLATE/${file}`, 'utf8')) as object;
      expect(Object.keys(form)).toContain(file === 'config.yml' ? 'blank_issues_enabled' : 'body');
    }
  });
});
