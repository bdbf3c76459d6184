import type { PersonFields } from '@caseway/contract/users';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import type { Call } from '../../platform/http/serve.ts';
import { administeredTenant, authorityToChange } from '../../platform/policy/authority.ts';
import type { Values } from '../../platform/records/record-server.ts';
import { type Change, planChange } from '../../platform/records/save-record.ts';
import type { Ways } from '../../platform/records/serve-records.ts';
import { changeUser, judgeUser, type UserChange } from './changes.ts';
import { sortedIds } from './offers.ts';
import { knownUser, readDetail } from './person.ts';
import { userReading } from './source.ts';
import { lockVersions } from './user-history.ts';

function changeOf({ given: { roles, ...person }, active }: Pick<Change, 'given' | 'active'>): UserChange {
  return {
    person: person as Partial<PersonFields>,
    holding: {
      ...(roles !== undefined && { roleIds: roles as string[] }),
      ...(active !== undefined && { active }),
    },
  };
}

/** Roles are a set, so their order does not matter. */
const tidied = ({ roles, ...person }: Values): Values =>
  roles === undefined ? person : { ...person, roles: sortedIds(roles as string[]) };

/** How users are read and changed: read as the administrator, and written in the scope `identity`. */
export function userWays(app: App): Ways {
  /** Changes a user as the administrator saw them; false if someone else was faster. */
  async function attempt(call: Call, id: string, version: number, change: Change): Promise<boolean> {
    const known = await knownUser(call, id);
    const tenantId = administeredTenant(call);
    return actIn(app, call, { kind: 'identity' }, tenantId, async (tx, audit) => {
      const authority = await authorityToChange(tx, call);
      const { stored } = known;
      if ((await lockVersions(tx, tenantId, stored.accountId)).get(id) !== stored.version) return false;
      const writer = { tenantId, hiddenFamilies: [] };
      const { changes } = await planChange(tx, userReading, writer, { ...stored }, version, change);
      await changeUser(tx, authority, audit, known, changeOf(change), changes, change.undoes);
      return true;
    });
  }
  return {
    read: async (call, id) => ({ ...(await readDetail(app.database, call, id)) }),
    change: async (call, id, version, asked) => {
      const change = { ...asked, given: tidied(asked.given) };
      while (!(await attempt(call, id, version, change)));
      return { ...(await readDetail(app.database, call, id)) };
    },
    faults: async (call, id, change) => {
      const known = await knownUser(call, id);
      return actIn(app, call, { kind: 'identity' }, administeredTenant(call), async (tx) => {
        const authority = await authorityToChange(tx, call);
        return (await judgeUser(tx, authority, known, changeOf(change))).faults;
      });
    },
  };
}
