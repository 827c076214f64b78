export type { Io } from './io.ts';
export { main } from './main.ts';
