import type { BrokerSettings } from '../broker/index.ts';
import { Exact, type Fault, faultsError, formatInstant } from '../kernel/index.ts';
import type { Market } from '../market/index.ts';

/**
 * Finds bars without a price on the tick between low and high. No order could be filled in such a bar.
 *
 * @throws AppError `bad_data` with every such bar
 */
export function checkTickGrid(market: Market, settings: BrokerSettings): void {
  const end = market.clock.at(-1)!;
  const faults: Fault[] = market.series.flatMap(({ symbol, time, low, high }) => {
    const own = Object.hasOwn(settings.instruments, symbol) ? settings.instruments[symbol] : undefined;
    const tick = own?.tick ?? settings.tick;
    if (tick === undefined) return [];
    const exactTick = Exact.of(tick);
    return Array.from(time).flatMap((instant, bar): Fault[] => {
      // Bars after the end of the clock are never processed.
      if (instant > end) return [];
      // Decimals are only used if the float64 product may be rounded or found no price.
      const below = Math.floor(high[bar]! / tick) * tick;
      if (below > low[bar]! && below < high[bar]!) return [];
      const exact = Exact.of(high[bar]!).dividedBy(exactTick).floor().times(exactTick);
      if (exact.compare(Exact.of(low[bar]!)) >= 0) return [];
      const message = `no price from ${low[bar]} to ${high[bar]} lies on the tick of ${tick}`;
      return [{ where: `${symbol} ${formatInstant(instant)}`, message }];
    });
  });
  if (faults.length === 0) return;
  throw faultsError(
    'bad_data',
    'The tick does not fit the data',
    faults,
    'Give a tick that the prices are multiples of, or none; prices adjusted for splits and dividends have none.',
  );
}
