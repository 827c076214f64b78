import type { Command } from 'commander';
import type { Io } from '../io.ts';

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
      const { initCommand } = await import('../commands/init.ts');
      initCommand(folder, flags, io);
    });
}

/** @param addAll adds all commands to a program */
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
