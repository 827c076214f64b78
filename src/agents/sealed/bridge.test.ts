import vm from 'node:vm';
import { expect, it } from 'vitest';
import { type Bridge, bridge } from './bridge.ts';

interface Channel {
  send(text: string): void;
  receive(): string | undefined;
}

/** Name of an error's class if the error belongs to the context, otherwise `outer`. */
function thrownBy(context: vm.Context, work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const inner = vm.runInContext('Error', context) as new () => Error;
    return error instanceof inner ? (error as Error).name : 'outer';
  }
  return 'nothing';
}

it('creates every error of the outer functions again inside the sealed realm', () => {
  const context = vm.createContext({});
  const fails = (): never => {
    throw new Error('outer');
  };
  const make = vm.runInContext(`(${bridge.toString()})`, context) as typeof bridge;
  const inner: Bridge = make(fails, fails, 'strategy.ts');
  expect(inner).toBeDefined();
  const channel = vm.runInContext('sandtableChannel', context) as Channel;
  expect(thrownBy(context, () => fails())).toBe('outer');
  expect(thrownBy(context, () => channel.send('x'))).toBe('RangeError');
  expect(thrownBy(context, () => channel.receive())).toBe('RangeError');
  expect(thrownBy(context, () => channel.send(5 as never))).toBe('TypeError');
});
