import { describe, expect, it } from 'vitest';
import { commentsOf } from './comments.ts';
import { faultsOfFolders } from './faults.ts';
import { faultsOfFeature, faultsOfFeatures } from './features.ts';
import { messagesOf } from './messages.ts';
import { faultsOfComment, faultsOfMessage, faultsOfName } from './plain-english.ts';
import { testNamesOf } from './test-names.ts';

const problemsOf = (text: string): string[] => faultsOfComment(text).map(({ problem }) => problem);

describe('the check of plain English', () => {
  it('accepts short declarative sentences', () => {
    expect(problemsOf('Returns the fills of a bar.\n\nThrows if the bar is missing.')).toEqual([]);
    expect(problemsOf('First held-out bar. `null` if no bars are held out.')).toEqual([]);
  });

  it.each([
    ['What a backtest came to.', ['begins with "What"', '"came to"']],
    ['The price is no number.', ['"is no"']],
    ['Holds rows that were told.', ['"told"', '"Holds"']],
    ['A folder of its own, beside the other.', ['"of its own"', '"beside"']],
  ])('finds the faults of "%s"', (text, expected) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(expected.length);
    for (const part of expected) expect(problems.some((problem) => problem.includes(part))).toBe(true);
  });

  it('ignores code, and counts the words of sentences', () => {
    expect(problemsOf('Calls `kept.beside(told)`.')).toEqual([]);
    expect(problemsOf('@param keeps true if notes are stored')).toEqual([]);
    expect(problemsOf(`${'word '.repeat(31)}end.`)).toHaveLength(1);
  });

  it('reports the line of a fault within a comment', () => {
    expect(faultsOfComment('Returns rows.\nThey are kept.')[0]?.line).toBe(1);
  });

  it('finds comments of all kinds, and not texts in strings', () => {
    const code = "/** One. */\nconst a = '// no comment'; // Two.\n// Three,\n// continued.\nexport { a };\n";
    expect(commentsOf(code).map(({ line, text }) => [line, text])).toEqual([
      [1, 'One.'],
      [2, 'Two.\nThree,\ncontinued.'],
    ]);
  });
});

describe('the check of messages', () => {
  it('finds texts of errors, descriptions and manuals, and not other strings', () => {
    const code = [
      `throw new AppError({ code: 'no_run', message: found ? \`No run in \${folder}.\` : 'No run.', hint: 'Add one.' });`,
      "z.string().describe('Name of the run');",
      "failure('Unknown tool.', list('a name'));",
      "const DESCRIPTION = 'Returns bars.';",
      "throw new CheckFailed('Unknown run.');",
      "const other = 'this is no message';",
    ].join('\n');
    expect(messagesOf(code).map(({ line, text }) => [line, text])).toEqual([
      [1, 'No run in X.'],
      [1, 'No run.'],
      [1, 'Add one.'],
      [2, 'Name of the run'],
      [3, 'Unknown tool.'],
      [4, 'Returns bars.'],
      [5, 'Unknown run.'],
    ]);
  });

  it('refuses avoided words and long sentences, and ignores quoted examples', () => {
    expect(faultsOfMessage('It is no run. It is kept.')).toHaveLength(2);
    expect(faultsOfMessage('Use {"note": "it is kept"} or "is no".')).toEqual([]);
    expect(faultsOfMessage(`${'word '.repeat(31)}end.`)).toHaveLength(1);
  });
});

describe('the check of features', () => {
  it('finds avoided words in names and descriptions, and not in steps, tables, texts and comments', () => {
    const feature = [
      '@tag',
      'Feature: A desk of its own',
      '  Whoever asks is told.',
      '',
      '  # The account holds cash.',
      '  Scenario Outline: <what> is kept for `told`',
      '    Given a file that holds:',
      '      """',
      '      Scenario: It says so',
      '      """',
      '    Examples: told ones',
      '      | what |',
      '      | kept |',
    ].join('\n');
    expect(faultsOfFeature(feature).map(({ line, problem }) => [line, problem.split(':')[0]])).toEqual([
      [1, '"of its own"'],
      [2, '"told"'],
      [2, '"asks"'],
      [2, '"Whoever"'],
      [5, '"kept"'],
      [10, '"told"'],
    ]);
  });
});

describe('names and descriptions of features', () => {
  it('are in plain English', () => {
    expect(faultsOfFeatures()).toEqual([]);
  });
});

describe('the check of names of tests', () => {
  it('finds the names of describe, it and test, and not the tables of each', () => {
    const code = [
      "describe('orders', () => {",
      "  it('fill', () => check('it is kept'));",
      `  it.skipIf(isSlow)(\`rest at \${price}\`, () => {});`,
      "  it.each([['is told', 1]])('cost %d', () => {});",
      "  test.each`\na | b\n`('with $a', () => {});",
      '});',
    ].join('\n');
    expect(testNamesOf(code).map(({ line, text }) => [line, text])).toEqual([
      [1, 'orders'],
      [2, 'fill'],
      [3, 'rest at X'],
      [4, 'cost %d'],
      [7, 'with $a'],
    ]);
  });

  it('refuses avoided words, and accepts long names and code', () => {
    expect(faultsOfName('is told what is no limit')).toHaveLength(2);
    expect(faultsOfName(`calls \`kept\` ${'often '.repeat(40)}`)).toEqual([]);
  });
});

describe('comments, messages and names of tests', () => {
  it('are in plain English', () => {
    expect(faultsOfFolders()).toEqual([]);
  });
});
