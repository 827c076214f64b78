import ts from 'typescript';
import type { MessageText } from './messages.ts';
import { parsed } from './parse.ts';

/** Functions of Vitest whose first argument is the name of a test or suite. */
const NAMED: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

/** Methods of these functions whose first argument is not a name but a table or a condition. */
const UNNAMED: ReadonlySet<string> = new Set(['each', 'for', 'skipIf', 'runIf']);

/** Returns the names of the tests in TypeScript code. Values of templates are replaced by `X`. */
export function testNamesOf(code: string): MessageText[] {
  const file = parsed(code);
  const names: MessageText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [name] = node.arguments;
      const text = name === undefined ? undefined : textOf(name);
      if (name !== undefined && text !== undefined)
        names.push({ line: file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** True for `it`, `it.skipIf(…)`, `it.each(…)` and their combinations. */
function isTest(called: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(called))
    return !UNNAMED.has(called.name.text) && isTest(called.expression);
  if (ts.isCallExpression(called)) {
    const { expression } = called;
    return ts.isPropertyAccessExpression(expression) && isTest(expression.expression);
  }
  if (ts.isTaggedTemplateExpression(called))
    return ts.isPropertyAccessExpression(called.tag) && isTest(called.tag.expression);
  return ts.isIdentifier(called) && NAMED.has(called.text);
}

function textOf(name: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(name)) return name.text;
  if (!ts.isTemplateExpression(name)) return undefined;
  return name.head.text + name.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}
