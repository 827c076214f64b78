/** Small change to a TypeScript source that a test should detect. */
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Offsets into the source text. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '%': '*',
    '&&': '||',
    '||': '&&',
    '??': '&&',
    '+=': '-=',
    '-=': '+=',
  }),
);

/** Methods of decimals and arrays, each with the similar method that replaces it. */
const METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    plus: 'minus',
    minus: 'plus',
    times: 'dividedBy',
    isPositive: 'isNegative',
    isNegative: 'isPositive',
    min: 'max',
    max: 'min',
    floor: 'ceil',
    ceil: 'floor',
    some: 'every',
    every: 'some',
    push: 'unshift',
  }),
);

/** Returns all mutants of a source, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, replacement: string): void => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, start, end: node.end, original: text.slice(start, node.end), replacement });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || isErrorText(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.getText(source));
      if (other !== undefined && !addsText(node)) add(node.operatorToken, other);
    } else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      const other = METHODS.get(node.name.text);
      if (other !== undefined && node.parent.expression === node) add(node.name, other);
    } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, `!(${condition.getText(source)})`);
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    else if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
    else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      if (node.expression.expression.kind !== ts.SyntaxKind.SuperKeyword) add(node, ';');
    } else if (ts.isContinueStatement(node)) add(node, ';');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns true for the message and the hint of an `AppError` that is created here. */
function isErrorText(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) || !/^(message|hint)$/.test(node.name.getText())) return false;
  const created = node.parent.parent;
  return ts.isNewExpression(created) && created.expression.getText() === 'AppError';
}

/** Returns true if a `+` joins texts. Such texts are messages that do not affect figures. */
function addsText(node: ts.BinaryExpression): boolean {
  return [node.left, node.right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side));
}

/** Returns the source with the change applied. */
export function withMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
