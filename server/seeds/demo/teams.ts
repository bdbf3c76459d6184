import type { Tx } from '../../src/platform/db/database.ts';
import { demoId } from './tenant-parts.ts';

/** The demo's teams, with the kind of the tasks that wait for each. */
const teams = [
  { name: 'Field team', members: ['dis', 'investigator'], work: 'home-visit' },
  { name: 'Phone team', members: ['investigator', 'supervisor'], work: 'call' },
] as const;

/** Makes the teams of the demo, and gives them tasks that people gave by hand. */
export async function seedTeams(tx: Tx): Promise<void> {
  for (const { name, members, work } of teams) {
    const id = demoId(`team/${name}`);
    await tx.run(
      'insert into team (tenant_id, id, name, member_ids) values ($1, $2, $3, $4::uuid[]) on conflict do nothing',
      [tx.tenantId, id, name, members.map((one) => demoId(`account/${one}@demo.caseway.test`))],
    );
    await tx.run(
      `update work_task set team_id = $2, account_id = null
       where tenant_id = $1 and state = 'open' and work = $3 and transition is null and rule is null`,
      [tx.tenantId, id, work],
    );
  }
}
