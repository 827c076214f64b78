// Compares a release tag with package.json and CHANGELOG.md: node .ci/release-check.js v0.1.0
// Exit code 1 if the tag is not the version, or the changelog has no section for the version.
import { readFileSync } from 'node:fs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const tag = process.argv[2] ?? '';
const { version } = JSON.parse(read('package.json'));
const problems = [];
if (tag !== `v${version}`)
  problems.push(`The tag is "${tag}". package.json has version ${version}, so the tag must be v${version}.`);
if (!read('CHANGELOG.md').includes(`\n## [${version}]`))
  problems.push(`CHANGELOG.md has no section "## [${version}]". Rename "## [Unreleased]" and add the date.`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
