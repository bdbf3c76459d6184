/** The retention rules. */
export const retentionRules = ['raw-messages', 'uploads', 'sessions', 'outbox', 'exports'] as const;
export type RetentionRule = (typeof retentionRules)[number];

/** How many items each rule has deleted since this process began, and when it last ran to its end. */
export const retentionRuns: Record<RetentionRule, { deleted: number; lastRunAt: Date | null }> = {
  'raw-messages': { deleted: 0, lastRunAt: null },
  uploads: { deleted: 0, lastRunAt: null },
  sessions: { deleted: 0, lastRunAt: null },
  outbox: { deleted: 0, lastRunAt: null },
  exports: { deleted: 0, lastRunAt: null },
};

/** Records what a rule has deleted. */
export function noteDeleted(rule: RetentionRule, deleted: number): void {
  retentionRuns[rule].deleted += deleted;
}

/** Records that a rule ran to its end. */
export function noteRun(rule: RetentionRule): void {
  retentionRuns[rule].lastRunAt = new Date();
}
