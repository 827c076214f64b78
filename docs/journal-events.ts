/** Describes the events of the journal, from the types in the sources. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '..');
const FILES = [
  'src/engine/events/events.ts',
  'src/engine/events/data-events.ts',
  'src/broker/events.ts',
  'src/engine/events/model-events.ts',
];

interface EventField {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  readonly text: string;
}

export interface EventShape {
  readonly type: string;
  readonly text: string;
  readonly fields: readonly EventField[];
}

/** Meaning of the events whose types have no comment. */
const TEXTS: Readonly<Record<string, string>> = {
  tool_called: 'A tool was called: its arguments and its answer.',
  note: 'A text that a strategy, a model or the engine recorded.',
  telemetry: 'One run of `evaluate_python`.',
  file_written: 'A file of the in-memory file system was written.',
  file_deleted: 'A file of the in-memory file system was deleted.',
  cash_entry:
    'Cash changed without an order: a dividend, interest, a borrow fee, margin interest or funding.',
  split: 'A split changed the units of a symbol.',
  delisted: 'A symbol left the market.',
  documents_known: 'Documents became visible.',
  fundamentals_known: 'Values of fundamentals became visible.',
  run_started: 'First event of a run.',
  run_finished: 'Last event of a run.',
  order_accepted: 'An order was accepted, or an exit was created by a fill.',
  order_cancelled: 'An order ended before it was filled completely.',
  order_rejected: 'An order was refused, at the decision or at the fill.',
  order_filled: 'An order was filled, completely or in part.',
  trade_closed: 'A trade was closed.',
  limit_reached: 'A budget or a limit of a model was used up.',
  agent_asked: 'An external agent received an observation.',
  agent_replied: 'An external agent sent a message, or failed.',
};

/** Returns the text of the documentation comment directly before a node, also before the bar of a union. */
function commentOf(node: ts.Node, code: string): string {
  const before = code.slice(0, node.getStart());
  const start = before.lastIndexOf('/**');
  const comment = start < 0 ? '' : before.slice(start);
  if (!/\*\/\s*(export\s+|readonly\s+)*\|?\s*$/.test(comment)) return '';
  return comment
    .slice(3, comment.indexOf('*/'))
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim();
}

type Shape = ts.TypeLiteralNode | ts.InterfaceDeclaration;

/** Returns the interfaces that an event has in common with others: `Common & { type: … }`. */
function commonOf(node: Shape): ts.InterfaceDeclaration[] {
  if (!ts.isIntersectionTypeNode(node.parent)) return [];
  const names = node.parent.types.filter(ts.isTypeReferenceNode).map(({ typeName }) => typeName.getText());
  const interfaces = node.getSourceFile().statements.filter(ts.isInterfaceDeclaration);
  const named = interfaces.filter(({ name }) => names.includes(name.text));
  const bases = named
    .flatMap(({ heritageClauses = [] }) => heritageClauses)
    .flatMap(({ types }) => types.map(({ expression }) => expression.getText()));
  return [...interfaces.filter(({ name }) => bases.includes(name.text)), ...named];
}

function shapeOf(node: Shape, code: string): EventShape | undefined {
  const members = [node, ...commonOf(node)].flatMap((one) => [...one.members]);
  const fields = members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(),
    optional: member.questionToken !== undefined,
    type: (member.type?.getText() ?? '')
      .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
      .replaceAll(/\breadonly /g, '')
      .replaceAll(/\s+/g, ' '),
    text: commentOf(member, code),
  }));
  const kind = fields.find(({ name }) => name === 'type');
  const type = /^'(\w+)'$/.exec(kind?.type ?? '')?.[1];
  if (kind === undefined || type === undefined) return undefined;
  const text = [commentBefore(node, code), kind.text, TEXTS[type]].find((one) => one !== '') ?? '';
  return {
    type,
    text,
    fields: fields.filter(({ name }) => name !== 'type'),
  };
}

/** Returns the comment of a member of a union, or of its alias if the alias is this one type. */
function commentBefore(node: ts.Node, code: string): string {
  const own = commentOf(node, code);
  if (own !== '') return own;
  return ts.isTypeAliasDeclaration(node.parent) ? commentOf(node.parent, code) : '';
}

/** Returns every event type in the sources, in their order. Types with one name are one entry each. */
export function journalEvents(): EventShape[] {
  return FILES.flatMap((name) => {
    const code = readFileSync(join(ROOT, name), 'utf8');
    const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true);
    const shapes: EventShape[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node)) {
        const shape = shapeOf(node, code);
        if (shape !== undefined) shapes.push(shape);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return shapes;
  });
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Returns the page of the journal's events. */
export function journalPage(): string {
  const sections = journalEvents().map(({ type, text, fields }) => {
    const rows = fields.map(
      ({ name, optional, type: of, text: note }) =>
        `| \`${name}\` | \`${cell(of)}\` | ${optional ? 'may be absent' : ''} | ${cell(note)} |`,
    );
    const table = ['| Field | Type | | |', '| --- | --- | --- | --- |', ...rows].join('\n');
    return `## ${type}\n\n${text}\n\n${table}`;
  });
  return `# Journal events\n\nMade from the types in the sources. \`journal.jsonl\` has one event per line, with its \`type\` first. Money, prices and quantities are texts of decimals. \`bar\` counts from 0. [Run folder](../run-folder.md) describes the other files.\n\n${sections.join('\n\n')}\n`;
}
