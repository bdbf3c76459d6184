import { randomUUID } from 'node:crypto';
import { addDays } from '@caseway/contract/date-range';
import type { AnyRecord, Field } from '@caseway/contract/record';
import { askedOfMany, bulkTransitions } from '@caseway/contract/record-transitions';
import type { TestApp } from './app.ts';
import { askingAs } from './asking.ts';
import { blankOf } from './blank.ts';
import { asSuperuser } from './database.ts';
import { makeCaseReport, makePatient, makeSpecimen } from './factories.ts';
import type { Chance } from './requests.ts';
import type { SignedIn } from './sign-in.ts';

export type Values = Readonly<Record<string, unknown>>;
/** A record in the form of an answer. */
export type Stored = { id: string; version: number } & Values;
/** A request for one or many records: a transition with its fields, or new values. */
export interface Asked {
  transition?: { id: string; fields: Values; reason?: string };
  change?: Values;
}

/**
 * Makes records of every kind that people work on, in a tenant of the demo, and values for their fields. `somebody`
 * may do everything in the tenant.
 */
export async function someRecords(
  testing: Pick<TestApp, 'app' | 'database' | 'superuserUrl'>,
  tenant: { id: string; facilities: readonly { id: string; name: string }[] },
  somebody: SignedIn,
) {
  const { database, superuserUrl } = testing;
  const { ok } = askingAs(testing, somebody);
  const [{ today }] = (await asSuperuser<{ today: string }>(
    'select cast(cast(now() at time zone time_zone as date) as text) as today from tenant where id = $1',
    [tenant.id],
    superuserUrl,
  )) as [{ today: string }];
  const at = { tenant_id: tenant.id, county_fips: '13121' };
  // Outside the jurisdiction's counties.
  const patient = async () => (await makePatient(database, { ...at, birth_date: '1990-05-06' })).id;
  const madeCase = async (condition = 'measles', family = condition) => {
    const { id } = await makeCaseReport(database, {
      ...at,
      patient_id: await patient(),
      condition_code: condition,
      disease_family: family,
    });
    return id;
  };
  const placeOf = (name: string) => tenant.facilities.find((one) => one.name === name)!.id;

  /** The required values for a new record of each kind; a case already exists. */
  const given: Readonly<Record<string, () => Promise<Values>>> = {
    'work-tasks': async () => ({
      work: 'call',
      state: 'open',
      priority: 'normal',
      queue: 'assignee',
      recordId: await madeCase(),
    }),
    contacts: async () => ({
      caseRecord: await madeCase(),
      patient: await patient(),
      exposure: 'same-room',
      lastExposedOn: addDays(today, -30),
    }),
    'case-follow-ups': async () => ({
      caseRecord: await madeCase(),
      purpose: 'isolation',
      firstOn: today,
      lastOn: addDays(today, 9),
    }),
    'partner-services': async () => ({
      caseRecord: await madeCase('syphilis-primary', 'syphilis'),
      referralBasis: 'T1',
    }),
    'field-visits': async () => ({
      patient: await patient(),
      visitType: 'interview',
      plannedFor: today,
      twoWorkers: false,
      noLetter: false,
    }),
    'incident-reports': async () => ({
      kind: 'other-incident',
      receivedOn: today,
      category: 'specimen',
      event: 'incident',
      narrative: 'A tube broke in the centrifuge.',
      patient: await patient(),
    }),
    'sample-shipments': async () => ({
      origin: placeOf('Mangrove Community Clinic Ybor City'),
      destination: placeOf('Gulfstream State Public Health Laboratory'),
      temperature: 'refrigerated',
      carrier: 'FedEx',
    }),
    telemedicine: async () => ({
      patient: await patient(),
      visitType: 'follow-up',
      taskCategory: 'telemedicine',
    }),
  };

  /** What is done with a new one before it can continue. */
  const begun: Readonly<Record<string, (made: Stored) => Promise<unknown>>> = {
    'sample-shipments': async ({ id, origin }) => {
      const accession = `T-${randomUUID()}`;
      await makeSpecimen(database, {
        ...at,
        patient_id: await patient(),
        facility_id: origin as string,
        accession,
        disease_family: 'measles',
        condition_code: 'measles',
      });
      await ok('POST', `sample-shipments/${id}/specimens`, { code: accession });
    },
  };

  /** With these values a transition usually succeeds; with random ones it rarely does. */
  const usual: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
    'partner-services': { decide: { initialFollowUp: 'FF', initialFollowUpOn: today } },
  };

  async function make(record: Pick<AnyRecord, 'id' | 'fields'>): Promise<Stored> {
    const values = given[record.id];
    if (!values) return ok('GET', `${record.id}/${await madeCase()}`);
    const made = await ok<Stored>('POST', record.id, { ...blankOf(record), ...(await values()) });
    await begun[record.id]?.(made);
    return ok('GET', `${record.id}/${made.id}`);
  }

  const offered = new Map<string, readonly string[]>();
  async function optionsFor(lookup: string): Promise<readonly string[]> {
    const known = offered.get(lookup);
    if (known) return known;
    const { options } = await ok<{ options: { id: string }[] }>('GET', `list/options/${lookup}`);
    const ids = options.map(({ id }) => id);
    offered.set(lookup, ids);
    return ids;
  }

  let booked = 0;
  /** A random value of a field; a text or time that no other record has. */
  async function someValue({ options, kind }: Field, chance: Chance): Promise<unknown> {
    if (typeof options === 'string') return chance.pick((await optionsFor(options)).slice(0, 20));
    if (options) return chance.pick(options);
    if (kind === 'day') return addDays(today, chance.below(20) - 5);
    if (kind === 'count') return 5 * (1 + chance.below(6));
    if (kind === 'instant') {
      booked += 1;
      return new Date(Math.ceil(Date.now() / 300_000) * 300_000 + booked * 14_400_000).toISOString();
    }
    return kind === 'reference' ? randomUUID() : 'Some words';
  }

  /** Values for a share of these fields of a record. */
  async function someFields(
    { fields }: Pick<AnyRecord, 'fields'>,
    names: readonly string[],
    chance: Chance,
    share: number,
  ): Promise<Values> {
    const values: [string, unknown][] = [];
    for (const name of names)
      if (chance.maybe(share)) values.push([name, await someValue(fields[name]!, chance)]);
    return Object.fromEntries(values);
  }

  /**
   * A transition of a record with most of the fields that it asks for; for a bulk transition, those that many
   * records can have.
   */
  async function someDeed(
    record: AnyRecord,
    id: string,
    chance: Chance,
  ): Promise<Asked & Required<Pick<Asked, 'transition'>>> {
    const transition = record.workflow!.flow.transitions.find((known) => known.id === id)!;
    const isForMany = bulkTransitions(record).includes(transition);
    const names = isForMany ? askedOfMany(record, transition) : (transition.asks ?? []);
    const reason = transition.reason && chance.maybe(0.85) ? { reason: 'It is so.' } : {};
    const likely = usual[record.id]?.[id];
    const fields = likely && chance.maybe(0.7) ? likely : await someFields(record, names, chance, 0.85);
    return { transition: { id, fields, ...reason } };
  }

  return { make, optionsFor, someValue, someFields, someDeed };
}
