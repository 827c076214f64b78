import { type BarContext, isJsonObject } from '../../engine/index.ts';
import { AppError, DAY, type Instant } from '../../kernel/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import type { Schedule } from './schema.ts';

/** Returns true if the model is called at a bar. */
type IsDue = (turn: BarContext) => boolean | Promise<boolean>;

export interface DecisionSchedule {
  readonly isDue: IsDue;
  /**
   * Processes a bar without a decision. `week_end` and `month_end` need the times of all bars to detect the
   * end of a period.
   */
  watch(turn: BarContext): void;
}

/** Function that a schedule's module exports. Returns true if the model is called at the bar. */
type Condition = (turn: BarContext) => boolean | Promise<boolean>;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export interface ScheduleOptions {
  readonly schedule: Schedule;
  readonly warmUpBars: number;
  readonly decisionStart: Instant | undefined;
  readonly toolkit: Toolkit;
  /** Imports a module by name and returns its default export. */
  readonly importModule: (name: string) => Promise<unknown>;
}

/** Creates a schedule. The schedule uses only bars that have been passed to it. */
export function createSchedule(options: ScheduleOptions): DecisionSchedule {
  const { warmUpBars, decisionStart = Number.NEGATIVE_INFINITY } = options;
  const rule = ruleOf(options);
  const { schedule } = options;
  const isDue: IsDue = (turn) => {
    // The rule is evaluated even during the warm-up, because the end of a week or month is detected from
    // earlier dates.
    const due = rule(turn);
    return turn.bar + 1 >= Math.max(warmUpBars, 1) && turn.time >= decisionStart ? due : false;
  };
  return {
    isDue,
    watch(turn) {
      if (schedule === 'week_end' || schedule === 'month_end') void rule(turn);
    },
  };
}

function ruleOf({ schedule, toolkit, importModule, warmUpBars, decisionStart }: ScheduleOptions): IsDue {
  if (schedule === 'every_bar') return () => true;
  if (schedule === 'week_end') return periodEnd((day) => Math.floor((day + 3) / 7), lastOfWeek);
  if (schedule === 'month_end') return periodEnd(monthOf, lastOfMonth);
  if ('weekday' in schedule) {
    const wanted = WEEKDAYS.indexOf(schedule.weekday);
    return ({ time }) => new Date(time).getUTCDay() === wanted;
  }
  if ('every_bars' in schedule) {
    let first: number | undefined;
    return ({ bar, time }) => {
      if (bar + 1 < warmUpBars || time < (decisionStart ?? time)) return false;
      first ??= bar;
      return (bar - first) % schedule.every_bars === 0;
    };
  }
  if ('python' in schedule) return (turn) => pythonCondition(schedule.python, toolkit, turn);
  const { module } = schedule;
  let condition: Promise<Condition> | undefined;
  return async (turn) => {
    condition ??= importModule(module).then((exported) => asCondition(exported, module));
    return (await condition)(turn);
  };
}

/**
 * Detects the end of a week or month without future data.
 *
 * For daily bars, this is the bar on the last trading day of the period by the calendar. If that day has no
 * bar, this is the first bar after the period. For intraday bars, this is always the first bar after the
 * period.
 */
function periodEnd(
  periodOf: (day: number) => number,
  lastDay: (day: number, weekends: boolean) => number,
): IsDue {
  let before: { day: number; time: Instant } | undefined;
  let weekends = false;
  let asked: number | undefined;
  return ({ time }) => {
    const day = Math.floor(time / DAY);
    const weekday = new Date(time).getUTCDay();
    weekends ||= weekday === 0 || weekday === 6;
    const period = periodOf(day);
    const last = before;
    before = { day, time };
    // The first bar alone shows neither the length of a bar nor the end of a period.
    if (last === undefined) return false;
    if (periodOf(last.day) !== period && asked !== periodOf(last.day)) {
      asked = periodOf(last.day);
      // A bar can be the first one after one period and also the last one of the next period. It then gets
      // one decision only.
      if (day >= lastDay(day, weekends)) asked = period;
      return true;
    }
    const isDaily = time - last.time >= DAY;
    if (!isDaily || day < lastDay(day, weekends) || asked === period) return false;
    asked = period;
    return true;
  };
}

/**
 * Returns the last trading day of a week, in days since 1970: Friday, or Sunday if the market trades at
 * weekends.
 */
function lastOfWeek(day: number, weekends: boolean): number {
  const monday = day - ((day + 3) % 7);
  return monday + (weekends ? 6 : 4);
}

function monthOf(day: number): number {
  const date = new Date(day * DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function lastOfMonth(day: number, weekends: boolean): number {
  const date = new Date(day * DAY);
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / DAY;
  if (weekends) return last;
  const weekday = new Date(last * DAY).getUTCDay();
  return last - (weekday === 6 ? 1 : weekday === 0 ? 2 : 0);
}

async function pythonCondition(code: string, toolkit: Toolkit, turn: BarContext): Promise<boolean> {
  const answer = await toolkit.call('compute', { code }, turn);
  const { result, error } = isJsonObject(answer) ? answer : { result: answer };
  // The Python condition returns `null` while there are too few bars.
  if (result === null) return false;
  if (typeof result === 'boolean') return result;
  throw new AppError({
    code: 'schedule_failed',
    message:
      error === undefined
        ? `The schedule's condition gave ${JSON.stringify(result)} at bar ${turn.bar}.`
        : `The schedule's condition failed at bar ${turn.bar}: ${String(error)}`,
    hint: 'Write a Python expression that gives True or False, such as latest(ta.rsi(df.close, 14)) < 30.',
    kind: 'run',
  });
}

function asCondition(exported: unknown, module: string): Condition {
  if (typeof exported === 'function') return exported as Condition;
  throw new AppError({
    code: 'schedule_failed',
    message: `${module} has no default export that is a function.`,
    hint: 'Write: export default (turn) => turn.window.close.last > turn.window.close.mean(50);',
    kind: 'run',
  });
}
