import type { Command } from 'commander';
import type { Io, SetExitCode } from '../io.ts';

export function addUpkeep(program: Command, io: Io, setExitCode: SetExitCode): void {
  program
    .command('setup')
    .description('download and prepare Python before the first run')
    .option('--wheels <folder>', 'folder that contains the wheels, for machines without a network')
    .addHelpText('after', '\nExample:\n  npx sandtable setup')
    .action(async (flags: { wheels?: string }) => {
      const { setupCommand } = await import('../commands/setup.ts');
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
