/** Functions of the inner realm that the outer realm calls. See `boot.ts` for the two realms. */
export interface Bridge {
  /**
   * Runs the bundle. Returns false if the strategy threw an error, after the error has been sent to the
   * engine.
   */
  start(run: () => void): boolean;
  /**
   * Handles a line from the engine. Returns true if callbacks of the strategy must run before the next line.
   */
  step(line: string): boolean;
  /** Stores the reason of an unhandled rejection. The promise belongs to the inner realm. */
  caught(reason: unknown): void;
  formatStack(realm: unknown, error: unknown, sites: readonly StackFrame[]): string;
  keepNoStacks(): void;
}

/** Stack frame in V8's format. */
interface StackFrame {
  getFileName(): string | null | undefined;
  toString(): string;
}

/**
 * Creates the functions of the inner realm. This function is compiled in the inner realm from its own text,
 * so it must not use other names of this module. A strategy may replace built-ins later, so copies of the
 * required built-ins are saved first.
 *
 * @param file name of the bundle in stack traces
 */
export function bridge(
  toEngine: (text: string) => boolean,
  fromEngine: () => string | undefined,
  file: string,
): Bridge {
  const realm = globalThis;
  const { RangeError: Overflow, TypeError: Mistake, Error: Base, String: text } = realm;
  const { apply: invoke, defineProperty: define } = Reflect;
  const { toString: errorText } = Base.prototype;
  const { slice } = text.prototype;
  const { stringify } = JSON;
  const uncaught: unknown[] = [];
  let handle: ((line: string) => boolean) | undefined;
  const transmit = (line: string): void => {
    if (typeof line !== 'string') throw new Mistake('a message is a string');
    let sent = false;
    try {
      sent = toEngine(line);
    } catch {
      // The caught error belongs to the outer realm and must not reach the strategy. A new error of the inner
      // realm is thrown instead.
    }
    if (!sent) throw new Overflow('Maximum call stack size exceeded');
  };
  const fail = (error: unknown): void => {
    let message = 'an error that cannot be read';
    let stack = '';
    try {
      const { message: given = text(error), stack: trace = '' } = (error ?? {}) as Partial<Error>;
      message = text(given);
      stack = text(trace);
    } catch {
      // Reading `message` or `stack` of the strategy's error has failed. The default texts are sent.
    }
    const failure = { __proto__: null, type: 'failed', how: 'threw', code: '', remedy: '' };
    transmit(
      stringify({
        ...failure,
        message: invoke(slice, message, [0, 2000]),
        stack: invoke(slice, stack, [0, 4000]),
      }),
    );
  };
  const channel = {
    send: transmit,
    receive(): string | undefined {
      let line: string | undefined;
      let isRead = false;
      try {
        line = fromEngine();
        isRead = true;
      } catch {
        // The caught error belongs to the outer realm and is discarded, as in `transmit`.
      }
      if (!isRead) throw new Overflow('Maximum call stack size exceeded');
      return line;
    },
    uncaught,
    serve(given: (line: string) => boolean): void {
      handle = given;
    },
  };
  define(realm, 'sandtableChannel', { value: channel, configurable: true });
  return {
    start(run) {
      try {
        run();
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    step(line) {
      try {
        return handle !== undefined && handle(line) === true;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    caught(reason) {
      define(uncaught, uncaught.length, { value: reason });
    },
    formatStack(of, error, sites) {
      // Errors of the outer realm are errors of Node. Their stack must not reach the strategy.
      if (of !== realm) return '';
      let lines: string;
      try {
        lines = invoke(errorText, error, []);
      } catch {
        lines = 'Error';
      }
      for (let index = 0; index < sites.length; index++) {
        // Frames of other files are omitted, because their names contain the working folder. Built-in
        // functions have no file.
        const name = sites[index]!.getFileName() ?? file;
        if (name === file) lines += `\n    at ${sites[index]!.toString()}`;
      }
      return lines;
    },
    keepNoStacks() {
      define(Base, 'stackTraceLimit', { value: undefined, writable: false, configurable: false });
    },
  };
}
