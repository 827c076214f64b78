import { asJson } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import type { RunServices } from '../run-services.ts';
import { samplingOf } from './create-exchanger.ts';
import { maskedSettings } from './masked-settings.ts';
import type { AnswerForm } from './output/answer-form.ts';
import type { LlmStrategy } from './read-prompt.ts';

/**
 * Event with the settings that are the same in all requests of a run and that influence decisions. Limits and
 * timeouts are excluded.
 */
export function configuredEvent(
  strategy: LlmStrategy,
  { mask, sample = 1 }: RunServices,
  bar: number,
  tools: readonly ToolDefinition[],
  form: AnswerForm | undefined,
) {
  const settings = maskedSettings(strategy.settings, mask);
  const { schedule, warm_up_bars, decision_start, rounds, notes, stream } = settings;
  const sampling = samplingOf(settings.sampling, sample);
  return {
    type: 'model_configured',
    bar,
    ...(strategy.role === undefined ? {} : { role: strategy.role }),
    model: strategy.model,
    provider: strategy.provider,
    api: settings.api,
    tools,
    configuration: {
      sampling: asJson(sampling),
      stream,
      schedule: asJson(schedule),
      warm_up_bars,
      decision_start: decision_start === undefined ? null : formatInstant(decision_start),
      rounds,
      tool_output_chars: settings.tool_output_chars,
      context_tokens:
        settings.context_tokens ?? capabilitiesOf(strategy.provider, strategy.model).contextTokens,
      notes,
      on_failure: settings.on_failure,
      ...(form === undefined
        ? {}
        : { output: { by: form.request.by, schema: form.request.schema, calls: asJson(form.calls) } }),
      ...(settings.text_tool_calls ? { text_tool_calls: true } : {}),
      ...(Object.keys(settings.extra_body).length === 0 ? {} : { extra_body: asJson(settings.extra_body) }),
      budget_of_a_decision: asJson(settings.budget.decision),
    },
    price: asJson(strategy.price),
  } as const;
}
