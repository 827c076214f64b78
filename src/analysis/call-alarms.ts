import { isJsonObject, type Json } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { type Alarm, counted } from './alarm.ts';
import { groupBy } from './group-by.ts';

/** Maximum number of characters shown of an error or a remedy. */
const SHOWN = 200;

/** Kinds of deciders that see the error of a failed call and can correct it. */
const CORRECT_THEMSELVES: ReadonlySet<string> = new Set(['llm', 'agent', 'mcp']);

/** True if the orders and calls of a run are made by fixed code, which does not correct its own mistakes. */
export function isFixedCode({ started }: RunRecord): boolean {
  return !CORRECT_THEMSELVES.has(started.strategy.kind);
}

/** The error of a failed tool call. `undefined` for a call that succeeded. */
function errorOf(result: Json): string | undefined {
  return isJsonObject(result) && 'error' in result ? firstLine(result.error) : undefined;
}

/** One alarm per tool: for fixed code from the first failed call on, for models and agents from half of the calls on. */
export function failedCalls(record: RunRecord): Alarm[] {
  const least = isFixedCode(record) ? 0 : 0.5;
  return [...groupBy(record.toolCalls, ({ name }) => name)].flatMap(([name, calls]) => {
    const failed = calls.filter(({ result }) => errorOf(result) !== undefined);
    if (failed.length === 0 || failed.length < calls.length * least) return [];
    return [failedCallsOf(record, name, failed, calls.length)];
  });
}

type Calls = RunRecord['toolCalls'];

function failedCallsOf({ bars }: RunRecord, name: string, failed: Calls, calls: number): Alarm {
  const first = failed[0]!;
  const kinds = groupBy(failed, ({ result }) => errorOf(result)!);
  const [error, same] = [...kinds].reduce((most, one) => (one[1].length > most[1].length ? one : most));
  const share =
    failed.length === calls
      ? `All ${counted(calls, `call`)}`
      : `${failed.length.toLocaleString('en-US')} of ${counted(calls, 'call')}`;
  const date = bars.find(({ bar }) => bar === first.bar)?.date;
  const often = kinds.size === 1 ? '' : `, ${same.length.toLocaleString('en-US')} times`;
  const [{ result }] = same as unknown as [Calls[number]];
  const remedy = isJsonObject(result) ? firstLine(result.remediation ?? '') : '';
  return {
    kind: 'failed_calls',
    count: failed.length,
    problem: `${share} of ${name} failed${often}: ${withStop(error)} First on ${date ?? `bar ${first.bar}`}.`,
    meaning: 'The decisions on these bars were made without the result of the call.',
    nextStep: `${remedy === '' ? 'Fix the call.' : withStop(capital(remedy))} Check \`answer.error\` after each call.`,
  };
}

function firstLine(value: Json | undefined): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value ?? '')).split('\n', 1)[0] ?? '';
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

function withStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
