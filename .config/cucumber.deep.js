// Scenarios that take long and test what other scenarios mostly test too: those with the tag @deep, or the part of them
// that SANDTABLE_DEEP selects, such as 2/10. `npm test` runs all others.
import { readFileSync } from 'node:fs';

const { default: whole } = JSON.parse(readFileSync(new URL('cucumber.json', import.meta.url), 'utf8'));
const part = process.env.SANDTABLE_DEEP ?? 'all';

export default { ...whole, tags: '@deep', shard: part === 'all' ? '' : part };
