import type { RequestHeader } from './protocol.ts';

type Aligned = NonNullable<Extract<RequestHeader, { type: 'call' }>['aligned']>;

const MENTION = /\bframe\b/;
const CALL = /\bframe\s*\(\s*(?:column\s*=\s*)?(['"])([^'"\\]{1,200})\1/g;

/**
 * Columns that a request's code asks of `frame`, so that they are aligned before the code's deadline starts; undefined if
 * the code does not mention `frame`. Python aligns whatever is missing here when the code asks for it.
 */
export function frameColumns(
  { code, expr }: Readonly<Record<string, unknown>>,
  symbols: readonly string[],
): Aligned | undefined {
  const text = typeof code === 'string' ? code : typeof expr === 'string' ? expr : '';
  if (symbols.length === 0 || !MENTION.test(text)) return undefined;
  const columns = new Set([...text.matchAll(CALL)].map(([, , column]) => column!));
  if (/\bframe\s*\(\s*\)/.test(text)) columns.add('close');
  return { symbols, columns: [...columns] };
}
