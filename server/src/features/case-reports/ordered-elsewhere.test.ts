import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import type { Sight } from '../imports/sight.ts';
import {
  detected,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  notDetected,
  type TestMessage,
} from '../imports/test-messages.ts';

/*
 * A laboratory or an organization sends a result that another place ordered: the result belongs to that place, not
 * to the sender.
 */

const { database } = await createTestDatabase();
let tenantId: string;
let senders: Record<string, Sight>;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
  const laboratory = await makeFacility(database, { tenant_id: tenantId, name: 'Gulf Laboratory' });
  const nothing = { organizationId: null, facilityId: null, hiddenFamilies: [] };
  senders = {
    'a facility': { ...nothing, facilityId: laboratory.id },
    'an organization': { ...nothing, organizationId: randomUUID() },
    'a facility that may not see HIV': { ...nothing, facilityId: laboratory.id, hiddenFamilies: ['hiv'] },
    'the whole tenant': nothing,
  };
});
const cases = () =>
  database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows(
      `select c.condition_code as condition, c.classification, f.name as facility, count(l.result_id)::int as results
       from case_report c left join facility f on f.tenant_id = c.tenant_id and f.id = c.facility_id
         left join case_result l on l.tenant_id = c.tenant_id and l.case_report_id = c.id
       group by 1, 2, 3, c.id order by 1`,
    ),
  );
const sent = (sender: string, tests: TestMessage['tests']) => {
  const sight = senders[sender]!;
  return importText(database, tenantId, elr({ clinic: 'Bayside Clinic', tests }), {
    sight,
    facilityId: sight.facilityId ?? undefined,
  });
};
const gonorrhea = {
  condition: 'gonorrhea',
  classification: 'confirmed',
  facility: 'Bayside Clinic',
  results: 1,
};
const supplemental = { test: '5221-7^HIV 1 Ab immunoblot^LN', value: '11214006^Reactive^SCT' };

describe('a positive result that another place ordered opens a case for any sender', () => {
  test.each(['a facility', 'an organization', 'a facility that may not see HIV', 'the whole tenant'])(
    '%s',
    async (sender) => {
      const done = await sent(sender, [{ test: gonorrhoea, value: detected }]);
      expect(done.effects).toMatchObject({ resultsCreated: 1, casesOpened: 1 });
      expect(await cases()).toEqual([gonorrhea]);
    },
  );

  test('a negative one opens no case', async () => {
    await sent('a facility', [{ test: gonorrhoea, value: notDetected }]);
    expect(await cases()).toEqual([]);
  });

  test('all results of one message count together', async () => {
    await sent('a facility', [{ test: hivScreen, value: '11214006^Reactive^SCT' }, supplemental]);
    expect(await cases()).toEqual([
      { condition: 'hiv', classification: 'confirmed', facility: 'Bayside Clinic', results: 2 },
    ]);
  });
});

describe('only the sender can correct, under its number, what it sent for another place', () => {
  const report = (sender: string, given: TestMessage) =>
    importText(
      database,
      tenantId,
      elr({ clinic: 'Bayside Clinic', order: 'F-77', collected: '202603021000', ...given }),
      { sight: senders[sender]!, facilityId: senders[sender]!.facilityId ?? undefined },
    );
  const positive = { reported: '202603031000', tests: [{ test: gonorrhoea, value: detected }] };
  const negative = {
    reported: '202603051000',
    tests: [{ test: gonorrhoea, value: notDetected, status: 'C' }],
  };
  const people = () =>
    database.withScope({ kind: 'service', tenantId }, (tx) =>
      tx.rows(
        `select p.last_name as name, array_agg(r.result_category || case when r.superseded_by is null then '' else ', replaced' end
           order by r.id) as results
         from patient p join result r on r.tenant_id = p.tenant_id and r.patient_id = p.id group by p.id, 1 order by p.id`,
      ),
    );
  const reviews = () =>
    database.withScope({ kind: 'service', tenantId }, (tx) =>
      tx.rows('select review_reason as reason from case_report'),
    );

  test.each(['a facility', 'an organization'])('%s', async (sender) => {
    await report(sender, positive);
    const done = await report(sender, negative);
    expect(done.effects).toMatchObject({ resultsCorrected: 1, casesToReview: 1 });
    expect(await people()).toEqual([{ name: 'Okafor', results: ['positive, replaced', 'negative'] }]);
    expect(await reviews()).toEqual([{ reason: 'result-no-longer-positive' }]);
  });

  test('a repeated result makes no second person and no second case', async () => {
    await report('a facility', positive);
    const done = await report('a facility', { ...positive, control: 'AGAIN' });
    expect(done.effects).not.toHaveProperty('resultsCreated');
    expect(await people()).toHaveLength(1);
    expect(await cases()).toHaveLength(1);
  });

  test('another place that sends the same number corrects nothing', async () => {
    await report('a facility', positive);
    const done = await report('an organization', negative);
    expect(done.effects).toMatchObject({ patientsCreated: 1, resultsCreated: 1 });
    expect(await people()).toEqual([
      { name: 'Okafor', results: ['positive'] },
      { name: 'Okafor', results: ['negative'] },
    ]);
    expect(await reviews()).toEqual([{ reason: null }]);
  });

  test('a correction that names another person puts the case of the result up for review', async () => {
    await report('a facility', positive);
    await report('a facility', {
      ...negative,
      patient: { id: 'MRN2', last: 'Brandt', first: 'Otto', birth: '19610203', sex: 'M', phone: '5550199' },
    });
    expect(await people()).toEqual([
      { name: 'Okafor', results: ['positive, replaced'] },
      { name: 'Brandt', results: ['negative'] },
    ]);
    expect(await reviews()).toEqual([{ reason: 'result-of-another-patient' }]);
  });
});
