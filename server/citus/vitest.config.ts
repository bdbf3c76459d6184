import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { files } from './files.ts';

const server = dirname(import.meta.dirname);

/** Runs the tests in the order of the list, the most informative first. */
class Listed extends BaseSequencer {
  override async sort(given: TestSpecification[]): Promise<TestSpecification[]> {
    const at = ({ moduleId }: TestSpecification) => files.indexOf(relative(server, moduleId));
    return [...given].sort((one, other) => at(one) - at(other));
  }
}

/** Tests of the server on a distributed database; see cluster.ts. */
export default defineConfig({
  root: server,
  test: {
    name: 'citus',
    // Files named on the command line need not be in the list.
    include: process.env.CITUS_NAMED ? ['citus/**/*.test.ts', '{src,seeds,test}/**/*.test.ts'] : files,
    globalSetup: './citus/cluster.ts',
    setupFiles: './citus/one-task.ts',
    // Temporary files of all tests, in one folder that is removed with them.
    env: { TMPDIR: join(tmpdir(), `caseway-citus-tests-${process.pid}`) },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The last step removes databases from three servers.
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: Listed },
  },
});
