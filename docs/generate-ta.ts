/** Generates docs/ta.md, the reference of the indicators, from their docstrings: `npm run docs:ta`. */
import { writeFileSync } from 'node:fs';
import { provisionRuntime } from '../src/sandbox/index.ts';
import { bootPython } from '../src/sandbox/provision/start-python.ts';

const python = await bootPython(await provisionRuntime());
const text = python.runPython('from ta._document import markdown\nmarkdown()') as string;
writeFileSync(new URL('ta.md', import.meta.url), text);
