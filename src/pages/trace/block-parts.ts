import { textOf } from '../../kernel/index.ts';
import type { Block, BlockText } from './step.ts';

type Facts = Block['facts'];

export function block(kind: Block['kind'], title: string, parts: Partial<Block> = {}): Block {
  return { kind, title, tone: 'plain', facts: [], texts: [], links: [], ...parts };
}

/** Returns the facts that have a value. */
export function factsOf(...facts: readonly (readonly [string, unknown])[]): Facts {
  return facts.map(([name, value]) => [name, textOf(value)] as const).filter(([, value]) => value !== '');
}

export function jsonText(label: string, value: unknown, folded = false): BlockText {
  return {
    label,
    text: JSON.stringify(unfolded(value), null, 2) ?? '',
    form: 'json',
    ...(folded ? { folded } : {}),
  };
}

/** Parses a text that is a JSON document, so that it is shown without escaped quotes. */
function unfolded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
