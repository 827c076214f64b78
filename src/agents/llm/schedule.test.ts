import { describe, expect, it } from 'vitest';
import type { BarContext } from '../../engine/index.ts';
import { formatInstant, parseInstant } from '../../kernel/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { createSchedule } from './schedule.ts';
import type { Schedule } from './schema.ts';

async function decisions(
  schedule: Schedule,
  dates: readonly string[],
  warmUpBars = 0,
  start?: string,
): Promise<string[]> {
  const { isDue } = createSchedule({
    schedule,
    warmUpBars,
    decisionStart: start === undefined ? undefined : parseInstant(start),
    toolkit: { names: [], call: () => Promise.resolve({ result: true }) } as unknown as Toolkit,
    importModule: () => Promise.resolve((turn: BarContext) => turn.bar % 2 === 1),
  });
  const due: string[] = [];
  for (const [bar, date] of dates.entries()) {
    const time = parseInstant(date)!;
    if (await isDue({ bar, time } as BarContext)) due.push(formatInstant(time));
  }
  return due;
}

const MARCH = [
  '2021-03-29',
  '2021-03-30',
  '2021-03-31',
  '2021-04-01',
  '2021-04-05',
  '2021-04-06',
  '2021-04-09',
  '2021-04-12',
];

describe('createSchedule', () => {
  it('decides on the last bar of a week, or on the next bar if Friday is a holiday', async () => {
    expect(await decisions('week_end', MARCH)).toEqual(['2021-04-05', '2021-04-09']);
  });

  it('decides on the last weekday of a month', async () => {
    expect(await decisions('month_end', MARCH)).toEqual(['2021-03-31']);
    expect(await decisions('month_end', ['2021-05-27', '2021-05-28', '2021-06-01'])).toEqual(['2021-06-01']);
  });

  it('ends weeks on Sunday if earlier weekends have bars', async () => {
    const days = Array.from({ length: 16 }, (_, day) => `2021-03-${String(day + 6).padStart(2, '0')}`);
    expect(await decisions('week_end', days)).toEqual(['2021-03-07', '2021-03-14', '2021-03-21']);
  });

  it('decides on intraday bars only after the end of the period', async () => {
    const hours = [
      '2021-04-01T19:00',
      '2021-04-01T20:00',
      '2021-04-02T15:00',
      '2021-04-02T16:00',
      '2021-04-05T09:00',
    ];
    expect(await decisions('week_end', hours)).toEqual(['2021-04-05T09:00:00']);
  });

  it('counts bars from the first bar that may decide', async () => {
    expect(await decisions({ every_bars: 3 }, MARCH, 2)).toEqual(['2021-03-30', '2021-04-05', '2021-04-12']);
    expect(await decisions({ every_bars: 3 }, MARCH, 0, '2021-04-05')).toEqual(['2021-04-05', '2021-04-12']);
  });

  it('supports modules, Python expressions and weekdays', async () => {
    expect(await decisions({ module: './when.ts' }, MARCH.slice(0, 3))).toEqual(['2021-03-30']);
    expect(await decisions({ python: 'True' }, MARCH.slice(0, 2))).toEqual(['2021-03-29', '2021-03-30']);
    expect(await decisions({ weekday: 'monday' }, MARCH)).toEqual(['2021-03-29', '2021-04-05', '2021-04-12']);
  });
});
