import type { Command } from 'commander';
import { z } from 'zod';
import {
  COMMISSION_MODELS,
  commissionSchema,
  instrumentSchema,
  SLIPPAGE_MODELS,
  slippageSchema,
} from '../broker/index.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import type { Fault } from '../kernel/index.ts';
import {
  instantText,
  instrumentTexts,
  lotText,
  modelText,
  moneyText,
  numberText,
  wholeText,
} from './flag-values.ts';

/** One flag that sets one of a run's settings. */
interface SettingFlag {
  /** As the help shows it. */
  readonly flag: string;
  readonly help: string;
  /** What the text of the flag may be, and what it becomes. */
  readonly value: z.ZodType;
  /** Where it goes in the settings; the flag's own name where left out. */
  readonly path?: readonly string[];
}

const multiple = numberText({ min: 0, max: 1_000, above: true });
const share = numberText({ min: 0, max: 1, above: true });
const step = numberText({ min: 1e-12, max: 1e12 });
const lot = lotText({ min: 1e-12, max: 1e12 });
const yes = z.boolean();

/** By the name that commander gives the flag's value. */
const GROUPS = {
  'Account:': {
    cash: { flag: '--cash <amount>', help: 'initial cash (default 100000)', value: moneyText },
    leverage: {
      flag: '--leverage <n>',
      help: 'notional a unit of equity carries (default 1)',
      value: numberText({ min: 1, max: 1_000 }),
    },
    maintenanceMargin: {
      flag: '--maintenance-margin <share>',
      help: 'equity below this share of gross exposure is liquidated (default half of 1/leverage; 0 for never, as without leverage)',
      value: numberText({ min: 0, max: 1 }),
    },
    allowNegativeEquity: {
      flag: '--allow-negative-equity',
      help: 'go on where the account owes more than it owns, which stamps the run; otherwise that ends it',
      value: yes,
    },
    short: {
      flag: '--no-short',
      help: 'refuse orders that would open a short position',
      value: yes,
      path: ['allowShort'],
    },
    lots: {
      flag: '--lots <method>',
      help: 'match closed units with their cost by fifo or average (default fifo)',
      value: z.enum(['fifo', 'average']),
    },
    currency: {
      flag: '--currency <code>',
      help: "the account's currency (default USD)",
      value: z.string().transform((code) => code.trim().toUpperCase()),
    },
    creditRate: {
      flag: '--credit-rate <rate>',
      help: 'interest on cash a year: 0.02 is 2 % (default 0)',
      value: numberText({ min: -1, max: 1 }),
      path: ['financing', 'creditRate'],
    },
    debitRate: {
      flag: '--debit-rate <rate>',
      help: 'interest on borrowed cash a year (default 0)',
      value: numberText({ min: 0, max: 10 }),
      path: ['financing', 'debitRate'],
    },
    borrowRate: {
      flag: '--borrow-rate <rate>',
      help: 'fee on the value of short positions a year (default 0)',
      value: numberText({ min: 0, max: 10 }),
      path: ['financing', 'borrowRate'],
    },
    seed: {
      flag: '--seed <n>',
      help: 'seeds every random number (default 0)',
      value: numberText({ min: 0, max: 2 ** 32 - 1, whole: true }),
    },
    evaluateFrom: {
      flag: '--evaluate-from <date>',
      help: 'the first date that counts; what comes before is history (default all, after a warm-up)',
      value: instantText,
    },
    mark: {
      flag: '--mark <price>',
      help: 'value positions at their closes or their opens: close or open (default close)',
      value: z.enum(['close', 'open']),
    },
    lookback: {
      flag: '--lookback <bars>',
      help: 'bars the strategy can look back on (default all)',
      value: wholeText(1),
    },
  },
  'Costs:': {
    commission: {
      flag: '--commission <rate>',
      help: 'commission as a fraction of each fill: 0.002 is 0.2 % (default 0)',
      value: numberText({ min: 0, max: 0.999_999 }),
      path: ['commissionRate'],
    },
    commissionModel: {
      flag: '--commission-model <model>',
      help: 'rate:rate=R, fixed:amount=M, per-share:perShare=M,minimum=M,maximumRate=R, tiered:0=R,100000=R or maker-taker:maker=R,taker=R',
      value: modelText(commissionSchema, COMMISSION_MODELS, { key: 'tiers', from: 'from', value: 'rate' }),
      path: ['commission'],
    },
    slippageBps: {
      flag: '--slippage-bps <n>',
      help: 'slippage of market fills in basis points (default 0)',
      value: numberText({ min: 0, max: 9_999 }),
    },
    slippageModel: {
      flag: '--slippage-model <model>',
      help: 'bps:bps=N, fixed:amount=M, spread:bps=N, spread:column=NAME, spread:bid=NAME,ask=NAME or volume-impact:coefficient=X',
      value: modelText(slippageSchema, SLIPPAGE_MODELS),
      path: ['slippage'],
    },
  },
  'Fills:': {
    lot: { flag: '--lot <units>', help: 'smallest quantity and step of quantities (default 1)', value: lot },
    tick: { flag: '--tick <price>', help: 'step of prices (default none)', value: step },
    instrument: {
      flag: '--instrument <terms...>',
      help: "one symbol's own: AAPL:lot=1,tick=0.01,minimumNotional=10",
      value: instrumentTexts(instrumentSchema),
      path: ['instruments'],
    },
    participation: {
      flag: '--participation <share>',
      help: "most of a bar's volume that fills may take (default all)",
      value: share,
    },
    limitThrough: {
      flag: '--limit-through',
      help: 'a limit needs the price to go through it, not just touch it',
      value: yes,
      path: ['limitNeedsThrough'],
    },
    fillOn: {
      flag: '--fill-on <when>',
      help: 'market orders fill at the next open, or at the close they were decided on: open or close (default open; close stamps the run)',
      value: z.enum(['open', 'close']),
    },
    resolve: {
      flag: '--resolve <answer>',
      help: 'of a bar that allows several outcomes, book the worst or the best; run also knows both, which runs it twice and shows the two side by side (default worst)',
      value: z.enum(['worst', 'best']),
    },
    decisionTimeout: {
      flag: '--decision-timeout <seconds>',
      help: 'time of one decision, after which the run fails (default 60 for rules, no limit for models)',
      value: numberText({ min: 0, max: 86_400, above: true }),
    },
    barTimes: {
      flag: '--bar-times <which>',
      help: "what a bar's time means: the start of its interval, or the end (default start)",
      value: z.enum(['start', 'end']),
    },
  },
  'Risk limits:': {
    maxPosition: {
      flag: '--max-position <n>',
      help: 'one position, as a multiple of equity: 0.2 is 20 %',
      value: multiple,
      path: ['risk', 'maxPosition'],
    },
    maxGross: {
      flag: '--max-gross <n>',
      help: 'all positions together, long and short added up',
      value: multiple,
      path: ['risk', 'maxGrossExposure'],
    },
    maxNet: {
      flag: '--max-net <n>',
      help: 'long less short',
      value: multiple,
      path: ['risk', 'maxNetExposure'],
    },
    maxOpenPositions: {
      flag: '--max-open-positions <n>',
      help: 'positions open at a time',
      value: numberText({ min: 1, max: 1e6, whole: true }),
      path: ['risk', 'maxOpenPositions'],
    },
    maxOrderNotional: {
      flag: '--max-order-notional <amount>',
      help: 'value of one order',
      value: numberText({ min: 0, max: 1e15, above: true }),
      path: ['risk', 'maxOrderNotional'],
    },
    maxDailyLoss: {
      flag: '--max-daily-loss <share>',
      help: 'loss of a day after which nothing more is opened that day: 0.03 is 3 %',
      value: share,
      path: ['risk', 'maxDailyLoss'],
    },
    maxDrawdown: {
      flag: '--max-drawdown <share>',
      help: 'fall from the peak after which nothing more is ever opened',
      value: share,
      path: ['risk', 'maxDrawdown'],
    },
    flattenOnHalt: {
      flag: '--flatten-on-halt',
      help: 'close everything when the drawdown limit is reached',
      value: yes,
      path: ['risk', 'flattenOnHalt'],
    },
    cooldownBars: {
      flag: '--cooldown-bars <n>',
      help: 'bars after a losing exit in which a symbol is not opened again',
      value: numberText({ min: 1, max: 1e9, whole: true }),
      path: ['risk', 'cooldownBars'],
    },
  },
} as const satisfies Record<string, Record<string, SettingFlag>>;

const FLAGS: Readonly<Record<string, SettingFlag>> = Object.assign({}, ...Object.values(GROUPS));

/** The zod field of every flag that sets a setting, and of `--settings`. */
export const settingsFields = {
  ...Object.fromEntries(Object.entries(FLAGS).map(([name, { value }]) => [name, value.optional()])),
  settings: z.string().optional(),
} as Record<string, z.ZodType>;

/** Adds the flags that set an account, its trading terms and its risk limits, in groups. */
export function addSettingsFlags(command: Command): Command {
  for (const [group, flags] of Object.entries(GROUPS)) {
    command.optionsGroup(group);
    for (const { flag, help } of Object.values<SettingFlag>(flags)) command.option(flag, help);
  }
  return command
    .optionsGroup('Data:')
    .option('--fx <path...>', 'files with exchange rates: bars of pairs such as EURUSD.csv')
    .option('--actions <file>', 'dividends, splits and delistings: symbol,date,kind,amount,ratio,price')
    .optionsGroup('Other options:')
    .option(
      '--settings <file>',
      'JSON with any of the settings, nested as in docs/risk.md; flags win over it',
    );
}

/** The settings that flags set, and nothing else. */
export function settingsOfFlags(flags: Readonly<Record<string, unknown>>): RunSettingsInput {
  const settings: Record<string, unknown> = {};
  for (const [name, { path = [name] }] of Object.entries(FLAGS)) {
    const value = flags[name];
    // `--no-short` leaves true behind where it is not given.
    if (value === undefined || (name === 'short' && value === true)) continue;
    const [first, second] = path as readonly [string, string?];
    if (second === undefined) settings[first] = value;
    else settings[first] = { ...(settings[first] as object | undefined), [second]: value };
  }
  return settings as RunSettingsInput;
}

/** Pairs of flags that say the same thing in two ways. */
export function contradictions(given: Readonly<Record<string, unknown>>): Fault[] {
  const pairs = [
    ['commission', 'commissionModel', '--commission', '--commission-model'],
    ['slippageBps', 'slippageModel', '--slippage-bps', '--slippage-model'],
  ] as const;
  return pairs
    .filter(([one, other]) => given[one] !== undefined && given[other] !== undefined)
    .map(([, , one, other]) => ({ where: one, message: `${other} says it too: give one of them` }));
}
