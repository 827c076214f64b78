import { isObject } from '../../kernel/index.ts';
import { jsonText } from './block-parts.ts';
import type { BlockText } from './step.ts';

/**
 * Returns the observation of a decision: first the events since the previous decision, then the remaining
 * content.
 *
 * @param given an observation, or its JSON text
 */
export function observationTexts(given: unknown, label: string): BlockText[] {
  return textsOf(given, label).map((text) => ({ ...text, sent: true }));
}

function textsOf(given: unknown, label: string): BlockText[] {
  const shown = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(shown))
    return typeof given === 'string' ? [{ label, text: given, form: 'words' }] : [jsonText(label, given)];
  const { since_last_decision: since, ...rest } = shown;
  return [
    ...(since === undefined ? [] : [jsonText('since the last decision', since)]),
    jsonText(label, rest),
  ];
}

function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
