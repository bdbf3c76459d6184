/** Statements that Citus takes apart into several tasks, each known by a part of its text, with the reason. */
export const severalTasks: readonly { place: string; holds: string; why: string }[] = [
  {
    place: 'seeds/demo/load.ts',
    holds: 'from load_',
    why: 'the demo comes through a temporary table, which is on the first server, and is made once',
  },
  {
    place: 'src/platform/carried/carried.ts',
    holds: 'update patient_history',
    why: 'Citus plans it in two parts, unlike that of other tables; people correct few persons by hand',
  },
];
