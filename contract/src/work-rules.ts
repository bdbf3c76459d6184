import type { Expression } from './expression.ts';
import type { workKinds, workPriorities, workQueues } from './work-tasks.ts';

/** A task created as soon as a condition holds, whatever the record's state, once per record. */
export interface WorkRule {
  readonly id: string;
  readonly when: Expression;
  readonly task: {
    readonly work: (typeof workKinds)[number];
    readonly to: (typeof workQueues)[number];
    readonly dueDays: number;
    readonly priority: (typeof workPriorities)[number];
  };
}

/**
 * For cases. Reactive serology opens a syphilis case; in pregnancy it is followed up on the same day, because
 * treatment 30 days before the birth prevents congenital syphilis. [CDC STI Treatment Guidelines 2021]
 */
export const caseWorkRules: readonly WorkRule[] = [
  {
    id: 'pregnant-syphilis',
    when: {
      all: [
        { field: 'family', is: 'syphilis' },
        { field: 'pregnant', is: 'yes' },
        { not: { field: 'classification', is: 'not_a_case' } },
      ],
    },
    task: { work: 'pregnant-syphilis', to: 'assignee', dueDays: 0, priority: 'high' },
  },
];
