/** What `sandtable` is to a sealed strategy: what declares one, and nothing that reaches a file or another process. */
export { z } from 'zod';
export { AppError, Decimal } from '../../kernel/index.ts';
export { defineStrategy } from '../strategy.ts';
