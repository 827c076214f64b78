import { Command } from 'commander';
import { AppError } from '../../kernel/index.ts';
import { type Io, printLine } from '../io.ts';

/** Command with the subcommands and flags that may follow it. */
interface Completed {
  /** Words of the command after `sandtable`, for example `data check`. Empty for `sandtable` itself. */
  readonly path: string;
  readonly words: readonly string[];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/**
 * `sandtable completion`: prints the completion script for a shell.
 *
 * @param addAll adds all commands of Sandtable to the given commander program
 * @throws AppError `bad_shell` if there is no script for the shell
 */
export async function completionCommand(
  shell: string,
  io: Io,
  addAll: (program: Command) => Promise<void>,
): Promise<void> {
  if (!Object.hasOwn(SCRIPTS, shell))
    throw new AppError({
      code: 'bad_shell',
      message: `Invalid shell "${shell}". Expected ${Object.keys(SCRIPTS).join(', ')}.`,
      hint: 'Use for example: npx sandtable completion bash',
    });
  const program = new Command('sandtable').version('0');
  await addAll(program);
  printLine(io.stdout, SCRIPTS[shell as keyof typeof SCRIPTS](completedBy(program, '')));
}

function completedBy(command: Command, path: string): Completed[] {
  const names = command.commands.map((child) => child.name());
  const flags = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  const inner = command.commands.flatMap((child) => completedBy(child, `${path} ${child.name()}`.trim()));
  return [{ path, words: [...names, ...flags] }, ...inner];
}

/**
 * Returns a shell function that prints the words that may follow a command. For an unknown command, it prints
 * nothing.
 */
function bashFunction(all: readonly Completed[]): string {
  const cases = all.map(({ path, words }) => `    '${path}') echo '${words.join(' ')}' ;;`);
  return `_sandtable_words() {
  case "$1" in
${cases.join('\n')}
  esac
}`;
}

function bashScript(all: readonly Completed[]): string {
  return `# Completion of sandtable for bash.
${bashFunction(all)}
_sandtable() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] && break
    local longer="\${path:+$path }$word"
    [[ -n "$(_sandtable_words "$longer")" ]] || break
    path="$longer"
  done
  COMPREPLY=()
  local words="$(_sandtable_words "$path")"
  # A command without subcommands accepts files.
  [[ "$words" == -* && "$current" != -* ]] && COMPREPLY=($(compgen -f -- "$current"))
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _sandtable sandtable`;
}

function zshScript(all: readonly Completed[]): string {
  return `# Completion of sandtable for zsh.
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashScript(all)}`;
}

function fishScript(all: readonly Completed[]): string {
  const names = all.filter(({ path }) => path !== '' && !path.includes(' ')).map(({ path }) => path);
  return [
    '# Completion of sandtable for fish.',
    ...all.flatMap(({ path, words }) => {
      const [first, second] = path.split(' ');
      const seen = [first, second].filter(Boolean).map((word) => `__fish_seen_subcommand_from ${word}`);
      const condition =
        path === '' ? `not __fish_seen_subcommand_from ${names.join(' ')}` : seen.join('; and ');
      return words.map((word) => {
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
        return `complete -c sandtable -n '${condition}' ${what}`;
      });
    }),
  ].join('\n');
}
