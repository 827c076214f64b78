import { AppError, nearest } from '../../../kernel/index.ts';
import type { Provider } from '../provider.ts';
import { alpaca } from './alpaca.ts';
import { alphaVantage } from './alpha-vantage.ts';
import { ccxtProvider } from './ccxt.ts';
import { stooq } from './stooq.ts';
import { tiingo } from './tiingo.ts';

const PROVIDERS: Readonly<Record<string, Provider>> = { stooq, alphavantage: alphaVantage, tiingo, alpaca };

/** Valid provider names for `data download`. */
export const PROVIDER_NAMES = [...Object.keys(PROVIDERS), 'fred', 'ccxt:<exchange>'];

/**
 * Returns the provider with this name.
 *
 * @throws AppError `bad_flags` for an unknown name
 */
export function providerOf(name: string): Provider {
  const found = PROVIDERS[name.toLowerCase()];
  if (found !== undefined) return found;
  const [library, exchange = ''] = name.split(':');
  if (library === 'ccxt' && /^[a-z0-9]+$/.test(exchange)) return ccxtProvider(exchange);
  const meant = nearest(name, Object.keys(PROVIDERS));
  throw new AppError({
    code: 'bad_flags',
    message: `Unknown provider "${name}".`,
    hint: meant === undefined ? `Available: ${PROVIDER_NAMES.join(', ')}.` : `Did you mean ${meant}?`,
  });
}
