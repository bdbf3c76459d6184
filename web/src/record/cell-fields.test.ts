import { readdirSync } from 'node:fs';
import { incidentRecord } from '@caseway/contract/incident-reports';
import { type AnyRecord, anyRecord } from '@caseway/contract/record';
import { cellFault, cellFields } from '@caseway/contract/record-cells';
import { shipmentRecord } from '@caseway/contract/sample-shipments';
import { expect, test } from 'vitest';

const contract = `${import.meta.dirname}/../../../contract/src`;
const modules = await Promise.all(
  readdirSync(contract)
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => import(/* @vite-ignore */ `${contract}/${file}`) as Promise<object>),
);
const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === 'object' && value !== null && 'grids' in value && 'form' in value && 'fields' in value;
const records = [...new Set(modules.flatMap((module) => Object.values(module)).filter(isRecord))];

test('of the columns of every list, these are edited in it: no names, identifiers or fields that decide about others', () => {
  const cells = records.flatMap((record) =>
    Object.entries(record.grids).flatMap(([id, grid]) => {
      const fields = cellFields(record, grid);
      return fields.length > 0 ? [[id, fields.join(' ')]] : [];
    }),
  );
  expect(Object.fromEntries(cells)).toEqual({
    'case-follow-ups': 'purpose',
    'case-reports': 'classification onsetOn collectedOn reportedOn receivedOn outcome pregnant visitType',
    contacts: 'sex age exposure relation firstExposedOn lastExposedOn risk',
    facilities: 'facilityType providerKinds street city postalCode county phone timeZone',
    'field-visits': 'visitType plannedFor dueOn program',
    'incident-reports':
      'receivedOn occurredOn category event harm vaccinatedOn reactions program visitType reporterRole',
    organizations: 'contactEmail contactPhone',
    'partner-services': 'referralBasis',
    patients: 'sex city state county language ethnicity race gender deceased',
    'sample-shipments': 'destination temperature expectedOn carrier trackingNumber',
    tasks: 'taskCategory',
    telemedicine: 'visitType taskCategory program language interpreter wantedBy',
    documents: 'category documentedOn',
    vaccinations: 'otherVaccine givenOn dose source manufacturer lot site route facility provider',
    'work-tasks': 'account team dueOn priority',
  });
  expect(records.length).toBeGreaterThan(15);
});

test('a cell cannot be edited while the state locks its record, or if its field is not asked', () => {
  const shipment = anyRecord(shipmentRecord);
  expect(cellFault(shipment, 'carrier', { state: 'draft' })).toBeNull();
  expect(cellFault(shipment, 'carrier', { state: 'in-transit' })).toBe('locked');
  const incident = anyRecord(incidentRecord);
  const fall = { stage: 'received', kind: 'other-incident' };
  expect(cellFault(incident, 'harm', fall)).toBeNull();
  expect(cellFault(incident, 'vaccinatedOn', fall)).toBe('not-asked');
});
