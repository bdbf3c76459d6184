import { caseFlow } from '@caseway/contract/case-flow';
import { expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';

const { superuserUrl } = await createTestDatabase();

test('every status that the database accepts is a state of the flow, and every state can be stored', async () => {
  const [row] = await asSuperuser<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = 'case_report'::regclass and conname = 'case_report_status_check'`,
    [],
    superuserUrl,
  );
  const stored = [...row!.text.matchAll(/'(\w+)'/g)].map(([, status]) => status);
  expect(stored.sort()).toEqual([...caseFlow.states].sort());
});
