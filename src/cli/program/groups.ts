import type { Command } from 'commander';
import type { Io, SetExitCode } from '../io.ts';

type Add = (program: Command, io: Io, setExitCode: SetExitCode) => void;

interface CommandGroup {
  readonly commands: readonly string[];
  /**
   * Loads the functions that add the commands of the group, in the order of the help. Loaded only when
   * needed, because creating the flag schemas takes most of the start-up time.
   */
  load(): Promise<readonly Add[]>;
}

/** All commands, in the order of the help. */
const GROUPS: readonly CommandGroup[] = [
  {
    commands: ['run'],
    load: async () => [(await import('./research.ts')).addRun],
  },
  {
    commands: ['register', 'forward'],
    async load() {
      const { addForward, addRegister } = await import('./research.ts');
      return [addRegister, addForward];
    },
  },
  {
    commands: ['sweep'],
    load: async () => [(await import('./research.ts')).addSweep],
  },
  {
    commands: ['stress'],
    load: async () => [(await import('./research.ts')).addStress],
  },
  {
    commands: ['study', 'leaderboard'],
    async load() {
      const { addLeaderboard, addStudy } = await import('./research.ts');
      return [addStudy, addLeaderboard];
    },
  },
  {
    commands: ['resume', 'replay', 'verify', 'bundle', 'probe', 'mock-llm'],
    load: async () => [(await import('./records.ts')).addRecords],
  },
  {
    commands: ['compute', 'tools', 'mcp'],
    async load() {
      const { addLooking, addMcp } = await import('./tools.ts');
      return [addLooking, addMcp];
    },
  },
  {
    commands: ['data'],
    load: async () => [(await import('./data.ts')).addData],
  },
  {
    commands: ['report', 'compare', 'trace', 'serve', 'export', 'query'],
    async load() {
      const { addExport, addQuery, addReports, addTrace } = await import('./reports.ts');
      return [addReports, addTrace, addExport, addQuery];
    },
  },
  {
    commands: ['ledger'],
    load: async () => [(await import('./records.ts')).addLedger],
  },
  {
    commands: ['worker'],
    load: async () => [(await import('./research.ts')).addCluster],
  },
  {
    commands: ['setup', 'doctor'],
    load: async () => [(await import('./upkeep.ts')).addUpkeep],
  },
  {
    commands: ['config'],
    load: async () => [(await import('./upkeep.ts')).addConfig],
  },
  {
    commands: ['init', 'docs', 'completion'],
    async load() {
      const { addCompletion, addDocs, addInit } = await import('./upkeep.ts');
      return [
        addInit,
        addDocs,
        (program, io) => addCompletion(program, io, (whole) => addCommands(whole, [], io, () => undefined)),
      ];
    },
  },
];

/** Returns true if the first argument requests the version, so that no command is needed. */
export function isVersionCall([word = '']: readonly string[]): boolean {
  return word === '-V' || word === '--version';
}

/**
 * Adds the group of commands that contains the called command. If the first argument is not a command, for
 * example `--help`, adds all commands.
 */
export async function addCommands(
  program: Command,
  argv: readonly string[],
  io: Io,
  setExitCode: SetExitCode,
): Promise<void> {
  if (isVersionCall(argv)) return;
  const [word = ''] = argv;
  const called = GROUPS.find(({ commands }) => commands.includes(word));
  for (const group of called === undefined ? GROUPS : [called]) {
    for (const add of await group.load()) add(program, io, setExitCode);
  }
}
