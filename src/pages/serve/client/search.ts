import type { ResearchRow, RunRow } from '../run-row.ts';
import { VERDICTS } from './row.ts';

type Fields = Readonly<
  Record<'text' | 'name' | 'strategy' | 'symbol' | 'state' | 'verdict' | 'tag' | 'kind', string>
> & {
  /**
   * Parameters with separators on both sides, for example `, fast 50, slow 200,`. The separators allow exact
   * matches.
   */
  readonly parameters: string;
};

const known = new WeakMap<RunRow | ResearchRow, Fields>();

/** Returns the searchable fields of a row in lower case. Cached per row. */
function fieldsOf(row: RunRow | ResearchRow): Fields {
  const before = known.get(row);
  if (before !== undefined) return before;
  const made = 'runId' in row ? fieldsOfRun(row) : fieldsOfResearch(row);
  known.set(row, made);
  return made;
}

function fieldsOfRun(row: RunRow): Fields {
  const verdict = row.verdict === '' ? '' : VERDICTS[row.verdict];
  const { runId, name, strategy, symbols, state, parameters, tags } = row;
  const text = [
    ...[runId, name, strategy, ...symbols, state, parameters, verdict, row.problem, ...row.alarms],
    ...[...row.openDoors, row.firstBar, row.lastBar, ...tags],
  ];
  return small({
    text: text.join(' '),
    name: `${name} ${runId}`,
    strategy,
    symbol: symbols.join(' '),
    state,
    verdict,
    tag: tags.join(' '),
    kind: 'run',
    parameters: `, ${parameters},`,
  });
}

function fieldsOfResearch(row: ResearchRow): Fields {
  const { name, title, kind, strategy, symbols, state, what, answer, problem } = row;
  const inside = row.inside.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells[0] ?? []));
  const text = [
    ...[name, title, kind, strategy, ...symbols, state, what, answer.word, answer.text, problem],
    ...inside,
  ];
  return small({
    text: text.join(' '),
    name: `${name} ${title}`,
    strategy,
    symbol: symbols.join(' '),
    state,
    verdict: answer.word,
    tag: '',
    kind,
    parameters: '',
  });
}

function small(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text.toLowerCase()]),
  ) as unknown as Fields;
}

/**
 * Compiles a search text to a function that tests a row. All words must match. `state:failed,killed` matches
 * either value of one field, `fast:50` matches a parameter.
 */
export function searchOf(text: string): (row: RunRow | ResearchRow) => boolean {
  const tests = (text.toLowerCase().match(/[^\s":]+:"[^"]*"|"[^"]*"|\S+/g) ?? []).map(testOf);
  return (row) => {
    const fields = fieldsOf(row);
    return tests.every((test) => test(fields));
  };
}

function testOf(token: string): (fields: Fields) => boolean {
  const plain = token.replaceAll('"', '');
  const [, key, value] = /^([^:]+):(.+)$/.exec(plain) ?? [];
  if (key === undefined || value === undefined) return ({ text }) => text.includes(plain);
  const choices = value.split(',').filter((one) => one !== '');
  return (fields) => {
    if (key !== 'parameters' && Object.hasOwn(fields, key))
      return choices.some((one) => fields[key as keyof Fields].includes(one));
    // Otherwise the key is the name of a parameter, or the word is a text with a colon.
    return (
      choices.some((one) => fields.parameters.includes(`, ${key} ${one},`)) || fields.text.includes(plain)
    );
  };
}
