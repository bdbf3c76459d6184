// A process that takes the job test/note, prints its id, and never finishes it; a test kills it.
import { z } from 'zod';
import { defineJob, startJobs, work } from '../src/platform/jobs/jobs.ts';
import { createLog } from '../src/platform/log/log.ts';

const note = defineJob({
  name: 'test/note',
  payload: z.object({ id: z.string() }),
  lane: 'quick',
  attempts: 3,
});
await startJobs({
  url: process.argv[2]!,
  log: createLog('fatal'),
  works: [
    work(note, async ({ id }) => {
      console.log(id);
      await new Promise(() => {});
    }),
  ],
});
