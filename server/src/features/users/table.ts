import { randomUUID } from 'node:crypto';
import { experiences, languages, orgTypes } from '@caseway/contract/session';
import {
  type PersonFields,
  personFields,
  type UserTableColumn,
  type UserTableRow,
  userTableColumns,
  userTableLimits,
} from '@caseway/contract/users';
import { parse } from 'csv-parse/sync';
import type { Tx } from '../../platform/db/database.ts';
import type { WriteAudit } from '../../platform/http/acting.ts';
import type { Call } from '../../platform/http/serve.ts';
import { enqueueEach } from '../../platform/jobs/jobs.ts';
import {
  type Authority,
  type Place,
  placesOf,
  type Refusal,
  refusalOf,
} from '../../platform/policy/authority.ts';
import { changesOf } from '../../platform/records/record-history.ts';
import { fold } from '../../platform/text/fold.ts';
import { wordsIn } from '../../platform/words/words.ts';
import { sendInvitation } from './invitation.ts';
import {
  codesOf,
  endMemberships,
  type Member,
  membershipsWhere,
  type StoredMembership,
  writeAccounts,
  writeMemberships,
  writeRoles,
} from './memberships.ts';
import {
  askedFirst,
  changeOffer,
  memberKey,
  newPersonId,
  type Offer,
  type OfferedPerson,
  offeredPersons,
  sortedIds,
  writeOffers,
} from './offers.ts';
import { keepChanges } from './user-history.ts';

/*
 * A table of users: each row is one person in one organisation with their roles. A table is planned as a whole, so
 * that the preview and the change come from the same plan, and the preview writes nothing.
 */

export type TableFault = {
  code: 'no-rows' | 'too-many-rows' | 'columns-missing' | 'unreadable';
  detail: string;
};

/** The planned action of a row. */
export interface PlannedRow extends UserTableRow {
  /** Absent if nothing is written. */
  deed?: {
    /** `offered`: to a person who is asked first. */
    person: { accountId: string; offered?: OfferedPerson } | PersonFields;
    place: Place;
    roleIds: string[];
    current: StoredMembership | undefined;
    active: boolean;
  };
}

const needed: readonly UserTableColumn[] = ['email', 'roles'];

/** Column headings: the name of a column, or its label in any language and experience. [S1.5] */
function columnsByHeading(): Map<string, UserTableColumn> {
  const plain = (text: string) => fold(text).replace(/[^a-z0-9]/g, '');
  const known = new Map<string, UserTableColumn>();
  for (const column of userTableColumns) {
    known.set(plain(column), column);
    for (const language of languages)
      for (const experience of experiences) {
        const title = wordsIn('users', language, experience)(`table.column.${column}`);
        if (title) known.set(plain(title), column);
      }
  }
  return known;
}

type Cells = Partial<Record<UserTableColumn, string>>;

/** The rows of a table with their lines, or the faults of the table as a whole. */
export function readTable(text: string): { line: number; cells: Cells }[] | TableFault {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as never;
  } catch (error) {
    return { code: 'unreadable', detail: String((error as { lines?: number }).lines ?? '') };
  }
  const [header, ...rows] = records;
  if (!header || rows.length === 0) return { code: 'no-rows', detail: '' };
  if (rows.length > userTableLimits.rows)
    return { code: 'too-many-rows', detail: String(userTableLimits.rows) };
  const known = columnsByHeading();
  const columns = header.record.map((heading) => known.get(fold(heading).replace(/[^a-z0-9]/g, '')));
  const missing = needed.filter((column) => !columns.includes(column));
  if (missing.length > 0) return { code: 'columns-missing', detail: missing.join(', ') };
  return rows.map(({ record, info }) => ({
    line: info.lines,
    cells: Object.fromEntries(
      columns.flatMap((column, index) => (column ? [[column, unquoted(record[index] ?? '')]] : [])),
    ),
  }));
}

/** Spreadsheets in many countries write semicolons. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const count = (mark: string) => first.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Without the mark that keeps an exported cell from being a formula. */
const unquoted = (cell: string): string => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell);

/** Everything in the tenant that rows refer to by name. */
interface Directory {
  /** By id, and by folded name, each within `orgType `. */
  places: Map<string, Place[]>;
  rolesByName: Map<string, string>;
  accounts: Map<string, KnownAccount>;
  memberships: Map<string, StoredMembership>;
}

interface KnownAccount {
  id: string;
  disabled: boolean;
  /** For people who decide themselves whether they join the tenant. */
  asked?: {
    personId: string;
    /** As the tenant knows them; absent for an address that is new to it, even if others know it. [P12] */
    known?: OfferedPerson;
  };
}

async function readDirectory(tx: Tx, authority: Authority, emails: readonly string[]): Promise<Directory> {
  const { tenantId } = authority;
  const places: Directory['places'] = new Map();
  for (const orgType of orgTypes)
    for (const place of await placesOf(tx, authority, orgType))
      for (const name of [place.orgId, fold(place.name)]) {
        const key = `${orgType} ${name}`;
        places.set(key, [...(places.get(key) ?? []), place]);
      }
  const roles = await tx.rows<{
    id: string;
    code: string;
    label: string;
    label_i18n: Record<string, string>;
  }>('select id, code, label, label_i18n from role where tenant_id = $1', [tenantId]);
  const rolesByName = new Map<string, string>();
  for (const { id, code, label, label_i18n } of roles)
    for (const name of [code, label, ...Object.values(label_i18n)]) rolesByName.set(fold(name), id);
  const found = await tx.rows<PersonFields & { id: string; username: string; disabled: boolean }>(
    `select id, username, lower(email) as email, disabled_at is not null as disabled, first_name as "firstName",
       middle_name as "middleName", last_name as "lastName", phone, language_code as language, time_zone as "timeZone"
     from account
     where patient_id is null and (username = any ($1) or lower(email) = any ($1)) order by created_at desc`,
    [emails],
  );
  const ids = found.map(({ id }) => id);
  // In this order, an ended membership does not overwrite an active one of the same place in the map.
  const memberships = (
    await membershipsWhere(tx, tenantId, 'm.account_id = any ($2::uuid[])', [ids])
  ).toReversed();
  const members = new Set(memberships.filter((one) => !one.offered).map(({ accountId }) => accountId));
  const asked = await askedFirst(tx, tenantId, ids);
  const offered = await offeredPersons(tx, tenantId, [...asked]);
  const accounts: Directory['accounts'] = new Map();
  // A person who signs in with an address comes before one who only gets mail there.
  for (const by of ['email', 'username'] as const)
    for (const { id, username, disabled, ...own } of found) {
      const key = by === 'email' ? own.email : username;
      if (!asked.has(id)) {
        accounts.set(key, { id, disabled });
        continue;
      }
      const personId = offered.get(id)?.personId ?? newPersonId();
      const known = offered.get(id) ?? (members.has(id) ? { ...own, personId } : undefined);
      // Nothing is known about a person who has not accepted yet.
      accounts.set(key, { id, disabled: false, asked: { personId, ...(known && { known }) } });
    }
  return {
    places,
    rolesByName,
    accounts,
    memberships: new Map(memberships.map((one) => [memberKey(one), one])),
  };
}

/** The plan of each row of a table, in order. Rows about the same person see the effect of earlier rows. */
export async function planTable(
  tx: Tx,
  authority: Authority,
  call: Call,
  rows: readonly { line: number; cells: Cells }[],
): Promise<PlannedRow[]> {
  const emails = [...new Set(rows.map(({ cells }) => (cells.email ?? '').toLowerCase()))];
  const directory = await readDirectory(tx, authority, emails);
  const planned: PlannedRow[] = [];
  const seen = new Set<string>();
  for (const { line, cells } of rows) {
    const email = (cells.email ?? '').toLowerCase();
    const refuse = (column: UserTableColumn | null, reason: string, detail: string[] = []): PlannedRow => ({
      line,
      email: cells.email ?? '',
      outcome: 'refused',
      reason,
      column,
      detail,
    });
    planned.push(planRow({ line, cells, email, authority, call, directory, seen, refuse }));
  }
  return planned;
}

interface RowContext {
  line: number;
  cells: Cells;
  email: string;
  authority: Authority;
  call: Call;
  directory: Directory;
  /** Persons and places in earlier rows. */
  seen: Set<string>;
  refuse(column: UserTableColumn | null, reason: string, detail?: string[]): PlannedRow;
}

function planRow(context: RowContext): PlannedRow {
  const { line, cells, email, authority, directory, seen, refuse } = context;
  const account = directory.accounts.get(email);
  const isNew = account === undefined || (account.asked !== undefined && account.asked.known === undefined);
  // A known person keeps their stored details, even those stored before they were checked.
  const typed = isNew ? newPerson(context) : undefined;
  if (typed && 'outcome' in typed) return typed;
  const offered = account?.asked && (account.asked.known ?? { ...typed!, personId: account.asked.personId });
  const person = account ? { accountId: account.id, ...(offered && { offered }) } : typed!;

  const place = placeIn(context);
  if (!place) return refuse('organization', 'unknown-organization', [cells.organization ?? '']);
  const once = `${email} ${place.orgType} ${place.orgId}`;
  if (seen.has(once)) return refuse(null, 'twice');
  seen.add(once);

  const names = (cells.roles ?? '').split(/[;|]/).map((name) => name.trim());
  const roleIds = names.filter(Boolean).map((name) => directory.rolesByName.get(fold(name)));
  const unknown = names.filter((name) => name && !directory.rolesByName.has(fold(name)));
  if (unknown.length > 0) return refuse('roles', 'unknown-role', unknown);
  const status = fold(cells.status ?? '');
  const current = account && directory.memberships.get(memberKey({ ...place, accountId: account.id }));
  // As exported; a table neither locks nor disables accounts.
  const asItIs =
    current?.active === true && (status === 'locked' || (status === 'disabled' && account!.disabled));
  if (!['', 'active', 'inactive', 'invited'].includes(status) && !asItIs)
    return refuse('status', 'unknown-status');
  const active = status !== 'inactive';
  if (roleIds.length === 0 && !current) return refuse('roles', 'required');

  const next = { roleIds: roleIds.length > 0 ? (roleIds as string[]) : current!.roleIds, active };
  const same =
    current &&
    current.active === active &&
    (!active || JSON.stringify([...new Set(next.roleIds)].sort()) === JSON.stringify(current.roleIds));
  const outcome = { line, email: cells.email ?? '', reason: null, column: null, detail: [] };
  if (same || (!current && !active)) return { ...outcome, outcome: 'unchanged' };
  if (active && !current?.active && !place.active)
    return refuse('organization', 'unknown-organization', [cells.organization ?? '']);
  const refusal: Refusal | null = refusalOf(
    authority,
    { accountId: account?.id ?? null, kind: place.kind, holding: current ?? null },
    next,
  );
  if (refusal) return refuse('roles', refusal.code, refusal.permissions);
  return {
    ...outcome,
    outcome: !active ? 'ended' : current?.active ? 'changed' : isNew ? 'invited' : 'added',
    deed: {
      person,
      place,
      roleIds: next.roleIds,
      current,
      active,
    },
  };
}

/** A person whom a row adds and the tenant does not know, or why that is refused. */
function newPerson({ cells, call, refuse }: RowContext): PersonFields | PlannedRow {
  const person = personFields.safeParse({
    email: cells.email ?? '',
    firstName: cells.firstName ?? '',
    middleName: cells.middleName || null,
    lastName: cells.lastName ?? '',
    phone: cells.phone ? cells.phone.replace(/[^\d+]/g, '') : null,
    language: languageIn(cells.language) ?? 'en',
    timeZone: call.org.timeZone,
  });
  if (!person.success) {
    const [issue] = person.error.issues;
    const reason = issue!.code === 'custom' ? String(issue!.params?.code) : issue!.code;
    return refuse(String(issue!.path[0]) as UserTableColumn, reason);
  }
  if (cells.language && !languageIn(cells.language)) return refuse('language', 'unknown-language');
  return person.data;
}

/** The organisation that a row names: by its id or its whole name; by default the caller's. */
function placeIn({ cells, authority, directory }: RowContext): Place | undefined {
  const wanted = cells.organization ?? '';
  const type = (cells.orgType ?? '').toUpperCase();
  if (wanted === '')
    return type === '' || type === authority.orgType
      ? directory.places.get(`${authority.orgType} ${authority.orgId}`)?.[0]
      : undefined;
  const types = orgTypes.filter((one) => type === '' || one === type);
  const named = (name: string) => types.flatMap((one) => directory.places.get(`${one} ${name}`) ?? []);
  const byId = named(wanted.toLowerCase());
  const found = byId.length > 0 ? byId : named(fold(wanted));
  // Two with one name can only be told apart by their ids.
  return found.length === 1 ? found[0] : undefined;
}

const languageIn = (text: string | undefined) =>
  languages.find((one) => one.toLowerCase() === (text ?? '').toLowerCase());

/** People named in one audit row. */
const auditedAtOnce = 100;

/** The changes of a row to a membership or offer. */
const historyOf = (current: StoredMembership, next: { roleIds: readonly string[]; active: boolean }) =>
  changesOf(
    { roles: current.roleIds, active: current.active },
    { roles: next.active ? sortedIds(next.roleIds) : current.roleIds, active: next.active },
  );

/** The changes by rows of a table, written in a fixed number of statements. */
class Changes {
  readonly #members: Member[] = [];
  readonly #offers: Offer[] = [];
  readonly #ended: string[] = [];
  readonly #roles = new Map<string, readonly string[]>();
  readonly #history = new Map<string, ReturnType<typeof historyOf>>();
  readonly #places = new Set<string>();

  /** Whether it already has a change of this place; the next change must see what that one has written. */
  has(place: Pick<Member, 'accountId' | 'orgType' | 'orgId'>): boolean {
    return this.#places.has(memberKey(place));
  }

  add({
    member,
    offered,
    current,
    active,
  }: {
    member: Member;
    offered: OfferedPerson | undefined;
    current: StoredMembership | undefined;
    active: boolean;
  }): void {
    this.#places.add(memberKey(member));
    if (current?.active) this.#history.set(current.id, historyOf(current, { ...member, active }));
    if (!active) this.#ended.push(current!.id);
    else if (current?.active) this.#roles.set(current.id, member.roleIds);
    else if (offered) this.#offers.push({ ...member, person: offered });
    else this.#members.push(member);
  }

  /** Writes the changes; returns the new memberships and offers, by account. */
  async write(tx: Tx, authority: Authority): Promise<Map<string, string[]>> {
    const { tenantId } = authority;
    await endMemberships(tx, tenantId, this.#ended);
    await writeRoles(tx, tenantId, this.#roles);
    await keepChanges(tx, authority, this.#history);
    const ids = [
      ...(await writeMemberships(tx, authority, this.#members)),
      ...(await writeOffers(tx, authority, this.#offers)),
    ];
    const begun = new Map<string, string[]>();
    for (const [place, { accountId }] of [...this.#members, ...this.#offers].entries())
      begun.set(accountId, [...(begun.get(accountId) ?? []), ids[place]!]);
    return begun;
  }
}

/** Carries out a plan, and emails the people it adds. */
export async function applyTable(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  plan: readonly PlannedRow[],
): Promise<void> {
  const { tenantId, policy } = authority;
  // The first row about a person identifies them.
  const people = new Map<string, PersonFields>();
  for (const { deed } of plan)
    if (deed && !('accountId' in deed.person)) {
      const email = deed.person.email.toLowerCase();
      if (!people.has(email)) people.set(email, deed.person);
    }
  const ids = await writeAccounts(tx, [...people.values()]);
  const made = new Map([...people.keys()].map((email, place) => [email, ids[place]!]));
  const offers = new Map<string, OfferedPerson>();
  const invited = new Map<string, string[]>();
  const done: { accountId: string; said: Record<string, unknown> }[] = [];
  let changes = new Changes();
  const write = async () => {
    for (const [accountId, begun] of await changes.write(tx, authority))
      invited.set(accountId, [...(invited.get(accountId) ?? []), ...begun]);
    changes = new Changes();
  };
  for (const { deed, outcome } of plan) {
    if (!deed) continue;
    const { person, current, active, roleIds } = deed;
    const accountId = 'accountId' in person ? person.accountId : made.get(person.email.toLowerCase())!;
    const { orgType, orgId } = deed.place;
    const member = { accountId, orgType, orgId, roleIds };
    // The tenant's id for them.
    let personId = current?.personId ?? accountId;
    // By another address of the same person.
    if (changes.has(member)) await write();
    if (current?.offered && outcome !== 'added') {
      await changeOffer(tx, authority, current.id, deed);
      await keepChanges(tx, authority, new Map([[current.id, historyOf(current, deed)]]));
    } else {
      const isOffered = active && !current?.active && 'offered' in person && person.offered;
      const offered = isOffered ? (offers.get(accountId) ?? isOffered) : undefined;
      if (offered) {
        offers.set(accountId, offered);
        personId = offered.personId;
      }
      changes.add({ member, offered, current, active });
    }
    const after = { roles: codesOf(policy, deed.roleIds), active: deed.active };
    const before = current && { roles: codesOf(policy, current.roleIds), active: current.active };
    done.push({
      accountId: personId,
      said: { accountId: personId, orgType, orgId, ...(before ? { before } : {}), after },
    });
  }
  await write();
  for (let from = 0; from < done.length; from += auditedAtOnce) {
    const part = done.slice(from, from + auditedAtOnce);
    await audit({
      action: 'user/table',
      recordKind: 'account',
      recordIds: [...new Set(part.map(({ accountId }) => accountId))],
      detail: { rows: part.map(({ said }) => said) },
    });
  }
  await enqueueEach(
    tx,
    sendInvitation,
    [...invited.values()].map((membershipIds) => ({
      tenantId,
      membershipIds: membershipIds.slice(0, 50),
      mailId: randomUUID(),
    })),
  );
}
