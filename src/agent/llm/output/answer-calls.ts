import { type BarContext, isJsonObject, type Json } from '../../../engine/index.ts';
import type { Toolkit } from '../../../toolkit/index.ts';
import { isList } from './answer-schema.ts';
import { type AnswerCall, PLACE } from './settings.ts';

/** Tool call derived from an answer. */
export interface CallOfAnswer {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** Result of making the calls derived from an answer. */
export interface AnswerCallsEnd {
  readonly made: number;
  /** Error of the first failed call. Later calls were not made. */
  readonly refusal?: string;
  /** True if calls before the failed one succeeded. */
  readonly stands: boolean;
}

/** Makes the calls derived from an answer, in order. Stops at the first error. */
export async function makeAnswerCalls(
  calls: readonly AnswerCall[],
  answer: Json,
  toolkit: Pick<Toolkit, 'call'>,
  turn: BarContext,
): Promise<AnswerCallsEnd> {
  let made = 0;
  for (const { tool, arguments: given } of callsOf(calls, answer)) {
    const result = await toolkit.call(tool, given, turn);
    made += 1;
    if (isJsonObject(result) && typeof result.error === 'string')
      return { made, refusal: `${tool} answered: ${result.error.replace(/\.$/, '')}`, stands: made > 1 };
  }
  return { made, stands: made > 0 };
}

/** Returns the calls derived from an answer, in order. */
export function callsOf(calls: readonly AnswerCall[], answer: Json): CallOfAnswer[] {
  return calls.flatMap(({ tool, arguments: given, each, when }) => {
    const list = each === undefined ? [undefined] : at(each, answer, undefined);
    return (isList(list as Json) ? (list as readonly Json[]) : []).flatMap((entry): CallOfAnswer[] => {
      if (!applies(when, answer, entry)) return [];
      const filled = fill(given, answer, entry);
      return [{ tool, arguments: isJsonObject(filled) ? filled : {} }];
    });
  });
}

function applies(when: AnswerCall['when'], answer: Json, entry: Json | undefined): boolean {
  if (when === undefined) return true;
  if (typeof when === 'string') return holdsSomething(at(when, answer, entry));
  return Object.entries(when).every(([place, wanted]) => {
    const found = at(place, answer, entry) ?? null;
    return (Array.isArray(wanted) ? wanted : [wanted]).includes(found as string);
  });
}

function holdsSomething(value: Json | undefined): boolean {
  if (isList(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

/** Returns the value at a place of the answer. `undefined` if missing. */
function at(place: string, answer: Json, entry: Json | undefined): Json | undefined {
  const [, from, steps = ''] = PLACE.exec(place) ?? [];
  let value = from === '@' ? entry : answer;
  for (const step of steps.split('.').slice(1)) {
    if (isList(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** Replaces the places in a value. Omits fields whose place is missing or `null` in the answer. */
function fill(value: Json, answer: Json, entry: Json | undefined): Json | undefined {
  if (typeof value === 'string') return PLACE.test(value) ? (at(value, answer, entry) ?? undefined) : value;
  if (isList(value)) return value.map((one) => fill(one, answer, entry)).filter((one) => one !== undefined);
  if (!isJsonObject(value)) return value;
  const fields: [string, Json][] = [];
  for (const [name, one] of Object.entries(value)) {
    const filled = fill(one, answer, entry);
    if (filled !== undefined) fields.push([name, filled]);
  }
  return Object.fromEntries(fields);
}
