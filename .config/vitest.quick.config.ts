import { mergeConfig, type ViteUserConfig } from 'vitest/config';
import { testFilesWhere } from './test-files.ts';
import whole from './vitest.config.ts';

/** Folders whose tests need no built program. */
const FOLDERS =
  /^src\/(kernel|market(?!\/acquire)|broker|engine|masking|journal|results|pages|toolkit|sandbox|agents|testing)\//;

/** Imports and calls of a test that start a process: Python, a browser, Redis, a strategy file that esbuild compiles. */
const PROCESS = [
  /child_process/,
  /\bsealedRun\b|\blimitDescriptors\b/,
  /\bnew Sandbox\b|\bprovisionRuntime\b|\bbootPython\b/,
  /support\/(ta-python|ta-reference-python|toolkit-python|python-runtime|sandbox-agent|evaluate-python|example-code)\.ts/,
  /support\/(browser|redis|worker|sandtable|masked-run|served-runs|own-agent|stored-run)\./,
  /\bloadStrategy\b|\brunStrategy\b|cli\/(main|index)\.ts|startScriptedModel|strategies\//,
];

/** Files that start a process by a way that their text does not show. `test/no-process.ts` finds them. */
const OTHERS: readonly string[] = [];

/** Replaces a module for the whole process, which other files share. */
const MOCK = /\bvi\.(mock|doMock)\(/;

const include = testFilesWhere(
  (name, text) =>
    FOLDERS.test(name) && !OTHERS.includes(name) && ![MOCK, ...PROCESS].some((pattern) => pattern.test(text)),
);
const { projects: _, setupFiles, ...test } = whole.test ?? {};

/** Unit tests for the time between changes, without Python, a browser, Redis or any other process. */
export default mergeConfig<ViteUserConfig, ViteUserConfig>(
  { ...whole, test },
  {
    test: {
      setupFiles: [...[setupFiles ?? []].flat(), 'test/no-process.ts'],
      include,
      // One process for all files: starting a process takes longer than most of these tests.
      isolate: false,
    },
  },
);
