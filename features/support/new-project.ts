import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { projectPath } from './command-line.ts';
import type { TemporaryFolder } from './folder.ts';

/** Fields used here of Cucumber's message format (https://github.com/cucumber/messages). */
interface Message {
  readonly stepDefinition?: { readonly id: string; readonly pattern: { readonly source: string } };
  readonly pickle?: { readonly id: string; readonly name: string };
  readonly testCase?: {
    readonly id: string;
    readonly pickleId: string;
    readonly testSteps: readonly { readonly stepDefinitionIds?: readonly string[] }[];
  };
  readonly testCaseStarted?: { readonly id: string; readonly testCaseId: string };
  readonly testStepFinished?: {
    readonly testCaseStartedId: string;
    readonly testStepResult: { readonly status: string; readonly message?: string };
  };
}

/** Result of Cucumber in a project. */
export interface ProjectRun {
  readonly code: number | null;
  /** Complete output. */
  readonly text: string;
  /** Number of executed steps. */
  readonly steps: number;
  readonly failures: { readonly scenario: string; readonly message: string }[];
  /** Patterns of step definitions that no step used. */
  readonly unused: string[];
}

/** User project in a separate folder. It contains only the files written by the scenario. */
export class NewProject {
  readonly #folder: TemporaryFolder;

  constructor(folder: TemporaryFolder) {
    this.#folder = folder;
  }

  write(name: string, content: string): void {
    this.#folder.write(name, content);
  }

  copyExamples(): void {
    cpSync(projectPath('docs/examples/bdd'), this.#folder.path, {
      recursive: true,
      filter: (file) => !/(?:cucumber\.json|steps\.mjs)$/.test(file) && !file.includes('bdd/reports'),
    });
  }

  removeFeatures(): void {
    for (const name of this.#folder.list('features'))
      if (name.endsWith('.feature')) rmSync(this.#folder.file(`features/${name}`));
  }

  /**
   * Links packages as npm would install them: `sandtable` is this checkout, the other packages are those of
   * the checkout.
   */
  linkPackages(): void {
    mkdirSync(this.#folder.file('node_modules'));
    symlinkSync(projectPath('.'), this.#folder.file('node_modules/sandtable'), 'dir');
    symlinkSync(projectPath('node_modules/@cucumber'), this.#folder.file('node_modules/@cucumber'), 'dir');
  }

  async cucumber(words: readonly string[]): Promise<ProjectRun> {
    const program = this.#folder.file('node_modules/@cucumber/cucumber/bin/cucumber.js');
    const child = spawn(process.execPath, [program, '--format', 'message:messages.ndjson', ...words], {
      cwd: this.#folder.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((done, failed) => {
      child.on('error', failed);
      child.on('close', done);
    });
    const [code, ...printed] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    const lines = this.#folder.read('messages.ndjson').trimEnd().split('\n');
    return { code, text: printed.join('\n'), ...summed(lines.map((line) => JSON.parse(line) as Message)) };
  }
}

function summed(messages: readonly Message[]): Pick<ProjectRun, 'steps' | 'failures' | 'unused'> {
  const names = new Map(messages.flatMap(({ pickle }) => (pickle ? [[pickle.id, pickle.name]] : [])));
  const cases = new Map(messages.flatMap(({ testCase }) => (testCase ? [[testCase.id, testCase]] : [])));
  const started = new Map(
    messages.flatMap(({ testCaseStarted: one }) => (one ? [[one.id, cases.get(one.testCaseId)]] : [])),
  );
  const used = new Set(
    [...cases.values()].flatMap(({ testSteps }) => testSteps.flatMap((step) => step.stepDefinitionIds ?? [])),
  );
  const finished = messages.flatMap(({ testStepFinished }) => testStepFinished ?? []);
  return {
    steps: finished.length,
    failures: finished
      .filter(({ testStepResult }) => testStepResult.status === 'FAILED')
      .map(({ testCaseStartedId, testStepResult }) => ({
        scenario: names.get(started.get(testCaseStartedId)?.pickleId ?? '') ?? '',
        message: testStepResult.message ?? '',
      })),
    unused: messages.flatMap(({ stepDefinition }) =>
      stepDefinition && !used.has(stepDefinition.id) ? [stepDefinition.pattern.source] : [],
    ),
  };
}

/**
 * Returns the code block in a page that follows the line with its file name, for example `` `package.json`:
 * ``.
 */
export function codeBlock(page: string, file: string): string {
  const found = new RegExp(
    `^\`${file.replaceAll('.', '\\.')}\`[^\n]*:\n+\`\`\`[a-z]*[^\n]*\n([\\s\\S]*?)^\`\`\``,
    'm',
  ).exec(page);
  if (found?.[1] === undefined) throw new Error(`the page has no code for ${file}`);
  return found[1];
}
