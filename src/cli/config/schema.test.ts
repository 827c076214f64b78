import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { projectSchema } from '../commands/config.ts';
import { ConfigValues } from './config-values.ts';
import { readProjectFile } from './read-config.ts';
import type { ConfigKey } from './schema.ts';
import { sectionCommands, sectionKeys } from './section-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const keys = sectionKeys(new Command());
const commands = sectionCommands(new Command());

/**
 * For each kind of key: a value in the project file, and the words that set the same value on a command line.
 */
const SAMPLES: Readonly<Record<ConfigKey['kind'], readonly [value: unknown, words: readonly string[]]>> = {
  switch: [true, []],
  optional: [1.1, ['1.1']],
  // Absolute paths, because relative paths in the project file are resolved against the folder of the file.
  single: ['/1', ['/1']],
  list: [
    ['/a', '/2'],
    ['/a', '/2'],
  ],
  pairs: [{ a: 1, b: [2, 3] }, ['a=1', 'b=2,3']],
  mapping: [{ date: 'Gmt time' }, ['date="Gmt time"']],
};

/** Adds a value at a path: `costs`, `commission` becomes `{costs: {commission: value}}`. */
function placed(tree: object, path: readonly string[], value: unknown): object {
  const [first = '', ...rest] = path;
  const inner = (tree as Record<string, object>)[first] ?? {};
  return { ...tree, [first]: rest.length === 0 ? value : placed(inner, rest, value) };
}

describe.each(keys)('every flag of %s', (name, own) => {
  const command = commands.find((one) => one.name() === name)!;

  it('has a key, except those that select the configuration', () => {
    const without = command.options.filter(({ long }) => !own.some(({ option }) => option.long === long));
    expect(without.map(({ long }) => long).sort()).toEqual(
      [
        ...['--config', '--help-all', '--no-config', '--profile', '--unset'],
        ...(name === 'run' ? [] : ['--resume']),
      ].sort(),
    );
  });

  it('has the same effect as its key at the top level, in its section and in a profile', () => {
    const words = own.flatMap(({ option, kind }) => [option.long!, ...SAMPLES[kind][1]]);
    command.action(() => undefined).parse(words, { from: 'user' });
    const all = own.reduce((tree, { path, kind }) => placed(tree, path, SAMPLES[kind][0]), {});
    for (const layout of [
      all,
      { [name]: all },
      { profiles: { p: all } },
      { profiles: { p: { [name]: all } } },
    ]) {
      const file = join(folder, 'sandtable.yaml');
      writeFileSync(file, stringify(layout));
      const project = readProjectFile(file, keys);
      expect(project.faults).toEqual([]);
      const selection = { command: name, profile: 'p', keys: own, environment: () => ({}) };
      const { values, faults } = new ConfigValues(project, selection);
      expect(faults).toEqual([]);
      for (const [attribute, { value }] of values)
        expect([attribute, value]).toEqual([attribute, command.getOptionValue(attribute)]);
      expect([...values.keys()].sort()).toEqual(own.map(({ option }) => option.attributeName()).sort());
    }
  });
});

it('has one form for a key in all commands, and no key named like a section', () => {
  const forms = new Map<string, string>();
  for (const { path, kind } of keys.flatMap(([, own]) => own)) {
    const name = path.join('.');
    expect(forms.get(name) ?? kind, name).toBe(kind);
    forms.set(name, kind);
  }
  const sections = keys.flatMap(([, own]) => own.flatMap(({ path }) => path.slice(0, -1)));
  for (const name of ['strategy', 'profiles', ...keys.map(([command]) => command), ...sections])
    expect(forms.has(name), name).toBe(false);
});

describe('the JSON Schema for editors', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(projectSchema(keys)) as object,
  );

  it('accepts what the parser accepts', () => {
    for (const [name, own] of keys)
      for (const { path, kind, option } of own) {
        // Some flags permit only certain values, to which the sample value does not belong. A reference to an
        // environment variable is permitted for every flag.
        const value = kind === 'single' ? `\${${option.attributeName()}}` : SAMPLES[kind][0];
        expect(validate(placed({}, path, value)), path.join('.')).toBe(true);
        expect(validate({ profiles: { fast: { [name]: placed({}, path, value) } } }), path.join('.')).toBe(
          true,
        );
      }
  });

  it.each([
    [{ comission: 1 }],
    [{ costs: { comission: 1 } }],
    [{ sort: 'yes' }],
    [{ sweep: { search: 'gird' } }],
    [{ run: { search: 'grid' } }],
    [{ data: { a: 1 } }],
    [{ profiles: { a: { cash: 1 } } }],
  ])('refuses %j', (value) => {
    expect(validate(value)).toBe(false);
  });
});
