import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { detected, elr, importText, notDetected, type TestMessage } from '../imports/test-messages.ts';
import { decideMatch } from '../matches/matches.ts';

/*
 * For each condition, a person's decision about a case: later data or another version of the rules do not change it.
 */

const { database } = await createTestDatabase();

/**
 * Each with a test that opens it, the rule's result when the test is withdrawn, and the rule version for an event of
 * 2019.
 */
const conditions: [condition: string, test: string, rule: string, withdrawn: string, earlier: string][] = [
  ['syphilis-unknown-stage', '41163-7^T pallidum DNA^LN', 'probable', 'not_a_case', 'syphilis-2018'],
  ['hiv', '5018-7^HIV 1 RNA^LN', 'confirmed', 'unknown', 'hiv-2014'],
  ['gonorrhea', '24111-7^N gonorrhoeae DNA^LN', 'confirmed', 'not_a_case', 'gonorrhea-2014'],
  ['chlamydia', '21613-5^C trachomatis DNA^LN', 'confirmed', 'not_a_case', 'chlamydia-2022'],
  ['chancroid', '29559-2^H ducreyi DNA^LN', 'unknown', 'unknown', 'chancroid-1996'],
  ['hepatitis-a-acute', '7904-6^Hepatitis A RNA^LN', 'confirmed', 'unknown', 'hepatitis-a-2019'],
  ['hepatitis-b-chronic', '29610-3^Hepatitis B DNA^LN', 'confirmed', 'not_a_case', 'hepatitis-b-2012'],
  ['hepatitis-c-undetermined', '11259-9^Hepatitis C RNA^LN', 'confirmed', 'not_a_case', 'hepatitis-c-2016'],
  ['tuberculosis', '38379-4^M tuberculosis DNA^LN', 'confirmed', 'unknown', 'tuberculosis-2009'],
  ['covid-19', '94500-6^SARS-CoV-2 RNA^LN', 'confirmed', 'unknown', 'covid-19-2021'],
  ['mpox', '100383-9^Monkeypox DNA^LN', 'confirmed', 'unknown', 'mpox-2022'],
  ['pertussis', '23826-1^B pertussis DNA^LN', 'unknown', 'unknown', 'pertussis-2020'],
  ['measles', '48508-6^Measles RNA^LN', 'suspect', 'unknown', 'measles-2013'],
  ['salmonellosis', '49612-5^Salmonella DNA^LN', 'probable', 'unknown', 'salmonellosis-2017'],
  ['campylobacteriosis', '105640-7^Campylobacter DNA^LN', 'probable', 'unknown', 'campylobacteriosis-2015'],
  ['shigellosis', '70242-3^Shigella ipaH^LN', 'probable', 'unknown', 'shigellosis-2017'],
  ['stec', '79386-9^stx1^LN', 'suspect', 'unknown', 'stec-2018'],
  ['lyme-disease', '32667-8^B burgdorferi DNA^LN', 'suspect', 'unknown', 'lyme-disease-2017'],
  ['legionellosis', '21363-7^L pneumophila DNA^LN', 'suspect', 'unknown', 'legionellosis-2020'],
  ['varicella', '11483-5^VZV DNA^LN', 'unknown', 'unknown', 'varicella-2024'],
  ['mumps', '47532-7^Mumps RNA^LN', 'suspect', 'unknown', 'mumps-2012'],
  ['meningococcal-disease', '86581-6^N meningitidis^LN', 'confirmed', 'unknown', 'meningococcal-disease-2015'],
  ['rabies-human', '51646-8^Rabies RNA^LN', 'unknown', 'not_a_case', 'rabies-human-2011'],
]; // biome-ignore format: a table

const mine: TestMessage['patient'] = {
  last: 'Vandermeer',
  first: 'Ottoline',
  sex: 'F',
  id: 'A1',
  birth: '19810203',
  phone: '5550777',
};
const hers: TestMessage['patient'] = {
  ...mine,
  id: '',
  birth: '19810302',
  phone: '',
  street: '',
  zip: '',
  city: '',
};

describe.each(conditions)('a person’s decision about %s', (condition, name, says, withdrawn, earlier) => {
  const decisions = ['not_a_case', 'confirmed'];
  // In `npm test`, every other condition is tested with one decision, the rest with the other.
  const at = conditions.findIndex(([one]) => one === condition);
  test.each(load([decisions[at % 2]!], decisions))(
    'the decision “%s” stays, whatever arrives',
    async (decided) => {
      const { id: tenantId } = await makeTenant(database);
      const rows = <Row extends object>(text: string, params: unknown[] = []) =>
        database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
      const take = (
        value: string,
        {
          order = 'A-1',
          day = '20260302',
          status = 'F',
          reported = '20260302',
          patient = mine,
        }: {
          order?: string;
          day?: string;
          status?: string;
          reported?: string;
          patient?: TestMessage['patient'];
        } = {},
      ) =>
        importText(
          database,
          tenantId,
          elr({
            order,
            collected: `${day}093000-0500`,
            reported: `${reported}150000-0500`,
            tests: [{ test: name, value, status }],
            patient,
          }),
        );
      await take(detected);
      expect(await rows('select condition_code, classification, classified_by from case_report')).toEqual([
        { condition_code: condition, classification: says, classified_by: 'rule' },
      ]);
      await rows(
        `update case_report set classification = $1, classified_by = 'person', review_reason = null, status = 'closed',
         closed_at = '2026-03-03T12:00:00Z'`,
        [decided],
      );
      /** The classification of the case, and the rule's result. */
      const stands = async () => {
        const found = await rows<Record<string, unknown>>(
          `select condition_code, classification, classified_by, status, closed_at, explanation ->> 'classification' as says,
           explanation ->> 'rule' as rule, review_reason as review
         from case_report order by created_on, id`,
        );
        const [{ says: rule, rule: version, review, ...is }] = found as [Record<string, unknown>];
        expect(is).toEqual({
          condition_code: condition,
          classification: decided,
          classified_by: 'person',
          status: 'closed',
          closed_at: new Date('2026-03-03T12:00:00Z'),
        });
        return { rule, version, review };
      };

      await take(detected, { order: 'A-2', day: '20260310', reported: '20260310' });
      expect((await stands()).rule).toBe(says);
      await take(detected, { order: 'A-2', day: '20260310', reported: '20260310' });
      expect((await stands()).rule).toBe(says);
      // Correcting a date to another year selects the version for that year.
      const before = { reported: '20260401', status: 'C', day: '20190302' };
      await take(detected, before);
      await take(detected, { ...before, order: 'A-2', reported: '20260402' });
      expect((await stands()).version).toBe(earlier);
      await take(detected, { reported: '20260403', status: 'C' });
      await take(notDetected, { order: 'A-2', reported: '20260404', status: 'C' });
      expect((await stands()).rule).toBe(says);

      // Another record turns out to be the same person, and later not.
      await take(notDetected, { order: 'B-1', patient: hers });
      const [pair] = await rows<{ id: string }>('select id from patient_match');
      const decide = (decision: 'same' | 'open') =>
        database.withScope({ kind: 'service', tenantId }, (tx) =>
          decideMatch(tx, tenantId, pair!.id, decision, randomUUID()),
        );
      await decide('same');
      await stands();
      await decide('open');
      expect((await stands()).rule).toBe(says);

      await take(detected, { reported: '20260501', status: 'W' });
      expect((await stands()).rule).toBe(withdrawn);
      if (withdrawn !== decided) expect((await stands()).review).not.toBeNull();
    },
  );
});
