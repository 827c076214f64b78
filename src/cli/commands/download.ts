import { DAY, type Fault, faultsError, parseInstant } from '../../kernel/index.ts';
import { downloadBars, downloadFred, FRED, Http, providerOf } from '../../market/acquire/index.ts';
import { downloadFlagsSchema, readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';

/** `sandtable data download`: downloads bars from a provider. */
export async function downloadCommand(
  name: string,
  symbols: readonly string[],
  given: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<void> {
  const isFred = name.toLowerCase() === FRED.name;
  const provider = isFred ? { ...FRED, intervals: undefined } : providerOf(name);
  const faults: Fault[] = [];
  const interval = typeof given.interval === 'string' ? given.interval.toLowerCase() : '1d';
  if (provider.intervals !== undefined && !Object.hasOwn(provider.intervals, interval))
    faults.push({
      where: '--interval',
      message: `${provider.name} has no bars of "${interval}"; it has ${Object.keys(provider.intervals).join(', ')}`,
    });
  for (const key of provider.keys) {
    if ((io.env[key]?.trim() ?? '') === '')
      faults.push({ where: key, message: 'is not set in the environment. The provider requires this key' });
  }
  if (given.from === undefined)
    faults.push({ where: '--from', message: 'is missing. Pass the first date, for example 2015-01-01' });
  const flags = readFlags(downloadFlagsSchema, { from: '1900-01-01', ...given }, 'data download', faults);
  const http = new Http({
    provider: provider.name,
    baseUrl: baseUrlOf(provider, flags.baseUrl, io),
    spacing: flags.rate === undefined ? provider.spacing : 60_000 / flags.rate,
    environment: io.env,
    onNote: (text) => printLine(io.stderr, text),
  });
  const period = {
    from: parseInstant(flags.from)!,
    to: flags.to === undefined ? Date.now() : endOf(flags.to),
  };
  if (period.from > period.to)
    throw faultsError(
      'bad_flags',
      'sandtable data download',
      [{ where: '--to', message: 'is before --from' }],
      'Pass a --from date that is not after --to.',
    );
  const out = flags.out ?? 'data/catalog';
  for (const symbol of new Set(symbols)) {
    if (isFred) {
      const { file, values } = await downloadFred(symbol, period, out, http);
      printLine(io.stdout, `${symbol}: ${values.toLocaleString('en-US')} values in ${file}`);
      continue;
    }
    const found = await downloadBars(
      { provider: providerOf(name), symbol, ...period, interval, out, now: Date.now() },
      http,
    );
    const { added, revised, requests, folder } = found;
    const news =
      requests === 0 ? 'already complete' : `${added.toLocaleString('en-US')} new bars, ${revised} revised`;
    printLine(
      io.stdout,
      `${symbol}: ${news}, ${requests} ${requests === 1 ? 'request' : 'requests'}, in ${folder}`,
    );
  }
}

/**
 * Returns the base URL of a provider: from the flag, or else from the environment, or else the provider's
 * default.
 */
function baseUrlOf(
  provider: { readonly name: string; readonly baseUrl: string },
  flag: string | undefined,
  io: Io,
): string {
  const variable = `SANDTABLE_${provider.name.replace(/:.*/, '').toUpperCase()}_URL`;
  return (flag ?? io.env[variable] ?? provider.baseUrl).replace(/\/+$/, '');
}

function endOf(to: string): number {
  const instant = parseInstant(to)!;
  return /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(to) ? instant + DAY - 1 : instant;
}
