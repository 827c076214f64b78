import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** A place in the sources that makes an error or a refusal. */
interface ErrorPlace {
  readonly code: string;
  /** Text of the problem. `undefined` where the text is not written at this place. */
  readonly cause: string | undefined;
  /** Advice for the reader. */
  readonly remedy: string | undefined;
}

const CODE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** Values of fields named `code` that are not codes of errors. */
export const NO_ERRORS: ReadonlySet<string> = new Set(['text', 'tried']);
/** Stands for a value that is known only when the error occurs. */
const VALUE = '…';

/** Returns the sources of the program, sorted, without tests. */
export function sourceFiles(root: string): string[] {
  return readdirSync(resolve(root, 'src'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|[\\/])test-/.test(name))
    .sort()
    .map((name) => resolve(root, 'src', name));
}

/**
 * Returns the codes that TypeScript sources give to errors and refused orders, with their texts.
 *
 * @param files paths of sources
 */
export function errorPlaces(files: readonly string[]): ErrorPlace[] {
  return files.flatMap((file) => {
    const found: ErrorPlace[] = [];
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node)) found.push(...placesOfObject(node));
      if (ts.isCallExpression(node)) found.push(...placesOfCall(node));
      if (ts.isNewExpression(node)) found.push(...placesOfFault(node));
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** An object such as `{ code: 'no_run', message: …, hint: … }`. */
function placesOfObject(node: ts.ObjectLiteralExpression): ErrorPlace[] {
  const value = (name: string): ts.Expression | undefined => {
    for (const property of node.properties) {
      if (property.name?.getText() !== name) continue;
      if (ts.isPropertyAssignment(property)) return property.initializer;
      if (ts.isShorthandPropertyAssignment(property)) return property.name;
    }
    return undefined;
  };
  const [code, message, remedy] = [value('code'), value('message'), value('hint') ?? value('remedy')];
  if (code === undefined) return [];
  return codesOf(code).map((one) => ({ code: one, cause: textOf(message), remedy: textOf(remedy) }));
}

/** A call such as `refusal('no_price', message, remedy)` or `faultsError('bad_data', subject, faults, hint)`. */
function placesOfCall({ expression, arguments: given }: ts.CallExpression): ErrorPlace[] {
  const name = expression.getText().split('.').at(-1) ?? '';
  const last = given.at(-1);
  if (name === 'failure' && last !== undefined && ts.isObjectLiteralExpression(last))
    return placesOfObject(last).map(({ code: one }) => ({
      code: one,
      cause: textOf(given[0]),
      remedy: textOf(given[1]),
    }));
  const [code, second, third, fourth] = given;
  if (code === undefined || second === undefined) return [];
  if (name === 'faultsError')
    return codesOf(code).map((one) => ({
      code: one,
      cause: `${textOf(second) ?? VALUE}: one or more faults, listed with their lines`,
      remedy: textOf(fourth),
    }));
  if (!['refusal', 'no', 'bad', 'refuse', 'fault', 'misbehaved', 'rejected'].includes(name.replace(/^#/, '')))
    return [];
  return codesOf(code).map((one) => ({ code: one, cause: textOf(second), remedy: textOf(third) }));
}

/** An error such as `new DecisionFault('call_not_awaited', message, remedy)`. */
function placesOfFault({ expression, arguments: given }: ts.NewExpression): ErrorPlace[] {
  const [code, message, remedy] = given ?? [];
  if (expression.getText() !== 'DecisionFault' || code === undefined) return [];
  return codesOf(code).map((one) => ({ code: one, cause: textOf(message), remedy: textOf(remedy) }));
}

function codesOf(node: ts.Expression): string[] {
  if (ts.isSatisfiesExpression(node)) return codesOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...codesOf(node.whenTrue), ...codesOf(node.whenFalse)];
  return ts.isStringLiteral(node) && CODE.test(node.text) ? [node.text] : [];
}

function textOf(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => VALUE + literal.text).join('');
  if (ts.isConditionalExpression(node)) return textOf(node.whenTrue) ?? textOf(node.whenFalse);
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isIdentifier(node)) return textOf(constantOf(node));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return (textOf(node.left) ?? VALUE) + (textOf(node.right) ?? VALUE);
  return undefined;
}

/** Returns the value of a constant of the same file. */
function constantOf(name: ts.Identifier): ts.Expression | undefined {
  for (const statement of name.getSourceFile().statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: own, initializer } of statement.declarationList.declarations)
      if (own.getText() === name.text) return initializer;
  }
  return undefined;
}

/** Returns `docs/troubleshooting.md`. */
export function troubleshooting(places: readonly ErrorPlace[]): string {
  const codes = [...new Set(places.map(({ code }) => code))].filter((code) => !NO_ERRORS.has(code)).sort();
  const entries = codes.map((code) => {
    const all = places.filter((place) => place.code === code);
    const own = all.some(isWritten) ? all.filter(isWritten) : all.slice(0, 1);
    const texts = own.map(
      ({ cause, remedy }) =>
        `- ${cell(cause ?? '') || 'The message states the cause.'}\n  Fix: ${cell(remedy ?? '') || 'The error states the fix.'}`,
    );
    return `## ${code}\n\n${[...new Set(texts)].sort().join('\n')}\n`;
  });
  return `# Troubleshooting by code

This page lists every error code with its messages and fixes. Every error and every rejected order has a code. It is the field \`code\` in the output of \`--json\`, in the journal, and in errors thrown by the library. "${VALUE}" stands for a value of your run. \`npm run docs:codes\` generates this page from the sources.

An error ends a command with exit code 1 (the run failed) or 2 (usage or input). A rejected order does not end a run. [orders.md](orders.md#when-an-order-is-refused) explains the rejections.

${entries.join('\n')}`;
}

/** True if the place states a cause or a remedy. */
function isWritten({ cause, remedy }: ErrorPlace): boolean {
  return /[a-z]{3}/i.test(`${cause ?? ''}${remedy ?? ''}`);
}

/** Text on one line that a reader of Markdown shows as it is. */
function cell(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([*_<>|[\]\\])/g, '\\$1')
    .replaceAll(/https?:\/\/[^\s,.)]+/g, '`$&`')
    .trim();
}
