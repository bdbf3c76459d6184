import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { forPeople } from './log-for-people.ts';

function written(log: (to: ReturnType<typeof createLog>) => void): string[] {
  let text = '';
  log(
    createLog(
      'debug',
      forPeople((each) => {
        text += each;
      }),
    ),
  );
  return text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'WHEN').split('\n');
}

describe('the log for people', () => {
  it('has a line for each entry: time, level, sentence, and the logged values', () => {
    expect(
      written((log) => {
        log.info({ route: '/api/web/imports', status: 200, words: 'two words', list: ['a'] }, 'answered');
        log.warn('the disk is full');
        log.debug({ none: '' }, 'quiet');
      }),
    ).toEqual([
      'WHEN INFO  answered route=/api/web/imports status=200 words="two words" list=["a"]',
      'WHEN WARN  the disk is full',
      'WHEN DEBUG quiet none=""',
      '',
    ]);
  });

  it('shows a long list by its first and last entry', () => {
    const migrated = Array.from({ length: 70 }, (_, index) => `${index + 1}.sql`);
    expect(written((log) => log.info({ migrated }, 'the database was migrated'))[0]).toBe(
      'WHEN INFO  the database was migrated migrated=["1.sql", … 68 more …, "70.sql"]',
    );
  });

  it('shows an error with its code, its places and its cause, one below the other', () => {
    const cause = Object.assign(new Error('duplicate key: (name)=(Canary)'), {
      code: '23505',
      severity: 'ERROR',
    });
    const lines = written((log) => log.error({ err: new Error('could not be stored', { cause }) }, 'failed'));
    expect(lines[0]).toBe('WHEN ERROR failed');
    expect(lines[1]).toBe('    Error: could not be stored');
    expect(lines[2]).toMatch(/^ {6}at /);
    expect(lines).toContain('    because of Error (23505)');
  });

  it('[P16] says no more than the log as JSON', () => {
    const lines = written((log) => log.info({ password: 'Canary', code: '23505' }, 'signed in'));
    expect(lines[0]).toBe('WHEN INFO  signed in password=[redacted] code=23505');
  });
});
