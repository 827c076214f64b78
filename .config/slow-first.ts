import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, beginning with the longest: what begins last should be short, so that no core waits at the end. */
const SLOW = [
  'test/pages/every-page.test.ts',
  'src/research/sweep/sweep.test.ts',
  'src/research/sweep/sweep-kinds.test.ts',
  'src/sandbox/ta-properties.test.ts',
  'src/toolkit/contract.test.ts',
  'test/contamination/contamination.test.ts',
  'src/sandbox/provision/provision.test.ts',
  'test/cluster/cluster.test.ts',
  'test/fence/respelled.test.ts',
  'src/agents/sealed/sealed.test.ts',
  'src/toolkit/repl.test.ts',
  'src/toolkit/repl-run.test.ts',
  'src/sandbox/proof/paranoid.test.ts',
  'src/sandbox/policy-session.test.ts',
];

/** Starts the slow files first; the rest as vitest orders them. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = SLOW.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? SLOW.length : place;
    };
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}
