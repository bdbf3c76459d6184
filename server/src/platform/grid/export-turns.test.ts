import { beforeEach, describe, expect, it } from 'vitest';
import { ExportTurns } from './export-turns.ts';

const tenant = (id: string) => ({ orgType: 'T', id, tenantIds: [id] }) as const;
const facility = (id: string, of: string) => ({ orgType: 'F', id, tenantIds: [of] }) as const;
const jurisdiction = (id: string, ...over: string[]) => ({ orgType: 'PHJ', id, tenantIds: over }) as const;
const refused = expect.objectContaining({ code: 'too-many-requests', details: { retryAfter: 15 } });

describe('[issue 10 faults D9] exports that are read slowly', () => {
  let turns: ExportTurns;
  beforeEach(() => {
    turns = new ExportTurns();
  });

  it('take two places of their tenant, whoever reads them, and leave the others theirs', async () => {
    await turns.take(tenant('a'));
    const end = await turns.take(facility('clinic', 'a'));
    await expect(turns.take(tenant('a'))).rejects.toEqual(refused);
    for (const other of ['b', 'c']) await turns.take(tenant(other));
    end();
    await turns.take(tenant('a'));
  });

  it('of a jurisdiction take none of the tenants that it reads', async () => {
    for (const _ of [1, 2]) await turns.take(jurisdiction('bay', 'a', 'b'));
    await expect(turns.take(jurisdiction('bay', 'a', 'b'))).rejects.toEqual(refused);
    for (const _ of [1, 2]) await turns.take(tenant('a'));
  });

  it('are never more than six, since each holds a connection', async () => {
    for (const id of ['a', 'b', 'c']) for (const _ of [1, 2]) await turns.take(tenant(id));
    await expect(turns.take(tenant('d'))).rejects.toEqual(refused);
  });
});
