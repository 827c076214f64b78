/** Fields of an order as the broker names them, with their names in `trade_execute`. */
const FIELDS: Readonly<Record<string, string>> = {
  limitPrice: 'price',
  stopPrice: 'stop_price',
  trailAmount: 'trail',
  trailFraction: 'trail_percent',
  equityFraction: 'equity_percent',
  targetQuantity: 'target_quantity',
  targetFraction: 'target_percent',
  timeInForce: 'time_in_force',
  goodTill: 'good_till',
  validBars: 'valid_bars',
  reduceOnly: 'reduce_only',
  stopLoss: 'stop_loss',
  takeProfit: 'take_profit',
  limitOffset: 'limit_offset',
  activationPrice: 'activation_price',
  postOnly: 'post_only',
};

/**
 * Translates a rejection of the broker to the terms of `trade_execute`: its field names, and percent instead
 * of fractions.
 */
export function inToolWords(text: string): string {
  return text
    .replaceAll(
      /(\w+Fraction) (\d*\.\d+)/g,
      (_, name: string, value: string) => `${name} ${Number(value) * 100}`,
    )
    .replaceAll('trailFraction (between 0 and 1)', 'trailFraction (between 0 and 100)')
    .replaceAll(
      '{distance}, {fraction} below 1, or {atr}',
      'a percent of the fill, or a multiple of the average true range',
    )
    .replaceAll(/\btype (?=limit|stop|trailing_stop)/g, 'order_type ')
    .replaceAll(/\b[a-z]+[A-Z]\w+\b/g, (word) => FIELDS[word] ?? word);
}
