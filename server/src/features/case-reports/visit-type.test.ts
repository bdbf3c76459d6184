import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { elr, importText } from '../imports/test-messages.ts';
import { visitTypeOfClass, visitTypeOfWords } from './visit-type.ts';

describe('where a person was seen', () => {
  test.each([
    ['O', 'clinic'],
    ['E', 'clinic'],
    ['AMB', 'clinic'],
    ['FLD', 'field'],
    ['HH', 'field'],
    ['VR', 'telemedicine'],
    ['N', null],
    ['U', null],
    ['', null],
    [undefined, null],
  ])('by the class of the visit %s: %s', (patientClass, expected) => {
    expect(visitTypeOfClass(patientClass)).toBe(expected);
  });

  test.each([
    ['Telehealth visit', 'telemedicine'],
    ['video', 'telemedicine'],
    ['Home visit', 'field'],
    ['visita a domicilio', 'field'],
    ['Outpatient', 'clinic'],
    ['Clínica', 'clinic'],
    ['vr', 'telemedicine'],
    ['something else', null],
    [undefined, null],
  ])('by the words of a table %s: %s', (text, expected) => {
    expect(visitTypeOfWords(text)).toBe(expected);
  });

  test('[S1.3] is on the case that a message opens, and a later message does not remove it', async () => {
    const { database } = await createTestDatabase();
    const { id: tenantId } = await makeTenant(database);
    const seen = (patientClass: string, control: string) =>
      elr({ control }).replace('\rORC', `\rPV1|1|${patientClass}\rORC`);
    const visitType = () =>
      database.withScope({ kind: 'service', tenantId }, (tx) =>
        tx.rows('select visit_type from case_report'),
      );
    await importText(database, tenantId, seen('VR', 'one'));
    expect(await visitType()).toEqual([{ visit_type: 'telemedicine' }]);
    await importText(database, tenantId, seen('U', 'two'));
    expect(await visitType()).toEqual([{ visit_type: 'telemedicine' }]);
  });
});
