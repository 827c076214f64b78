import type { Terms } from './types.ts';

export const noShort = ({ allowShort, risk }: Terms): boolean =>
  allowShort === false || risk?.noShort === true;
