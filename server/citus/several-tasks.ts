/** Statements that Citus splits into several tasks, each identified by a part of its text, with the reason. */
export const severalTasks: readonly { place: string; holds: string; why: string }[] = [
  {
    place: 'seeds/demo/load.ts',
    holds: 'from load_',
    why: 'the demo comes through a temporary table, which is on the first server, and is made once',
  },
  {
    place: 'seeds/demo/store-results.ts',
    holds: 'insert into result',
    why: 'the first server numbers these results of the demo, which is made once',
  },
];
