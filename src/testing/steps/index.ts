/** Steps for Cucumber in the language of traders. Projects import them as `sandtable/steps`. */
export { CheckedRun } from './checked-run.ts';
export { type CucumberApi, defineChecks, defineSteps, deskOf } from './define.ts';
