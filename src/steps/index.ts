/** Steps for Cucumber in the language of traders: what a project's features import as `sandtable/steps`. */
export { CheckedRun } from './checked-run.ts';
export { type CucumberApi, defineChecks, defineSteps, deskOf } from './define.ts';
