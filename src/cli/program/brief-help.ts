import { type Command, Help } from 'commander';

/** Content of the short help of a command with many flags. */
interface BriefHelp {
  /** Examples of command lines, shown after the purpose. */
  readonly examples: readonly string[];
  /** Long names of the most frequent flags, in the order of the help. */
  readonly flags: readonly string[];
}

const ALL = '--help-all';

/**
 * Limits the output of `--help` to the purpose, examples and most frequent flags. `--help-all` prints all
 * flags in groups. Must be called after all other flags are added.
 */
export function addBriefHelp(command: Command, { examples, flags }: BriefHelp): Command {
  const unknown = flags.filter((flag) => command.options.every(({ long }) => long !== flag));
  if (unknown.length > 0) throw new Error(`${command.name()} has no flag ${unknown.join(', ')}`);
  const count = command.options.length;
  let brief = true;
  command
    .optionsGroup('Help:')
    .helpOption('-h, --help', 'show the frequent flags')
    .option(ALL, `show all ${count} flags`)
    .on(`option:${ALL.slice(2)}`, () => {
      brief = false;
      command.help();
    });
  return command.configureHelp({
    // `visibleOptions` must contain all flags, because the library commander also uses it to suggest
    // corrections of misspelt flags. `formatHelp` is therefore replaced instead.
    formatHelp(described, helper) {
      const shown: Help = Object.assign(Object.create(helper) as Help, {
        boxWrap: (text: string, width: number) => {
          const wrapped = helper.boxWrap(text, width);
          if (text !== described.description()) return wrapped;
          // Examples are not wrapped, because a wrapped command line cannot be pasted into a terminal.
          return [wrapped, '', 'Examples:', ...examples.map((example) => `  ${example}`)].join('\n');
        },
      });
      if (brief) {
        const all = helper.visibleOptions(described);
        const named = [...flags, '--help', ALL].flatMap((flag) => all.filter(({ long }) => long === flag));
        shown.visibleOptions = () => named;
        shown.groupItems = (_, items) => new Map([['Frequent flags:', items]]);
      }
      return Help.prototype.formatHelp.call(shown, described, shown);
    },
  });
}
