import { fileURLToPath } from 'node:url';
import { main } from '../src/cli/main.ts';
import { offerText, schemaOf } from '../src/toolkit/index.ts';
import { ALL_TOOLS, TOOL_NAMES } from '../src/toolkit/registry.ts';
import { testIo } from '../test/support/io.ts';
import { type Call, SHOWN, type Shown } from './tool-calls.ts';

const MOST_SHOWN = 700;
/**
 * Generous limits, so that the page is the same on a loaded machine. The usual 500 ms can pass there before
 * the code finishes.
 */
const PYTHON_LIMITS = { timeoutMs: 30_000, graceMs: 30_000 };
const BEGIN = '<!-- made by `npm run docs:tools` from here on -->\n';
const END = '<!-- to here -->\n';

type Schema = ReturnType<typeof schemaOf>;

/**
 * Returns the page with its reference regenerated from the tool registry. All answers come from real calls.
 */
export async function withReference(page: string): Promise<string> {
  const [before = '', rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const entries: string[] = [];
  for (const name of TOOL_NAMES) entries.push(await entryOf(name));
  return `${before}${BEGIN}\n${entries.join('\n')}\n${END}${after}`;
}

/** Returns the section of a tool. */
export async function entryOf(name: string): Promise<string> {
  const tool = ALL_TOOLS[name]!;
  const shown = SHOWN[name];
  if (shown === undefined) throw new Error(`docs/tool-calls.ts shows no call of ${name}.`);
  const marks = [
    `offered ${offerText(name) ?? 'unless others are named'}`,
    tool.writes ? 'changes state' : 'read-only',
    tool.needsPython === true ? 'needs Python' : 'needs no Python',
  ];
  return [
    `### ${name}`,
    `_${marks.join(' · ')}_`,
    `\`\`\`text\n${tool.description}\n\`\`\``,
    parametersOf(schemaOf(tool.parameters)),
    `\`\`\`\n${await transcript(shown)}\`\`\``,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function parametersOf({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name) ? 'required' : defaultOf(schema);
    return `| \`${name}\` | ${typeOf(schema)} | ${need} | ${(schema.description ?? '').replaceAll('|', '\\|')} |`;
  });
  if (rows.length === 0) return 'No arguments.';
  return ['| Argument | Type | | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function defaultOf(schema: Schema): string {
  return 'default' in schema ? `\`${JSON.stringify(schema.default)}\`` : '';
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(' ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return several.map(typeOf).join(' or ');
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`;
  if (schema.type === undefined) return 'anything';
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const range =
    minimum === undefined
      ? ''
      : maximum === undefined
        ? `, at least ${minimum}`
        : `, ${minimum} to ${maximum}`;
  return `${[schema.type].flat().join(' or ')}${range}`;
}

/** Returns the calls with the answers of `sandtable tools call`, line by line. */
async function transcript({ calls, data = 'spx-daily.csv', flags = [] }: Shown): Promise<string> {
  const lines = calls.map(lineOf);
  const io = { ...testIo({ stdin: `${lines.join('\n')}\n` }), pythonLimits: PYTHON_LIMITS };
  const asked = ['--data', dataFile(data), '--bar', '100', ...flags.map(fileIn)];
  const exitCode = await main(['tools', 'call', ...asked], io);
  const answers = io.stdout.text.trimEnd().split('\n');
  if (exitCode !== 0 || answers.length !== lines.length) throw new Error(`No transcript: ${io.stderr.text}`);
  return lines.map((line, index) => `→ ${line}\n← ${cut(answers[index]!)}\n`).join('');
}

function dataFile(name: string): string {
  return fileURLToPath(new URL(`../data/${name}`, import.meta.url));
}

/** Replaces a flag value in `data/` by the full path of the file. */
function fileIn(flag: string): string {
  return flag.startsWith('data/') ? dataFile(flag.slice('data/'.length)) : flag;
}

function lineOf([name, given]: Call): string {
  return JSON.stringify(given === undefined ? { name } : { name, arguments: given });
}

function cut(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)} …`;
}
