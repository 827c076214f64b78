/** Measures the sources and writes the table "Size" of docs/architecture.md: `npm run docs:size`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MARKS = /(<!-- size -->\n)[\s\S]*?(<!-- \/size -->)/;

/** First line of an import or of a list of exports. */
const PLUMBING = /^(import\b|export (type )?[{*])/;

/** Counts of a group of files. Lines are those with text. */
interface Size {
  readonly files: number;
  readonly lines: number;
  readonly plumbing: number;
}

/** Returns the files below `folder` whose path matches, with their text. */
function filesOf(folder: string, matches: (path: string) => boolean): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(matches)
    .map((name) => readFileSync(`${ROOT}${name}`, 'utf8'));
}

function sizeOf(texts: readonly string[]): Size {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
  return {
    files: texts.length,
    lines: lines.length,
    plumbing: lines.filter((line) => PLUMBING.test(line)).length,
  };
}

/** Returns the number of lines of TypeScript that contain code. Lines with comments only are not counted. */
function linesOfCode(text: string): number {
  const file = ts.createSourceFile('code.ts', text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(file);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getStart(file) === node.end) return;
    const last = file.getLineAndCharacterOfPosition(node.end).line;
    for (let line = file.getLineAndCharacterOfPosition(node.getStart(file)).line; line <= last; line++)
      lines.add(line);
  };
  visit(file);
  return lines.size;
}

const isTest = (path: string): boolean => path.endsWith('.test.ts');
const isTypeScript = (path: string): boolean => /\.(ts|mjs)$/.test(path);

const sourceTexts = filesOf('src', (path) => isTypeScript(path) && !isTest(path));
const sources = sizeOf(sourceTexts);
const code = sourceTexts.reduce((sum, text) => sum + linesOfCode(text), 0);
const python = sizeOf(filesOf('src', (path) => path.endsWith('.py') && !path.includes('/tests/')));
const styles = sizeOf(filesOf('src', (path) => path.endsWith('.css')));
const tests = sizeOf([
  ...filesOf('src', isTest),
  ...filesOf('test', isTypeScript),
  ...filesOf('features', (path) => /\.(ts|feature)$/.test(path)),
]);
const folders = readdirSync(`${ROOT}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());

const number = (value: number): string => value.toLocaleString('en-US');
const row = (name: string, { files, lines }: Size): string =>
  `| ${name} | ${number(files)} | ${number(lines)} |`;

const table = [
  '| | Files | Lines with text |',
  '| --- | ---: | ---: |',
  row('TypeScript of `src`, without tests', sources),
  `| … without comments | | ${number(code)} |`,
  `| … first lines of imports and re-exports | | ${number(sources.plumbing)} |`,
  row('Python of `src`, without tests', python),
  row('CSS', styles),
  row('Tests: `*.test.ts`, `test`, `features`', tests),
  `| Folders directly under \`src\` | ${folders.length} | |`,
  '',
].join('\n');

const page = `${ROOT}docs/architecture.md`;
const text = readFileSync(page, 'utf8');
if (!MARKS.test(text)) throw new Error('docs/architecture.md has no <!-- size --> and <!-- /size -->.');
writeFileSync(page, text.replace(MARKS, `$1${table}$2`));
process.stdout.write(table);
