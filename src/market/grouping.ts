import { DAY, type Instant } from '../kernel/index.ts';
import { type Interval, parseInterval } from './interval.ts';

// 1970-01-05 was a Monday, four days after the epoch.
const FIRST_MONDAY = 4;

/** Assigns bars to groups by their times, and determines when a group is over. */
export interface Grouping {
  readonly groupOf: (time: Instant) => number;
  readonly endOf: (time: Instant) => Instant;
}

/**
 * Parses a rule such as `4h`: its unit, its length, and the first day of its first group in days since 1970.
 */
export function readRule(rule: string): Interval & { readonly unit: string; readonly firstDay: number } {
  const unit = rule.trim().toLowerCase().replace(/^\d+/, '');
  return { ...parseInterval(rule), unit, firstDay: unit === 'w' ? FIRST_MONDAY : 0 };
}

/** Months since the year 0. */
export function monthOf(time: Instant): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Groups that start at whole multiples of the rule in UTC. Weeks start on Monday, months on the first.
 *
 * @throws AppError `bad_rule` for an invalid rule
 */
export function groupingBy(rule: string): Grouping {
  const { milliseconds, months, firstDay } = readRule(rule);
  if (months !== undefined) {
    const groupOf = (time: Instant): number => Math.floor(monthOf(time) / months);
    return {
      groupOf,
      endOf: (time) => {
        const end = (groupOf(time) + 1) * months;
        return Date.UTC(Math.floor(end / 12), end % 12);
      },
    };
  }
  const first = firstDay * DAY;
  const groupOf = (time: Instant): number => Math.floor((time - first) / milliseconds);
  return { groupOf, endOf: (time) => first + (groupOf(time) + 1) * milliseconds };
}
