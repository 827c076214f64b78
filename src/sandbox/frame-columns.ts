import type { RequestHeader } from './protocol.ts';

type Aligned = NonNullable<Extract<RequestHeader, { type: 'call' }>['aligned']>;

const MENTION = /\bframe\b/;
const CALL = /\bframe\s*\(\s*(?:column\s*=\s*)?(['"])([^'"\\]{1,200})\1/g;

/**
 * Returns the columns that code requests from `frame`, so that they are aligned before the deadline of the
 * code starts. Undefined if the code does not mention `frame`. Python aligns missing columns when the code
 * requests them.
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
