import { readFileSync } from 'node:fs';
import { packagePlace } from '../../kernel/index.ts';
import { PROJECT_FILE } from '../config/read-config.ts';
import { quoted } from '../print-outcome.ts';

/** Kinds of projects that `sandtable init` writes. */
export const STARTER_KINDS = ['python', 'typescript', 'agent'] as const;
export type StarterKind = (typeof STARTER_KINDS)[number];

const DATA = 'data/spx-daily.csv';

interface Starter {
  /**
   * File name of the strategy or agent in the project. `origin` is the path of the original in this package.
   */
  readonly file: string;
  readonly origin: string;
  readonly test: string;
  /**
   * Lines of the project file that select the strategy or agent. `further` contains lines for the command in
   * `second`.
   */
  readonly selected: string;
  readonly further: string;
  /** Second command that the user should try, without `npx sandtable`. `secondDoes` describes its effect. */
  readonly second: string;
  readonly secondDoes: string;
  readonly docs: string;
}

const STARTERS: Readonly<Record<StarterKind, Starter>> = {
  python: {
    file: 'strategy.py',
    origin: 'strategies/python/rsi_dip.py',
    test: 'test_strategy.py',
    selected: 'strategy: strategy.py',
    further: `sweep:
  from: 2012-01-01
  param:
    low: [30, 35, 40]`,
    second: 'sweep',
    secondDoes: 'compares three parameters',
    docs: 'python-strategies.md',
  },
  typescript: {
    file: 'strategy.ts',
    origin: 'strategies/rsi-reversion.ts',
    test: 'strategy.test.mjs',
    selected: 'strategy: strategy.ts',
    further: `sweep:
  param:
    low: [10, 15, 20]`,
    second: 'sweep',
    secondDoes: 'compares three parameters',
    docs: 'strategies.md',
  },
  agent: {
    file: 'my_agent.py',
    origin: 'docs/examples/my_agent.py',
    test: 'test_agent.py',
    selected: 'agent: python3 my_agent.py',
    further: `profiles:
  masked:
    from: 2019-01-01
    mask: symbols,dates`,
    second: 'run --profile masked',
    secondDoes: 'hides symbols and dates from the agent',
    docs: 'agents.md',
  },
};

/** Command line for a project, with its purpose. */
interface StarterCommand {
  readonly line: string;
  readonly does: string;
}

interface StarterProject {
  /** Content of each file, by its path in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands to run in the project. */
  readonly commands: readonly StarterCommand[];
}

/**
 * Returns the files of a new project, and the commands to try.
 *
 * @param program words that start this program in the project folder, such as `npx sandtable`
 * @param schema JSON Schema of the project file
 */
export function starterProject(
  kind: StarterKind,
  program: readonly string[],
  schema: string,
): StarterProject {
  const { file, origin, test, second, secondDoes, docs } = STARTERS[kind];
  const called = program.map(quoted).join(' ');
  const words = [...program, 'run', '--from', '2019-01-01', '--json'];
  const commands = [
    { line: `${called} run`, does: 'runs a backtest and writes its report' },
    { line: `${called} ${second}`, does: secondDoes },
    {
      line: kind === 'typescript' ? `node --test ${test}` : `python3 -m unittest ${test}`,
      does: 'runs the test',
    },
  ];
  return {
    files: {
      [file]: packaged(origin),
      ...(kind === 'python' ? { 'sandtable.pyi': packaged('src/sandbox/python/sandtable.pyi') } : {}),
      ...(kind === 'typescript' ? { 'tsconfig.json': TYPESCRIPT } : {}),
      [PROJECT_FILE]: projectFile(STARTERS[kind], called),
      [SCHEMA_FILE]: `${schema}\n`,
      [DATA]: packaged(DATA),
      [test]: kind === 'typescript' ? nodeTest(words) : pythonTest(words),
      '.gitignore': 'reports/\nnode_modules/\n__pycache__/\n.env\n',
      'README.md': readme(kind, file, test, docs, commands),
    },
    commands,
  };
}

function packaged(path: string): string {
  return readFileSync(packagePlace(path), 'utf8');
}

const SCHEMA_FILE = 'sandtable.schema.json';

function projectFile({ selected, further }: Starter, called: string): string {
  return `# yaml-language-server: $schema=./${SCHEMA_FILE}
# Settings of sandtable run, sweep and stress in this folder. Flags override them.
# Print the effective settings: ${called} config

${selected}
data: ${DATA}

costs:
  commission: 0.0005 # 0.05 % of each fill
  slippage-bps: 5

${further}
`;
}

const TYPESCRIPT = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "preserve",
    "types": [],
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["*.ts"]
}
`;

const TYPES = `
- \`tsconfig.json\` is for editors, and for \`npx tsc\` once TypeScript is installed (\`npm install --save-dev typescript\`).`;

const STUBS = `
- \`sandtable.pyi\` describes the interface to editors and type checkers: \`from sandtable import Bar\`.`;

function readme(
  kind: StarterKind,
  file: string,
  test: string,
  docs: string,
  commands: readonly StarterCommand[],
): string {
  const lines = commands.map(({ line, does }) => `# ${does}\n${line}`);
  return `# Backtests with Sandtable

- \`${file}\` decides at the close of each bar. Its interface is in docs/${docs} of Sandtable.${kind === 'python' ? STUBS : kind === 'typescript' ? TYPES : ''}
- \`${PROJECT_FILE}\` has the settings of all commands: data, costs and more. Flags override it. Editors read its keys from \`${SCHEMA_FILE}\`.
- \`${DATA}\` has daily bars of the S&P 500 from 2000 to 2020.
- \`${test}\` runs the last part of the data twice and compares the results.
- \`reports/\` gets one folder per run. Open its \`report.html\` in a browser.

\`\`\`sh
${lines.join('\n\n')}
\`\`\`
`;
}

function pythonTest(words: readonly string[]): string {
  return `"""Checks the strategy on the last part of the sample data."""
import json
import subprocess
import tempfile
import unittest

COMMAND = ${JSON.stringify(words)}


def run():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*COMMAND, "--out", folder], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class StrategyTest(unittest.TestCase):
    def test_two_runs_have_the_same_result_within_its_risk(self):
        first, second = run(), run()
        self.assertEqual(first["outcome"], "completed")
        self.assertEqual(first["finalEquity"], second["finalEquity"])
        self.assertGreater(first["maxDrawdown"], -0.5)


if __name__ == "__main__":
    unittest.main()
`;
}

function nodeTest([program = '', ...words]: readonly string[]): string {
  return `// Checks the strategy on the last part of the sample data.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const words = ${JSON.stringify(words)};

function run() {
  const folder = mkdtempSync(join(tmpdir(), 'strategy-test-'));
  try {
    return JSON.parse(execFileSync(${JSON.stringify(program)}, [...words, '--out', folder], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('Two runs have the same result within its risk', () => {
  const first = run();
  const second = run();
  assert.equal(first.outcome, 'completed');
  assert.equal(first.finalEquity, second.finalEquity);
  assert.ok(first.maxDrawdown > -0.5);
});
`;
}
