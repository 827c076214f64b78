import { AppError, readYaml, type YamlDocument } from '../../kernel/index.ts';

/** A Markdown file with settings at its head. */
export interface FrontMatter extends YamlDocument {
  readonly body: string;
  /** Lines of the file before the body. */
  readonly bodyLine: number;
}

/**
 * Parts a Markdown file into settings and prompt.
 *
 * @throws AppError `bad_strategy` with the line of every fault of its YAML
 */
export function readFrontMatter(text: string, file: string): FrontMatter {
  const match = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*\r?$\n?/m.exec(text);
  if (match === null || match.index !== 0) {
    throw new AppError({
      code: 'bad_strategy',
      message: `${file}:1: the file does not begin with settings between two lines of ---.`,
      hint: 'Begin it with ---, lines such as "model: gpt-4.1-mini", and ---; see docs/llm.md.',
    });
  }
  return {
    ...readYaml(match[2] ?? '', file, 1, {
      code: 'bad_strategy',
      hint: 'Fix the settings between the lines of ---.',
    }),
    body: text.slice(match[0].length),
    bodyLine: match[0].split('\n').length - 1,
  };
}
