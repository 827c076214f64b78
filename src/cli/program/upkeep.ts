import type { Command } from 'commander';
import { sectionCommands } from '../config/section-commands.ts';
import type { Io, SetExitCode } from '../io.ts';

export function addUpkeep(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('setup')
    .description('download and prepare Python before the first run')
    .option('--wheels <folder>', 'folder that contains the wheels, for machines without a network')
    .addHelpText('after', '\nExample:\n  npx sandtable setup')
    .action(async (flags: { wheels?: string }) => {
      const { setupCommand } = await import('../commands/doctor.ts');
      await setupCommand(flags, io);
    });
  program
    .command('doctor')
    .description('check Node, the cache, the wheels and the sandbox, with timings')
    .option('--json', 'print the findings as one JSON document')
    .addHelpText('after', '\nExample:\n  npx sandtable doctor')
    .action(async (flags: { json?: boolean }) => {
      const { doctorCommand } = await import('../commands/doctor.ts');
      setExitCode(await doctorCommand(flags.json === true, io));
    });
}

const DOCS_EXAMPLES = `
Examples:
  npx sandtable docs
  npx sandtable docs orders
  npx sandtable docs orders refused
  npx sandtable docs buying_power`;

export function addDocs(program: Command, io: Io): void {
  program
    .command('docs')
    .description('print a page of the documentation, or explain the code of an error')
    .argument('[topic]', 'name of a page or code of an error; without it, all topics are listed')
    .argument('[word]', 'print only the sections with this word in their heading')
    .addHelpText('after', DOCS_EXAMPLES)
    .action(async (topic: string | undefined, word: string | undefined) => {
      const { docsCommand } = await import('../commands/docs.ts');
      docsCommand(topic, word, io);
    });
}

const INIT_EXAMPLES = `
Examples:
  npx sandtable init my-project
  npx sandtable init my-project --typescript
  npx sandtable init my-agent --agent`;

const COMPLETION_EXAMPLES = `
Examples:
  npx sandtable completion bash >> ~/.bashrc
  npx sandtable completion zsh >> ~/.zshrc
  npx sandtable completion fish > ~/.config/fish/completions/sandtable.fish`;

export function addInit(program: Command, io: Io): void {
  program
    .command('init')
    .description('write a project: a strategy, sandtable.yaml, sample data, a test and a README')
    .argument('[folder]', 'folder of the project; created if missing', '.')
    .option('--python', 'strategy in Python (default)')
    .option('--typescript', 'strategy in TypeScript')
    .option('--agent', 'agent in Python that decides in its own process')
    .addHelpText('after', INIT_EXAMPLES)
    .action(async (folder: string, flags: Record<string, boolean>) => {
      const { initCommand } = await import('../commands/config.ts');
      initCommand(folder, flags, io);
    });
}

/**
 * Adds the command `completion`.
 *
 * @param addAll adds all commands of Sandtable to the given commander program
 */
export function addCompletion(program: Command, io: Io, addAll: (program: Command) => Promise<void>): void {
  program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action(async (shell: string) => {
      const { completionCommand } = await import('../commands/completion.ts');
      await completionCommand(shell, io, addAll);
    });
}

const EXAMPLES = `
Prints the values that a command would use, and where each comes from: default, sandtable.yaml, a profile,
the environment or a flag. Pass the flags of the command to see their effect. Details: docs/config.md

Examples:
  npx sandtable config
  npx sandtable config sweep --profile quick --trials 20
  npx sandtable config --schema > sandtable.schema.json`;

export function addConfig(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description('print the effective configuration of run, sweep or stress, with the origin of each value')
    .option('--schema', 'print the JSON Schema of sandtable.yaml for editors')
    .addHelpText('after', EXAMPLES);
  for (const command of sectionCommands(config)) {
    command
      .description(`print the configuration of sandtable ${command.name()}`)
      .action(async (...parameters: readonly unknown[]) => {
        const { configCommand } = await import('../commands/config.ts');
        const [strategy] = parameters;
        configCommand(command, typeof strategy === 'string' ? strategy : undefined, io);
      });
    config.addCommand(command, { isDefault: command.name() === 'run' });
  }
}
