import { isJsonObject, type Json } from './settings/settings.ts';

/** Fields of an error that are sentences. A new version may word them differently. */
const SENTENCES: ReadonlySet<string> = new Set(['error', 'remediation', 'message', 'hint']);

/**
 * Returns the recorded value if the repeated one differs from it only in the sentences of errors, otherwise the
 * repeated value. A run recorded by an earlier version thus repeats with the texts it was recorded with.
 *
 * @param recorded `undefined` if the value was not recorded
 */
export function withRecordedTexts(now: Json, recorded: Json | undefined): Json {
  return recorded !== undefined && isSame(now, recorded) ? recorded : now;
}

function isSame(now: Json | undefined, recorded: Json | undefined): boolean {
  if (Array.isArray(now) && Array.isArray(recorded))
    return now.length === recorded.length && now.every((value, index) => isSame(value, recorded[index]));
  if (!isJsonObject(now) || !isJsonObject(recorded)) return now === recorded;
  const keys = Object.keys(now);
  // The order of fields matters: journals are compared byte by byte.
  if (keys.join() !== Object.keys(recorded).join()) return false;
  const isError = typeof now.code === 'string' || 'remediation' in now;
  const isEnd = typeof now.outcome === 'string';
  return keys.every((key) => {
    const isSentence = (isError && SENTENCES.has(key)) || (isEnd && key === 'problem');
    if (isSentence && typeof now[key] === 'string' && typeof recorded[key] === 'string') return true;
    return isSame(now[key], recorded[key]);
  });
}
