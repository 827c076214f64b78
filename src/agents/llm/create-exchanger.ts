import { AppError } from '../../kernel/index.ts';
import { checkCanary } from '../../masking/index.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import { chatProtocol } from '../model/chat.ts';
import { createModelClient } from '../model/client.ts';
import { Exchanger, type ExchangerOptions } from '../model/exchange.ts';
import { sharedLimiter } from '../model/limiter.ts';
import { responsesProtocol } from '../model/responses.ts';
import type { RunServices } from '../run-services.ts';
import { bringsKey, filledHeaders, redactor, secretsOfUrl } from './environment.ts';
import type { LlmStrategy } from './read-prompt.ts';

/**
 * Creates the exchanger, which sends a strategy's model requests.
 *
 * @throws AppError `api_key_missing`
 */
export function createExchanger(
  strategy: LlmStrategy,
  services: RunServices,
  onExchange: ExchangerOptions['onExchange'],
): Exchanger {
  const { settings, model, provider, baseUrl, price } = strategy;
  const { sample = 1, recording, otherRecord, replayOnly = false, signal, meter, onModelTiming } = services;
  const protocolOf = settings.api === 'chat' ? chatProtocol : responsesProtocol;
  const protocol = protocolOf({
    model,
    capabilities: capabilitiesOf(provider, model),
    sampling: samplingOf(settings.sampling, sample),
    stream: settings.stream,
    extraBody: settings.extra_body,
  });
  return new Exchanger({
    sample,
    protocol,
    client: clientFor(strategy, services, protocol),
    limiter: sharedLimiter(baseUrl, {
      requestsPerMinute: settings.limits.requests_per_minute,
      tokensPerMinute: settings.limits.tokens_per_minute,
      concurrency: settings.limits.concurrency,
    }),
    retry: {
      retries: settings.request.retries,
      baseMs: settings.request.backoff_seconds * 1000,
      longestMs: settings.request.longest_wait_seconds * 1000,
    },
    price,
    recording,
    otherRecord,
    replayOnly,
    signal,
    inspect: checkCanary,
    onExchange,
    meter,
    onTiming: onModelTiming,
  });
}

/**
 * Returns the sampling settings for run number `sample` of several independent runs. Each run gets a
 * different seed, because with equal seeds all runs would be identical.
 */
export function samplingOf(
  sampling: LlmStrategy['settings']['sampling'],
  sample: number,
): LlmStrategy['settings']['sampling'] {
  return sampling.seed === undefined ? sampling : { ...sampling, seed: sampling.seed + sample - 1 };
}

function clientFor(
  strategy: LlmStrategy,
  { environment, replayOnly }: RunServices,
  protocol: ReturnType<typeof chatProtocol>,
): ReturnType<typeof createModelClient> {
  const { settings, baseUrl } = strategy;
  const headers = filledHeaders(settings.headers, environment);
  if (headers.missing.length > 0 && replayOnly !== true) {
    const names = headers.missing.join(', ');
    throw new AppError({
      code: 'api_key_missing',
      message: `${strategy.file} uses ${names} in its headers, and the environment has no value for ${names}. A request needs all of them.`,
      hint: `Set ${names} in the environment or in a file .env, or resume with --replay-only, which sends no request.`,
    });
  }
  const key = environment[settings.api_key_env] ?? '';
  if (key === '' && replayOnly !== true && !isNearby(baseUrl) && !bringsKey(settings.headers)) {
    throw new AppError({
      code: 'api_key_missing',
      message: `${strategy.file} needs a key for ${new URL(baseUrl).host}, and ${settings.api_key_env} is not set.`,
      hint: `Set ${settings.api_key_env} in the environment or in a file .env, or set another server with base_url.`,
    });
  }
  return createModelClient({
    baseUrl,
    // The `openai` client requires a key. Local servers, replays and strategies with a key in the headers do
    // not use it.
    apiKey: key === '' ? 'none' : key,
    headers: headers.values,
    protocol,
    timeoutMs: settings.request.timeout_seconds * 1000,
    redact: redactor([key, ...headers.secrets, ...secretsOfUrl(baseUrl)]),
  });
}

/**
 * Returns true if the address is on this machine or in its local network. Such servers usually need no key.
 */
function isNearby(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return (
    /^(?:localhost|\[::1\]|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(hostname) ||
    /\.(?:local|internal|lan)$/.test(hostname) ||
    !hostname.includes('.')
  );
}
