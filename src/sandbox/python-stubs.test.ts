import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`python/${file}`, import.meta.url), 'utf8');
const stubs = read('sandtable.pyi');

/** Public methods and properties of a class, in the order of the file. */
function membersOf(text: string, name: string): string[] {
  const body = new RegExp(`^class ${name}\\b.*:\\n((?:[ \\t]+.*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {4}def ([a-z]\w*)/gm)].map(([, member]) => member!);
}

it.each([
  ['Bar', 'bar.py'],
  ['Receipt', 'records.py'],
  ['Record', 'records.py'],
])('the stubs of %s have the names of the runtime', (name, file) => {
  const members = membersOf(read(`sandtable_runtime/strategy/${file}`), name);
  expect(members.length).toBeGreaterThan(2);
  expect(membersOf(stubs, name)).toEqual(members);
});

it('the stubs have the fields of an order and the helpers of the runtime', () => {
  const fields = /_ORDER_FIELDS = \(\n(.*?)\n\)/s
    .exec(read('sandtable_runtime/strategy/bar.py'))![1]!
    .match(/[a-z_]+/g)!;
  const buy = /def buy\((.*?)\) -> Receipt/s.exec(stubs)![1]!;
  const inStubs = [...buy.matchAll(/^ +([a-z_]+): /gm)].map(([, field]) => field!);
  expect(inStubs.toSorted()).toEqual(fields.filter((field) => !field.startsWith('target_')).toSorted());
  const helpers = [...read('sandtable_runtime/helpers.py').matchAll(/^ {4}"(\w+)": /gm)].map(
    ([, name]) => name!,
  );
  expect([...stubs.matchAll(/^def (\w+)/gm)].map(([, name]) => name)).toEqual(helpers);
});
