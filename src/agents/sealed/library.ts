/**
 * Module `sandtable` for a sealed strategy, which runs in an isolated process. Contains the functions to
 * declare a strategy, without access to files or other processes.
 */
export { z } from 'zod';
export {
  barsSinceEntry,
  crossedAbove,
  crossedBelow,
  isFirstBarOfMonth,
  isFirstBarOfSession,
} from '../../engine/index.ts';
export { AppError, Decimal } from '../../kernel/index.ts';
export { defineStrategy } from '../strategies/strategy.ts';
