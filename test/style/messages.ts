import ts from 'typescript';
import { parsed } from './parse.ts';

/** A text for users or models in a source file. Values of templates are replaced by `X`. */
export interface MessageText {
  /** Line of its beginning in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Properties whose values are texts: of errors, notes and tools. */
const PROPERTIES: ReadonlySet<string> = new Set([
  'message',
  'hint',
  'remediation',
  'remedy',
  'description',
  'brief',
  'nextStep',
  'about',
  'detail',
  'fault',
  'problem',
  'reason',
  'refused',
]);
/** Functions whose string arguments are texts: descriptions of flags and parameters, errors, faults and reasons. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'describe',
  'failure',
  'note',
  'warn',
  'fault',
  'bad',
  'badQuery',
  'badAgent',
  'judged',
  'untestable',
  'undefinedBecause',
  'AgentFailed',
  'CheckFailed',
  'Error',
  'MalformedReply',
]);
/** Constants that contain manuals and instructions. */
const CONSTANTS = /^(DESCRIPTION|BRIEF|INSTRUCTIONS|HINT)$/;

/** Returns the texts of TypeScript code that users and models read. */
export function messagesOf(code: string): MessageText[] {
  const file = parsed(code);
  const messages: MessageText[] = [];
  const visit = (node: ts.Node): void => {
    const text = partsOf(node);
    if (text !== undefined && isMessage(node)) {
      messages.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return messages;
}

function partsOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}

/** True for a literal that is the whole value of a message, or a branch of it. */
function isMessage(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isMessage(parent);
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent)) return isMessage(parent);
  if (ts.isBinaryExpression(parent))
    return /^(\+|\?\?|\|\|)$/.test(parent.operatorToken.getText()) && isMessage(parent);
  if (ts.isPropertyAssignment(parent))
    return parent.initializer === node && PROPERTIES.has(parent.name.getText().replaceAll(/['"]/g, ''));
  if (ts.isVariableDeclaration(parent)) return CONSTANTS.test(parent.name.getText());
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  const called = parent.expression;
  const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
  return parent.expression !== node && FUNCTIONS.has(name);
}
