import { alikePatients, mergedPatient, patientPerson } from '@caseway/contract/patients';
import { writtenNames } from '@caseway/contract/record';
import { v7 } from 'uuid';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import { actIn } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { faultsOfTexts } from '../../platform/records/record-faults.ts';
import { readChanges, same } from '../../platform/records/record-history.ts';
import { inItsTenant, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { alikeShown } from './alike-shown.ts';
import type { Given } from './corrected-person.ts';
import { mergedInto } from './merged-person.ts';
import { patientSource, readPatientRows } from './patient-rows.ts';
import { readPerson } from './person.ts';
import { contextOf, faultsOfPerson, personServer, writerOf } from './person-server.ts';
import { makePerson } from './save-person.ts';

/** The patient database: the grid of persons, its export, one person, and those whom people enter and correct. */
export function servePatients(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = personServer(app, lookups);
  serveGrid(app, analytics, {
    source: patientSource,
    recordKind: 'patient',
    orders: (names, call) => lookups.orders(names, call),
    read: readPatientRows,
    exported: { lookups, words: 'patients', codesOf: () => 'common:answers' },
  });
  servePatientRecord(app, server);

  const wrong = async (call: Call, given: Given) => [
    ...faultsOfTexts(patientPerson, {}, given),
    ...faultsOfPerson(given, writtenNames(patientPerson.fields), await contextOf(lookups, call)),
  ];

  serve(
    app,
    patientPerson.endpoints.make,
    async (call) => {
      const { id = v7(), ...given } = call.body;
      const tenantId = tenantToMakeIn(call);
      const there = await call.withScope(async (tx) => {
        call.audit({ recordKind: 'patient', recordIds: [] });
        const person = await readPerson(tx, id, call);
        const first = person && (await readChanges(tx, server, id, 1, []));
        return { person, first };
      });
      // The same request again, because its answer was lost.
      if (there.person) {
        const { first } = there;
        const isSame =
          first?.accountId === call.account.accountId &&
          Object.entries(given).every(
            ([name, value]) => value === null || same(first.changes[name]?.to, value),
          );
        if (!isSame) throw keyUsed();
        return there.person;
      }
      refuse(await wrong(call, given));
      const writer = await writerOf(app, call, tenantId);
      await actIn(app, call, { kind: 'service', tenantId }, tenantId, async (tx, audit) => {
        await makePerson(tx, tenantId, id, given, writer).catch((error) => {
          // One that the writer does not see.
          throw error.code === '23505' && /_pkey$/.test(error.constraint) ? keyUsed() : error;
        });
        await audit({ action: 'patient/made', recordKind: 'patient', recordIds: [id] });
      });
      return call.withScope(async (tx) => {
        call.audit({ recordKind: 'patient', recordIds: [id] });
        return (await readPerson(tx, id, call))!;
      });
    },
    { alsoWrong: (call) => wrong(call, call.body as Given) },
  );

  serve(app, mergedPatient, (call) =>
    inItsTenant(call, 'patient', call.params.id, async (tx) => {
      const id = await mergedInto(tx, call.params.id);
      const person = id === undefined ? null : await readPerson(tx, id, call);
      if (!person) throw new AppError('not-found');
      call.audit({ recordKind: 'patient', recordIds: [call.params.id, person.id] });
      const { lastName, firstName } = person;
      return { id: person.id, lastName, firstName };
    }),
  );

  serve(app, alikePatients, async (call) => ({
    patients: await alikeShown(app, call, tenantToMakeIn(call), call.body),
  }));
}

const keyUsed = () => refused('id', 'key-used', 'another record has this id');

/** The tenant of a new person; a jurisdiction sees those of its tenants, and enters none. */
function tenantToMakeIn({ org, scope }: Call): string {
  if (org.orgType === 'PHJ' || scope.kind !== 'org') throw new AppError('forbidden');
  return scope.tenantId;
}
