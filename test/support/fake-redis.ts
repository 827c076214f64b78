/** Simulated Redis client for tests. It records commands and answers with prepared values. */

export type Command = readonly [name: string, ...values: unknown[]];

/**
 * Creates a simulated client.
 *
 * @param answer returns the answer to a command
 */
export function fakeRedis(answer: (command: Command) => unknown = () => null) {
  const commands: Command[] = [];
  const ask = (command: Command): unknown => {
    commands.push(command);
    return answer(command);
  };
  const pipeline = (): object => {
    const own: Command[] = [];
    const proxy: object = new Proxy(
      {},
      {
        get(_, name) {
          if (name === 'exec') return async () => own.map((command) => [null, ask(command)]);
          return (...values: unknown[]) => {
            own.push([String(name), ...values]);
            return proxy;
          };
        },
      },
    );
    return proxy;
  };
  const redis = new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'pipeline') return pipeline;
        return async (...values: unknown[]) => ask([String(name), ...values]);
      },
    },
  );
  return { connection: { redis, shown: 'redis://own' } as never, commands };
}
