/** Writes the table of figures in docs/metrics.md from the comments of the figure catalogue: `npm run docs:metrics`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { FIGURES, type FigureName } from '../src/results/analysis/index.ts';

const CATALOGUE = new URL('../src/results/analysis/series/figure-catalogue.ts', import.meta.url);
const PAGE = new URL('./metrics.md', import.meta.url);
const MARKS = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/;

/** Returns docs/metrics.md with the table of the catalogue. */
export function metricsPage(page = readFileSync(PAGE, 'utf8')): string {
  if (!MARKS.test(page)) throw new Error('docs/metrics.md has no <!-- figures --> and <!-- /figures -->.');
  return page.replace(MARKS, (_, begin: string, end: string) => `${begin}${table()}${end}`);
}

function table(): string {
  const rows = definitions().map(([name, text]) => {
    const [definition = '', ...nulls] = text.split(/(?<=\.) (?=`null` )/);
    const cells = [`\`${name}\``, FIGURES[name].label, definition, nulls.join(' ').replace(/^`null` /, '')];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  return `| Field of \`summary.json\` | Label | Definition | \`null\` |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

/** Returns the comment of each figure of the catalogue, in order. */
function definitions(): [name: FigureName, text: string][] {
  const file = ts.createSourceFile(
    'catalogue.ts',
    readFileSync(CATALOGUE, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: [FigureName, string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && Object.hasOwn(FIGURES, node.name.getText())) {
      const [comment] = ts.getJSDocCommentsAndTags(node);
      const text = comment === undefined ? '' : comment.getText().replace(/^\/\*\*|\*\/$/g, '');
      found.push([node.name.getText() as FigureName, text.replace(/\s*\n\s*\*?\s*/g, ' ').trim()]);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, metricsPage());
