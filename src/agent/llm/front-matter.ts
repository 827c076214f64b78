import { AppError, readYaml, type YamlDocument } from '../../kernel/index.ts';

/** Markdown file with settings (front matter) at its beginning. */
export interface FrontMatter extends YamlDocument {
  readonly body: string;
  /** Number of lines of the file before the body. */
  readonly bodyLine: number;
}

/**
 * Splits a Markdown file into settings and prompt.
 *
 * @throws AppError `bad_strategy` with the line of every YAML fault
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
