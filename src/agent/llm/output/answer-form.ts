import { isJsonObject, type Json } from '../../../engine/index.ts';
import type { JsonSchema, ToolDefinition } from '../../../toolkit/index.ts';
import { rememberCanonical } from '../../model/canonical.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import { ANSWER_TOOL, type AnswerRequest } from '../../model/types.ts';
import { type AnswerSchema, isList, isStrict } from './answer-schema.ts';
import type { AnswerCall, OutputSettings } from './settings.ts';

/** Required form of a decision's answer in one run. */
export interface AnswerForm {
  readonly request: AnswerRequest;
  /** Tool whose arguments are the answer. `undefined` if the server's JSON schema enforces the form. */
  readonly tool: ToolDefinition | undefined;
  readonly calls: readonly AnswerCall[];
}

const SYMBOLS = '{{symbols}}';
const TOOL_WORDS =
  'Ends this decision with your answer. Call it once, when you are done, and put all of the answer into its arguments.';

/**
 * Returns the answer form of a strategy for one run. `{{symbols}}` as a field or list entry is replaced by
 * the run's symbols.
 *
 * @param maskText masks every text of the form
 * @param hasTools true if the model has other tools
 */
export function answerForm(
  output: OutputSettings,
  symbols: readonly string[],
  maskText: (text: string) => string,
  { answerSchema }: Capabilities,
  hasTools: boolean,
): AnswerForm {
  const expand = (value: Json): Json => {
    if (typeof value === 'string') return maskText(value);
    if (isList(value))
      return value.flatMap((one): readonly Json[] => (one === SYMBOLS ? symbols : [expand(one)]));
    return isJsonObject(value) ? fields(value) : value;
  };
  const fields = (value: AnswerSchema): Record<string, Json> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, one]): [string, Json][] => {
        const filled = expand(one);
        return name === SYMBOLS ? symbols.map((symbol) => [symbol, filled]) : [[maskText(name), filled]];
      }),
    );
  const schema = fields(output.schema);
  const takesSchema = answerSchema === 'always' || (answerSchema === 'without-tools' && !hasTools);
  const by = output.by ?? (takesSchema ? 'json_schema' : 'tool');
  rememberCanonical(schema);
  return {
    request: { by, schema, strict: isStrict(schema) },
    tool: by === 'tool' ? answerTool(schema) : undefined,
    calls: output.calls.map(({ arguments: given, when, ...call }) => ({
      ...call,
      arguments: fields(given),
      ...(when === undefined ? {} : { when: typeof when === 'string' ? when : maskedWhen(when, maskText) }),
    })),
  };
}

function answerTool(schema: AnswerSchema): ToolDefinition {
  // Its keywords were checked when the strategy was read.
  const parameters = schema as JsonSchema;
  return { type: 'function', function: { name: ANSWER_TOOL, description: TOOL_WORDS, parameters } };
}

function maskedWhen(
  when: Exclude<AnswerCall['when'], string | undefined>,
  maskText: (text: string) => string,
): AnswerCall['when'] {
  const over = <Value>(value: Value): Value | string => (typeof value === 'string' ? maskText(value) : value);
  return Object.fromEntries(
    Object.entries(when).map(([place, wanted]) => [
      place,
      Array.isArray(wanted) ? wanted.map(over) : over(wanted),
    ]),
  );
}

/** Returns every text of an answer's form that a model is shown. */
export function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsOf(one)]);
}
