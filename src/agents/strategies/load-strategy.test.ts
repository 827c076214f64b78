import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { loadStrategy } from './load-strategy.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const built = join(checkout, 'dist', 'agents', 'index.js');
if (!existsSync(built))
  skipBecause('Strategies outside the checkout were not tested: run npm run build first.');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable strategies '));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const SCRIPT = JSON.stringify({
  cash: '5000.50',
  commissionRate: 0.001,
  orders: [{ bar: 1, side: 'buy', units: 1 }],
});

describe('example strategies', () => {
  const files = readdirSync(join(checkout, 'strategies')).filter((name) => name.endsWith('.ts'));

  it('are all listed in the documentation', () => {
    expect(files).toEqual(
      expect.arrayContaining(['buy-and-hold.ts', 'compute-quant.ts', 'compute-sma-cross.ts', 'sma-cross.ts']),
    );
  });

  it.each(files)('%s loads, has a summary, and has the name of its file', async (name) => {
    const path = join(checkout, 'strategies', name);
    const text = readFileSync(path, 'utf8');
    const strategy = await loadStrategy(path);
    expect(strategy).toMatchObject({ kind: 'rules', name: name.replace('.ts', ''), file: path });
    expect(strategy.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(strategy.summary.length).toBeGreaterThan(10);
    expect(text).toMatch(/^\/\/ Shows: /);
    expect(strategy.tools.length > 0).toBe(/^(?:compute-|pairs|skill-|trade-diary)/.test(name));
    await expect(loadStrategy(path, { nonsense: '1' })).rejects.toMatchObject({ code: 'bad_parameters' });
    // The journal contains only values that JSON can represent.
    expect(JSON.parse(JSON.stringify(strategy.parameters))).toEqual(strategy.parameters);
  });

  it('that do not use Python place trades', async () => {
    const market = simulateMarket({ seed: 2, bars: 120, symbols: ['A', 'B'] });
    for (const name of ['sma-cross', 'buy-and-hold']) {
      const strategy = await loadStrategy(join(checkout, 'strategies', `${name}.ts`), { fraction: '0.5' });
      const decider = strategy.createDecider(undefined, market.clock.length, market.symbols);
      const { outcome, error, trades, openTrades } = await runBacktest({ market, decider });
      expect([name, outcome, error]).toEqual([name, 'completed', undefined]);
      expect(trades.length + openTrades.length).toBeGreaterThan(0);
    }
  });
});

describe('an order script', () => {
  it('loads with its settings', async () => {
    const path = file('two-orders.json', SCRIPT);
    const strategy = await loadStrategy(path);
    expect(strategy).toMatchObject({
      kind: 'order-script',
      name: 'two-orders',
      tools: [],
      settings: { cash: '5000.50', commissionRate: 0.001 },
    });
    expect(() => strategy.createDecider(undefined, 1, ['A'])).toThrow(
      expect.objectContaining({ code: 'bad_order_script' }),
    );
    expect(strategy.createDecider(undefined, 2, ['A'])).toBeDefined();
  });

  it('accepts no parameters', async () => {
    await expect(loadStrategy(file('plain.json', SCRIPT), { fast: '1' })).rejects.toMatchObject({
      code: 'bad_parameters',
    });
  });
});

describe('a file that is not a strategy', () => {
  it.each([
    ['missing.ts', undefined, 'strategy_not_found'],
    ['notes.txt', '# notes', 'not_a_strategy'],
    ['notes.md', '# notes', 'bad_strategy'],
    ['no-ending', 'x', 'not_a_strategy'],
    ['broken.json', '{', 'bad_order_script'],
  ])('%s is refused with a way to fix it', async (name, text, code) => {
    const path = text === undefined ? join(folder, name) : file(name, text);
    const error = await loadStrategy(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AppError', code, message: expect.stringContaining(name) });
    expect((error as { hint: string }).hint).not.toBe('');
  });
});

describe('a strategy in JavaScript without required members', () => {
  it('is refused with all missing members', async () => {
    const path = file(
      'bare.mjs',
      "export default { [Symbol.for('sandtable.strategy')]: true, name: ' ', summary: 1 };",
    );
    await expect(loadStrategy(path)).rejects.toMatchObject({
      code: 'strategy_broken',
      message: expect.stringMatching(
        /bare\.mjs: name is not a string .*; summary is not a string; onBar is not a function\./,
      ),
    });
  });
});

describe('a strategy with a misspelt member', () => {
  it('is refused with the closest name', async () => {
    const path = file(
      'misspelt.mjs',
      "export default { [Symbol.for('sandtable.strategy')]: true, name: 'a', warmupBars: () => 5, colour: 1, onBar() {} };",
    );
    await expect(loadStrategy(path)).rejects.toMatchObject({
      code: 'strategy_broken',
      message: expect.stringMatching(
        /warmupBars is not a member of a strategy \(did you mean warmUpBars\?\); colour is not a member of a strategy \(known: name, /,
      ),
    });
  });
});

describe.skipIf(!existsSync(built))('a mistake in a strategy in code', () => {
  const declared = (name: string, members: string): string =>
    file(
      `mistakes/${name}.mjs`,
      `import { defineStrategy, z } from 'sandtable';
       export default defineStrategy({ name: '${name}', summary: 'x', parameters: z.object({ fast: z.coerce.number().default(3), slow: z.number().optional() }), onBar() {}, ${members} });`,
    );

  it.each([
    ['number', 'warmUpBars: 20', 'warmUpBars is 20. Expected a function, for example warmUpBars: () => 20'],
    ['parameter', 'indicators: ({ p, sma }) => ({ a: sma(p.fst) })', 'read p.fst, which is not a parameter'],
    ['indicator', 'indicators: ({ smaa }) => ({ a: smaa(3) })', 'smaa is not an indicator'],
  ])('is refused: another %s', async (name, members, part) => {
    await expect(loadStrategy(declared(name, members))).rejects.toMatchObject({
      code: expect.stringMatching(/strategy_broken|bad_indicators/),
      message: expect.stringContaining(part),
    });
  });

  it('does not include an optional parameter without a value', async () => {
    const path = declared('optional', 'indicators: ({ p, sma }) => ({ a: sma(p.slow ?? p.fast) })');
    await expect(loadStrategy(path)).resolves.toMatchObject({ name: 'optional' });
  });

  it.each([
    ["import 'sandtables';", "Cannot find package 'sandtables'", 'Did you mean sandtable?'],
    ["import 'left-padding';", "Cannot find package 'left-padding'", 'npm install left-padding'],
  ])('is explained: %s', async (text, message, hint) => {
    await expect(loadStrategy(file(`mistakes/import-${hint.length}.mjs`, text))).rejects.toMatchObject({
      code: 'strategy_broken',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });
});

// Runs in a separate process, as for users. Vitest resolves imports differently from Node.
describe.skipIf(!existsSync(built))('a strategy outside the repository', () => {
  const strategyText = (name: string): string => `
    import { defineStrategy, z, Decimal } from 'sandtable';
    import { word } from './words.ts';
    const half: number = new Decimal('0.5').toNumber();
    export default defineStrategy({
      name: '${name}',
      summary: word satisfies string,
      parameters: z.object({ half: z.coerce.number().default(half) }),
      onBar() {},
    });`;

  function loadAll(files: Readonly<Record<string, string>>): Record<string, Record<string, unknown>> {
    const program = `
      import { loadStrategy } from ${JSON.stringify(pathToFileURL(built).href)};
      const answers = {};
      for (const [name, file] of Object.entries(${JSON.stringify(files)})) {
        answers[name] = await loadStrategy(file, {}).then(
          ({ name, summary, parameters }) => ({ name, summary, parameters }),
          ({ code, message, hint }) => ({ code, message, hint }),
        );
      }
      console.log(JSON.stringify(answers));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Record<string, Record<string, unknown>>;
  }

  function runProgram(body: string): unknown {
    const program = `import { loadStrategy } from ${JSON.stringify(pathToFileURL(built).href)};\n${body}`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }

  it('can be loaded in parallel with another strategy', () => {
    file('package/package.json', '{"type":"module"}');
    file('package/words.ts', "export const word: string = 'from beside it';");
    const files = ['one', 'other'].map((name) => file(`package/${name}.ts`, strategyText(name)));
    const body = `
      const loading = ${JSON.stringify(files)}.map((file) => loadStrategy(file));
      console.log(JSON.stringify((await Promise.all(loading)).map(({ name }) => name)));`;
    expect(runProgram(body)).toEqual(['one', 'other']);
  });

  it('is loaded again after an edit, without state of an earlier run', () => {
    const counting = (word: string): string => `
      import { defineStrategy } from 'sandtable';
      let loads = 0;
      export default defineStrategy({ name: 'counts', summary: '${word} ' + ++loads, onBar() {} });`;
    const path = file('package/edited.ts', counting('before'));
    const broken = 'export default {{';
    const body = `
      import { writeFileSync } from 'node:fs';
      const load = () => loadStrategy(${JSON.stringify(path)}).then(({ summary }) => summary, ({ code }) => code);
      const found = [await load(), await load()];
      for (const text of ${JSON.stringify([counting('after'), broken, counting('fixed')])}) {
        writeFileSync(${JSON.stringify(path)}, text);
        found.push(await load());
      }
      console.log(JSON.stringify(found));`;
    expect(runProgram(body)).toEqual(['before 1', 'before 1', 'after 1', 'strategy_broken', 'fixed 1']);
  });

  it('can be TypeScript that imports sandtable and other files; load errors are reported', () => {
    file('package/package.json', '{"type":"module"}');
    file('package/words.ts', "export const word: string = 'from beside it';");
    file('words.mjs', "export const word = 'from beside it';");
    const plain = strategyText('plain').replace('words.ts', 'words.mjs');
    const answers = loadAll({
      good: file('package/own strategy.ts', strategyText('own')),
      module: file('plain.mjs', plain.replace(/: number| satisfies string/g, '')),
      nothing: file('package/nothing.ts', 'export const strategy = 1;'),
      plainObject: file('package/object.ts', "export default { name: 'x', onBar() {} };"),
      syntax: file('package/syntax.ts', 'export default {{'),
      throwing: file('package/throwing.ts', "throw new Error('not today');"),
      lost: file('package/lost.ts', "import './nowhere.ts';"),
      unknown: file('package/unknown.ts', "import { sma } from 'sandtable'; sma();"),
    });
    expect(answers).toEqual({
      good: { name: 'own', summary: 'from beside it', parameters: { half: 0.5 } },
      module: { name: 'plain', summary: 'from beside it', parameters: { half: 0.5 } },
      nothing: expect.objectContaining({
        code: 'not_a_strategy',
        hint: expect.stringContaining('defineStrategy'),
      }),
      plainObject: expect.objectContaining({ code: 'not_a_strategy' }),
      syntax: expect.objectContaining({
        code: 'strategy_broken',
        message: expect.stringContaining('syntax.ts'),
      }),
      throwing: expect.objectContaining({
        code: 'strategy_broken',
        message: expect.stringContaining('not today'),
      }),
      lost: expect.objectContaining({ code: 'strategy_broken', message: expect.stringContaining('nowhere') }),
      unknown: expect.objectContaining({
        message: expect.stringContaining('sandtable has no export sma.'),
        hint: expect.stringContaining('Indicators are declared'),
      }),
    });
  });

  it('does not need a package.json', () => {
    file('bare/words.ts', "export const word: string = 'from beside it';");
    const { bare } = loadAll({ bare: file('bare/bare.ts', strategyText('bare')) });
    expect(bare).toEqual({ name: 'bare', summary: 'from beside it', parameters: { half: 0.5 } });
  });
});

describe.runIf(existsSync(built))('examples in the documentation', () => {
  const examples = ['strategies.md', 'risk.md'].flatMap((name) => {
    const text = readFileSync(join(checkout, 'docs', name), 'utf8');
    const blocks = [
      ...text.matchAll(
        /```ts\n(import \{ defineStrategy[^`]*settings:[^`]*|import \{ defineStrategy[^`]*costs:[^`]*)```/g,
      ),
    ];
    return blocks.map(([, code = '']) => [name, code] as const);
  });

  it('are found', () => {
    expect(examples).toHaveLength(2);
  });

  it.each(examples)('of %s run with the settings and costs that they declare', async (name, code) => {
    const strategy = await loadStrategy(file(`examples/${name}.mts`, code));
    const { settings, costs } = strategy;
    const market = simulateMarket({ seed: 4, bars: 10, price: 20 });
    const decider = strategy.createDecider(undefined, 10, market.symbols);
    const result = await runBacktest({
      market,
      decider,
      settings,
      ...(costs === undefined ? {} : { costs }),
    });
    expect(result.outcome).toBe('completed');
    expect(result.openTrades.length).toBeGreaterThan(0);
    expect(result.stamps).toHaveLength(costs === undefined ? 0 : 2);
  });
});

describe('settings of a strategy file', () => {
  it.runIf(existsSync(built))('are refused with every fault', async () => {
    const path = file(
      'greedy.mts',
      `import { defineStrategy } from 'sandtable';
       export default defineStrategy({ name: 'greedy', summary: 'x', onBar() {},
         settings: { leverage: NaN, risk: { maxPosition: 1e308, maxDradown: 0.1 } } });`,
    );
    await expect(loadStrategy(path)).rejects.toMatchObject({
      code: 'bad_settings',
      message: expect.stringMatching(/3 faults.*leverage: NaN is not.*did you mean maxDrawdown/s),
    });
  });

  it('may be declared in an order script', async () => {
    const script = { orders: [], settings: { risk: { maxPosition: 0.2 } } };
    const strategy = await loadStrategy(file('limited.json', JSON.stringify(script)));
    expect(strategy.settings).toEqual(script.settings);
    const wrong = file('wrong.json', JSON.stringify({ ...script, settings: { lot: -1 } }));
    await expect(loadStrategy(wrong)).rejects.toMatchObject({
      code: 'bad_order_script',
      message: expect.stringContaining('settings.lot: -1 is below the minimum'),
    });
  });
});

describe.skipIf(!existsSync(built))('the lifetime of a Python session', () => {
  const declared = (repl: string): string =>
    file(
      `repl-${repl}.js`,
      `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'r', summary: 's', tools: ['exec_code'], repl: '${repl}', onBar() {} });`,
    );

  it('is the value of `repl` in the file; other values are refused', async () => {
    expect((await loadStrategy(declared('run'))).repl).toBe('run');
    expect((await loadStrategy(declared('decision'))).repl).toBe('decision');
    await expect(loadStrategy(declared('forever'))).rejects.toMatchObject({
      code: 'strategy_broken',
      hint: 'Set repl to one of: decision, run.',
    });
  });
});

describe.skipIf(!existsSync(built))('call limits per decision', () => {
  const declared = (name: string, budgets: string): string =>
    file(
      name,
      `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'b', summary: 's', tools: ['market_observe'], budgets: ${budgets}, onBar() {} });`,
    );

  it('are read from the file and refused for tools that it does not declare', async () => {
    const strategy = await loadStrategy(declared('budget.js', '{ market_observe: 2 }'));
    expect(strategy.budgets).toEqual({ market_observe: 2 });
    await expect(loadStrategy(declared('stray.js', '{ compute: 2 }'))).rejects.toMatchObject({
      code: 'strategy_broken',
      message: expect.stringContaining('budgets contains compute'),
      hint: 'Use names of its tools: market_observe.',
    });
  });
});
