import { isJsonObject } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { grouped } from '../kernel/index.ts';
import { type Alarm, counted } from './alarm.ts';
import { volumeShares } from './capacity.ts';

/** Share of a bar's volume above which a fill is not realistic without a limit. */
const LARGE_FILL = 0.1;

/** Alarms about assumptions that a real market does not meet. */
export function realismAlarms(record: RunRecord): Alarm[] {
  if (record.fills.length === 0) return [];
  return [...noCosts(record), ...largeFills(record)];
}

function noCosts({ fills, started }: RunRecord): Alarm[] {
  const { commissionRate, commission, slippageBps, slippage } = isJsonObject(started.settings)
    ? started.settings
    : {};
  const isSet = [commissionRate, slippageBps].some((rate) => typeof rate === 'number' && rate !== 0);
  if (isSet || commission !== undefined || slippage !== undefined) return [];
  // Instruments and custom cost models can have costs too.
  const isFree = fills.every(
    (fill) => Number(fill.commission) === 0 && Number(fill.price) === Number(fill.priceBeforeSlippage),
  );
  if (!isFree) return [];
  return [
    {
      kind: 'no_costs',
      count: fills.length,
      problem: `No commission and no slippage: ${counted(fills.length, 'fill')} cost nothing.`,
      meaning: 'Real trading costs money, so the result is too good.',
      nextStep: 'Set the costs of your market, for example `--commission 0.0005 --slippage-bps 5`.',
    },
  ];
}

function largeFills(record: RunRecord): Alarm[] {
  const { settings } = record.started;
  if (isJsonObject(settings) && typeof settings.participation === 'number') return [];
  const shares = volumeShares(record).map(({ share }) => share);
  const large = shares.filter((share) => share > LARGE_FILL);
  if (large.length === 0) return [];
  const largest = large.reduce((most, share) => Math.max(most, share));
  return [
    {
      kind: 'large_fills',
      count: large.length,
      problem: `${large.length.toLocaleString('en-US')} of ${counted(record.fills.length, 'fill')} took more than ${LARGE_FILL * 100} % of the volume of the bar. The largest took ${grouped(largest * 100, 0)} %.`,
      meaning: 'A real market could not fill these orders at these prices.',
      nextStep: 'Limit fills to a share of the volume with `--participation 0.1`, or trade less.',
    },
  ];
}
