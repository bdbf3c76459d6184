import { dashboards } from '@caseway/contract/dashboards/all';
import { type TestingRecord, testingRecords } from '@caseway/contract/testing-analytics';
import { recordsBehind } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import { pageColumns, sourceOver } from '../../platform/grid/fact-source.ts';
import { fold } from '../../platform/text/fold.ts';
import { demographics, laboratoryTests } from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { specimenSiteLabel } from '../reference/specimen-labels.ts';
import { resultFact } from '../results/result-fact.ts';

/** The names of the catalog's tests in the other languages, folded; built on first use. */
let translated: { loinc: string; name: string }[] | undefined;
function testsNamed(matches: (folded: string) => boolean): string[] {
  translated ??= laboratoryTests.flatMap(({ loinc }) =>
    Object.values(testNameI18N(loinc) ?? {}).map((name) => ({ loinc, name: fold(name) })),
  );
  return [...new Set(translated.flatMap(({ loinc, name }) => (matches(name) ? [loinc] : [])))];
}

/** Every spelling of a specimen site whose label matches, folded; the list shows the label instead. */
const sitesNamed = (matches: (folded: string) => boolean): string[] => [
  ...new Set(
    demographics.specimenSite.flatMap(({ code, label, labelI18N, codings, aliases }) => {
      const labels = [label, ...Object.values(labelI18N)].map(fold);
      return labels.some(matches)
        ? [...labels, ...[code, ...codings.map((coding) => coding.code), ...aliases].map(fold)]
        : [];
    }),
  ),
];

/** What searches in lists of tests find besides their columns: names in other languages. */
export const testTranslations = {
  testName: { sql: 'f.test_loinc', codesOf: testsNamed },
  specimenSite: { sql: 'f.specimen_site_key', codesOf: sitesNamed },
};

/** The tests behind a number: the population of the screen. */
export const testingRecordsSource = sourceOver(testingRecords, resultFact, {
  only: 'performed',
  behind: recordsBehind(dashboards, resultFact),
  translations: testTranslations,
});

/** The results with these ids that the reader may see, in any order. */
export async function readTestingRecords(tx: Tx, ids: readonly string[]): Promise<TestingRecord[]> {
  const rows = await tx.rows<
    Omit<TestingRecord, 'testNameI18N' | 'specimenSite'> & Record<'testLoinc' | 'siteText', string | null>
  >(
    `select r.id, r.patient_id as "patientId", p.last_name as "lastName", p.first_name as "firstName",
      p.birth_date as "birthDate", r.test_loinc as "testLoinc", r.specimen_site as "siteText",
      r.provider_phone as "providerPhone", ${pageColumns(testingRecords, resultFact, ['specimenSite'])}
    from result r
    join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, stored.told_openly, r.disease_family) p
    cross join lateral (select app_told(p.told_by) as told) told
    where r.tenant_id = $1 and r.superseded_by is null and r.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map(({ testLoinc, siteText, ...row }) => ({
    ...row,
    testNameI18N: testNameI18N(testLoinc),
    specimenSite: specimenSiteLabel(siteText),
  }));
}
