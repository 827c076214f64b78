import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LoadedStrategy, strategyOfAgent } from '../../agents/index.ts';
import { armsOf, folderName, hasSamples, loadStrategies, type OwnStrategy } from './arms.ts';
import type { StudyRequest, StudyStrategy } from './study-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-arms-'));
afterAll(() => rmSync(folder, { recursive: true }));
const prompt = join(folder, 'trader.md');
writeFileSync(prompt, '---\nmodel: m-1\ntools: [market_history, trade_execute]\n---\nTrade.\n');

const requestOf = (own: object = {}) =>
  ({
    file: 'study.yaml',
    strategies: [],
    models: ['own'],
    modelSettings: [undefined],
    tools: ['own'],
    masks: ['none'],
    samples: 3,
    lineOf: (path: readonly PropertyKey[]) => 10 + Number(path.at(-1)),
    ...own,
  }) as unknown as StudyRequest;
const given = (own: Partial<StudyStrategy> = {}): StudyStrategy => ({
  ...{ file: undefined, agent: undefined, name: undefined, cutoff: undefined, parameters: {}, line: 5 },
  ...own,
});
const rule = (name: string, own: Partial<StudyStrategy> = {}): OwnStrategy => ({
  given: given({ name, ...own }),
  loaded: {
    name: 'loaded',
    kind: 'rules',
    file: `/x/${name}.ts`,
    sha256: `of ${name}`,
    tools: [],
  } as unknown as LoadedStrategy,
});
const agent = (own: Partial<StudyStrategy> = {}, options: object = {}): OwnStrategy => {
  const command = { agent: 'my-agent', agentEvery: 4, ...options };
  return { given: given({ agent: command, ...own }), loaded: strategyOfAgent(command) };
};
const arms = (request: StudyRequest, ...strategies: OwnStrategy[]) => armsOf(request, strategies, folder, {});
const loaded = (request: StudyRequest) => loadStrategies(request, {});

describe('the arms of a study', () => {
  it('include a rule once, with its parameters as texts', async () => {
    const request = requestOf({ masks: ['none', ['dates']], tools: ['own', 'off'] });
    expect(await arms(request, rule('cross', { parameters: { length: 5, kind: 'sma', on: true } }))).toEqual([
      {
        ...{ name: 'cross', strategy: 'cross', kind: 'rules', file: '/x/cross.ts', agent: undefined },
        parameters: { length: '5', kind: 'sma', on: 'true' },
        ...{ sha256: 'of cross', model: null, cutoff: undefined, mask: undefined, samples: 1 },
        chosen: { model: 'own', tools: 'own', mask: 'none' },
      },
    ]);
    const [named] = await arms(requestOf(), { ...rule('x'), given: given() });
    expect(named!.name).toBe('loaded');
  });

  it('include a prompt with each model, tool set and mask, named by what differs', async () => {
    const strategies = await loaded(requestOf({ strategies: [given({ file: prompt, name: 'trader' })] }));
    const alone = await arms(requestOf(), ...strategies);
    expect(alone).toMatchObject([
      {
        ...{ name: 'trader', strategy: 'trader', kind: 'llm', file: prompt, model: 'm-1', samples: 3 },
        chosen: { model: 'own', tools: 'own', mask: 'none' },
      },
    ]);
    expect([alone[0]!.cutoff, alone[0]!.mask]).toEqual([undefined, undefined]);
    const few = { name: 'few', tools: ['market_history'] };
    const found = await arms(
      requestOf({
        models: ['own', { model: 'm-2', name: 'mini', cutoff: '2024-06-01' }],
        modelSettings: [undefined, { model: 'm-2' }],
        tools: ['own', 'off', few],
        masks: ['none', ['symbols', 'dates']],
      }),
      ...strategies,
    );
    expect(found.map(({ name }) => name)).toEqual(
      ['own', 'mini'].flatMap((model) =>
        ['own', 'off', 'few'].flatMap((tools) =>
          ['none', 'symbols+dates'].map((mask) => `trader · ${model} · ${tools} · ${mask}`),
        ),
      ),
    );
    expect(found.map(({ model, cutoff }) => [model, cutoff])).toEqual([
      ...Array.from({ length: 6 }, () => ['m-1', undefined]),
      ...Array.from({ length: 6 }, () => ['m-2', '2024-06-01']),
    ]);
    expect(found.map(({ mask }) => mask).slice(0, 2)).toEqual([undefined, ['symbols', 'dates']]);
    expect(found.at(-1)!.chosen).toEqual({ model: 'mini', tools: 'few', mask: 'symbols+dates' });
    // Arms without a change run the original file. Every other combination has a separate copy and hash.
    expect([found[0]!.file, found[1]!.file]).toEqual([prompt, prompt]);
    const copies = [...new Set(found.slice(2).map(({ file }) => file))];
    expect(copies).toEqual(
      ['own-off', 'own-few', 'mini-own', 'mini-off', 'mini-few'].map((name) =>
        join(folder, 'prompts', `trader-${name}.md`),
      ),
    );
    expect(new Set(found.map(({ sha256 }) => sha256)).size).toBe(6);
    const texts = copies.map((file) => readFileSync(file!, 'utf8'));
    expect(texts.map((text) => /model: (\S+)/.exec(text)?.[1])).toEqual(['m-1', 'm-1', 'm-2', 'm-2', 'm-2']);
    expect(texts.map((text) => text.includes('trade_execute'))).toEqual([true, false, true, true, false]);
    expect(texts.map((text) => text.includes('market_history'))).toEqual([false, true, true, false, true]);
  });

  it('include an agent with each tool set and mask, but not with each model', async () => {
    const few = { name: 'few', tools: ['market_history'] };
    const request = requestOf({ models: ['own', { model: 'm' }], tools: ['own', 'off', few] });
    const own = agent(
      { name: 'mine', cutoff: '2024-01-01' },
      { agentTools: ['account_status', 'order_cancel'] },
    );
    const found = await arms(request, own);
    const common = {
      ...{ strategy: 'mine', kind: 'agent', file: undefined, sha256: '', model: null, samples: 3 },
      ...{ parameters: {}, cutoff: '2024-01-01', mask: undefined },
    };
    const tools = [['account_status', 'order_cancel'], ['order_cancel'], ['market_history']];
    expect(found).toEqual(
      ['own', 'off', 'few'].map((name, place) => ({
        ...common,
        name: `mine · ${name}`,
        agent: { agent: 'my-agent', agentEvery: 4, agentTools: tools[place] },
        chosen: { model: 'own', tools: name, mask: 'none' },
      })),
    );
    const [plain, masked] = await arms(requestOf({ masks: ['none', ['prices']] }), agent({ name: 'mine' }));
    expect(plain!.agent).toEqual({ agent: 'my-agent', agentEvery: 4 });
    expect([plain!.name, masked!.name, masked!.mask]).toEqual(['mine · none', 'mine · prices', ['prices']]);
    const client = { command: 'c', timeoutSeconds: 5 };
    expect((await arms(requestOf(), agent({ name: 'mine', mcp: client })))[0]!.mcp).toEqual(client);
    expect((await arms(requestOf(), agent({ name: 'mine' })))[0]!.mcp).toBeUndefined();
  });

  it('are refused if two use the same folder, or one has the name of a baseline', async () => {
    await expect(
      arms(requestOf(), rule('a b'), rule('c'), rule('a-b'), rule('momentum')),
    ).rejects.toMatchObject({
      code: 'bad_study',
      message: expect.stringMatching(
        /2 faults[\s\S]*study\.yaml: a b and a-b would use the same folder, a-b\. Rename one of them[\s\S]*momentum is the name of a baseline/,
      ) as string,
    });
    await expect(arms(requestOf(), rule('a'), rule('b'))).resolves.toHaveLength(2);
  });

  it('are refused for unknown tools of an agent and for faults of a changed prompt, at their lines', async () => {
    const request = requestOf({ tools: [{ name: 'few', tools: ['nonsense'] }] });
    await expect(arms(request, agent({ name: 'mine', line: 7 }))).rejects.toMatchObject({
      message: expect.stringContaining('study.yaml:7: ') as string,
    });
    const strategies = await loaded(
      requestOf({ strategies: [given({ file: prompt, name: 'trader', line: 8 })] }),
    );
    const models = requestOf({
      models: ['own', { model: 'm', name: 'dear' }],
      modelSettings: [undefined, { model: 'm', prices: 'nowhere.json' }],
    });
    const fault = await arms(models, ...strategies).catch((error: Error) => error.message);
    expect(fault).toContain(`study.yaml:8: with dear: ${prompt}`);
    expect(fault).not.toContain('prompts');
  });

  it.each([
    [['a', 'buy-and-hold'], undefined],
    [['a', 'b'], undefined],
    [['x', 'b'], 'primary: "x" is not an arm. Expected one of a, b'],
    [['sma', 'b'], 'primary: "sma" is not an arm. Expected one of a, b'],
    [
      ['a', 'a'],
      'primary: "a" is not another arm or a baseline. Expected one of b, buy-and-hold, equal-weight, sma, momentum',
    ],
    [
      ['b', 'x'],
      'primary: "x" is not another arm or a baseline. Expected one of a, buy-and-hold, equal-weight, sma, momentum',
    ],
  ] as const)('may have the primary comparison %j only with known names', async (pair, fault) => {
    const found = arms(requestOf({ primary: [['b', 'a'], pair] }), rule('a'), rule('b'));
    if (fault === undefined) await expect(found).resolves.toHaveLength(2);
    else
      await expect(found).rejects.toMatchObject({
        message: expect.stringContaining(`study.yaml:11: ${fault}`) as string,
      });
  });

  it('must not have a primary comparison twice, and report unknown names only without other faults', async () => {
    const twice = requestOf({
      primary: [
        ['a', 'sma'],
        ['a', 'b'],
        ['a', 'sma'],
      ],
    });
    await expect(arms(twice, rule('a'), rule('b'))).rejects.toMatchObject({
      message: expect.stringMatching(
        /1 fault[\s\S]*study\.yaml:12: primary: a − sma is named twice/,
      ) as string,
    });
    await expect(arms(requestOf({ primary: [['x', 'y']] }), rule('sma'))).rejects.toMatchObject({
      message: expect.not.stringContaining('primary') as string,
    });
  });
});

it('all strategies of a study that cannot be loaded are reported at their lines', async () => {
  const strategies = [
    given({ file: join(folder, 'missing.md'), line: 2 }),
    given({ agent: { agent: 'my-agent', agentTools: ['nonsense'] }, line: 3 }),
    given({ file: prompt, line: 4 }),
  ];
  const message = await loaded(requestOf({ strategies })).catch((error: Error) => error.message);
  expect(message).toMatch(/2 faults[\s\S]*study\.yaml:2: [\s\S]*study\.yaml:3: /);
  expect(await loaded(requestOf({ strategies: strategies.slice(2) }))).toHaveLength(1);
});

it('prompts and agents have samples, other strategies do not', () => {
  const kinds = ['llm', 'agent', 'rules', 'order-script'] as const;
  expect(kinds.map((kind) => hasSamples({ kind }))).toEqual([true, true, false, false]);
});

it('the folder name of an arm has hyphens instead of spaces and special characters', () => {
  expect(folderName(['a b', 'c·d', 'e_f.g'])).toBe('a-b-c-d-e_f.g');
});
