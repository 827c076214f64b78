import { readFileSync } from 'node:fs';

/**
 * Returns the Python code that the example strategies send to `compute`, with default values for their
 * parameters.
 */
export function exampleCode(): (readonly [name: string, code: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const name of ['compute-sma-cross', 'compute-quant', 'pairs']) {
    const source = readFileSync(new URL(`../../strategies/${name}.ts`, import.meta.url), 'utf8');
    for (const [, text] of source.matchAll(/`(\n[^`]*\bresult = [^`]*)`/g)) {
      const code = text!
        .replace(/\$\{fast\}/g, '20')
        .replace(/\$\{slow\}/g, '100')
        .replace(/\$\{length\}/g, '60')
        .replace(/\$\{JSON\.stringify\(\[first, second\]\)\}/, '["AAPL", "SPY"]')
        .replace('RISK', '0.02');
      if (code.includes('${')) throw new Error(`${name} has a parameter that is not known here`);
      found.push([name, code]);
    }
  }
  const script = readFileSync(
    new URL('../../strategies/scripted/llm-momentum.json', import.meta.url),
    'utf8',
  );
  for (const { reply } of (JSON.parse(script) as Script).steps) {
    for (const call of reply.tool_calls ?? []) {
      if (call.name === 'compute') found.push(['llm-momentum', String(call.arguments.code)]);
    }
  }
  return found;
}

interface Script {
  readonly steps: readonly {
    readonly reply: {
      readonly tool_calls?: readonly {
        readonly name: string;
        readonly arguments: Readonly<Record<string, unknown>>;
      }[];
    };
  }[];
}
