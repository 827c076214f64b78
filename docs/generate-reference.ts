/**
 * Writes the generated pages of the site to docs/reference, which is not in git: `npm run docs:reference`. Sources: the
 * definitions of the commands, the schema of sandtable.yaml, the stub of Python strategies, the catalogue of figures, the
 * types of events and the indicators.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { z } from 'zod';
import { addCommands } from '../src/cli/program/groups.ts';
import { FIGURES, type FigureEntry } from '../src/results/analysis/index.ts';
import { indicatorsPage } from './draw-indicators.ts';
import { journalPage } from './journal-events.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PYTHON = 'src/sandbox/python/sandtable_runtime';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Returns a text for a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const sentence = (text: string): string =>
  text === ''
    ? ''
    : `${/^\w+:\w+=/.test(text) ? text[0] : text[0]!.toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? '' : '.'}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

async function commandLine(): Promise<string> {
  const program = new Command('sandtable').version('0');
  const output = process.stdout;
  await addCommands(
    program,
    [],
    { stdin: Readable.from([]), stdout: output, stderr: output, env: {} },
    () => undefined,
  );
  const sections: string[] = [];
  const describe = (command: Command, path: string): void => {
    const helper = command.createHelp();
    const args = command.registeredArguments;
    const flags = command.options.filter(({ hidden }) => !hidden);
    sections.push(
      `## ${path}`,
      `${sentence(command.description())}\n\n\`\`\`\n${path} ${helper.commandUsage(command).replace(/^.*?(?=\[|<|$)/, '')}\n\`\`\``,
    );
    if (args.length > 0)
      sections.push(
        table(
          ['Argument', ''],
          args.map((one) => [`\`${one.name()}\``, sentence(helper.argumentDescription(one))]),
        ),
      );
    if (flags.length > 0)
      sections.push(
        table(
          ['Flag', ''],
          flags.map((one) => [`\`${one.flags}\``, sentence(helper.optionDescription(one))]),
        ),
      );
    // The parts of config have the flags of the command that they describe.
    if (path !== 'sandtable config')
      for (const child of command.commands) describe(child, `${path} ${child.name()}`);
  };
  for (const command of program.commands) describe(command, `sandtable ${command.name()}`);
  return `# Commands and flags\n\nMade from the program. [Command line](../cli.md) explains how to use it.\n\n${sections.join('\n\n')}\n`;
}

const schemaSchema = z.object({
  $defs: z.record(z.string(), z.object({ description: z.string().optional() })),
});

/** @param schemaText output of `sandtable config --schema` */
function projectFile(schemaText: string): string {
  const { $defs } = schemaSchema.parse(JSON.parse(schemaText));
  const keys = Object.entries($defs).filter(([, { description }]) => description !== undefined);
  const rows = keys.map(([key, { description = '' }]) => [`\`${key}\``, sentence(description)]);
  return `# Keys of sandtable.yaml\n\nMade from the schema of the file, which \`sandtable config --schema\` prints. [Project file](../config.md) explains sections, profiles and precedence. \`costs.commission\` is the key \`commission\` in the section \`costs\`.\n\n${table(['Key', ''], rows)}\n`;
}

/** Returns the first line of the docstring of each function in a Python file. */
function docstrings(path: string): Map<string, string> {
  const found = read(path).matchAll(/def (\w+)\((?:[^()]|\([^()]*\))*\)[^:\n]*:\n\s+"""([\s\S]*?)"""/g);
  return new Map([...found].map(([, name = '', text = '']) => [name, text.split('\n\n')[0]!]));
}

function pythonStrategies(): string {
  const stub = read('src/sandbox/python/sandtable.pyi');
  const texts = new Map([...docstrings(`${PYTHON}/strategy/bar.py`), ...docstrings(`${PYTHON}/helpers.py`)]);
  const rowsOf = (code: string): string[][] =>
    [...code.matchAll(/(@property\n\s+)?def (\w+)\(([\s\S]*?)\) -> (.+?): \.\.\./g)]
      .filter(([, , name = '']) => !name.startsWith('__'))
      .map(([, property, name = '', given = '', type = '']) => {
        const parameters = given
          .replace(/^\s*self,?\s*/, '')
          .replaceAll(/\s+/g, ' ')
          .replace(/,? $/, '');
        return [
          `\`${name}${property === undefined ? `(${parameters})` : ''}\``,
          `\`${type}\``,
          texts.get(name) ?? '',
        ];
      });
  const head = ['Name', 'Type', ''];
  const sections = [...stub.matchAll(/^class (\w+)(?:\(\w+\))?:\n((?: {4}.*\n|\n)+)/gm)].flatMap(
    ([, name = '', body = '']) => {
      const fields = [...body.matchAll(/^ {4}(\w+): (.+)$/gm)].map(([, field, type]) => [
        `\`${field}\``,
        `\`${type}\``,
        '',
      ]);
      const rows = [...fields, ...rowsOf(body)];
      return rows.length === 0 ? [] : [`## ${name}\n\n${table(head, rows)}`];
    },
  );
  const functions = rowsOf(stub.slice(stub.lastIndexOf('\nta: Any')));
  return `# Python strategies\n\nMade from \`sandtable.pyi\` and the program. [Strategies in Python](../python-strategies.md) explains how they are used. \`_Amount\` is a number or a decimal text, \`_Exit\` an amount or a dict of an [exit](../orders.md#brackets).\n\n${sections.join('\n\n')}\n\n## Functions\n\n${table(head, functions)}\n`;
}

const UNITS = { share: 'share of 1', ratio: 'ratio', money: 'money', count: 'count', days: 'days' } as const;

function figures(): string {
  const rows = Object.entries<FigureEntry>(FIGURES).map(([name, { label, unit, better }]) => [
    `\`${name}\``,
    label,
    UNITS[unit],
    better === 1 ? 'higher' : better === -1 ? 'lower' : '',
  ]);
  return `# Figures by name\n\nMade from the catalogue of figures. Names are those of \`summary.json\` and of the table \`runs\`. [Metrics](../metrics.md) has the definitions.\n\n${table(['Name', 'Label', 'Unit', 'Better'], rows)}\n`;
}

/** Returns the pages by file name. */
export async function referencePages(schemaText: string): Promise<Readonly<Record<string, string>>> {
  return {
    'commands.md': await commandLine(),
    'project-file.md': projectFile(schemaText),
    'python.md': pythonStrategies(),
    'figures.md': figures(),
    'journal.md': journalPage(),
  };
}

/** Returns the JSON Schema of sandtable.yaml, as the command prints it. */
export async function printedSchema(): Promise<string> {
  const { sandtable } = await import('../test/support/sandtable.ts');
  return (await sandtable(['config', '--schema'])).stdout;
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(ROOT, 'docs', 'reference');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await referencePages(await printedSchema())))
    writeFileSync(join(folder, name), text);
  const pictures = join(ROOT, 'docs', 'public', 'indicators');
  writeFileSync(join(folder, 'indicators.md'), await indicatorsPage(pictures));
}
