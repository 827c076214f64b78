import { isJsonObject, type Json } from '../../../engine/index.ts';
import type { JsonSchema, ToolDefinition } from '../../../toolkit/index.ts';
import { rememberCanonical } from '../../model/canonical.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import { ANSWER_TOOL, type AnswerRequest } from '../../model/types.ts';
import { type AnswerSchema, isList, isStrict } from './answer-schema.ts';
import type { AnswerCall, OutputSettings } from './settings.ts';

/** The form of a decision's answer, as one run asks for it. */
export interface AnswerForm {
  readonly request: AnswerRequest;
  /** The tool whose arguments the answer is; undefined where the server's JSON schema asks for it. */
  readonly tool: ToolDefinition | undefined;
  readonly calls: readonly AnswerCall[];
}

const SYMBOLS = '{{symbols}}';
const TOOL_WORDS =
  'Ends this decision with your answer. Call it once, when you are done, and put all of the answer into its arguments.';

/**
 * The form of a strategy's answers in one run: `{{symbols}}` as a field, or as an entry of a list, stands for each of
 * the run's symbols.
 *
 * @param maskText over every text of it
 * @param hasTools whether the model has tools of its own
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
  // Its keywords have been checked when the strategy was read.
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

/** Every text of an answer's form that a model is shown. */
export function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsOf(one)]);
}
