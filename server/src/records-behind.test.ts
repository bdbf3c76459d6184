import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { factOfSeries, shownBy } from '@caseway/contract/dashboard';
import { dashboards } from '@caseway/contract/dashboards/all';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { fieldVisitGrid } from '@caseway/contract/field-visits';
import type { Grid } from '@caseway/contract/grid';
import { incidentGrid } from '@caseway/contract/incident-reports';
import { partnerGrid } from '@caseway/contract/partner-services';
import { shipmentGrid } from '@caseway/contract/sample-shipments';
import { initialFilters } from '@caseway/contract/search-params';
import { telemedicineGrid } from '@caseway/contract/telemedicine';
import { hivTestRecords, testingRecords } from '@caseway/contract/testing-analytics';
import { treatmentGrid } from '@caseway/contract/treatments';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { expect, test } from 'vitest';
import { fillDemo } from '../seeds/demo/fill.ts';
import { demoWorld } from '../seeds/demo/tenants.ts';
import { testApp } from '../test/app.ts';
import { askingAs } from '../test/asking.ts';
import { asSuperuser } from '../test/database.ts';
import { makeCaseReport, makeResult } from '../test/factories.ts';
import { load } from '../test/load.ts';
import { signInAs } from '../test/sign-in.ts';

/* Every dashboard and the lists behind its numbers, over the demo, as people request them. */

const testing = await testApp();
await fillDemo(testing.database, {
  demo: { patients: 900, results: 2400, cases: 500 },
  vendor: { patients: 20, results: 40, cases: 3 },
});
const tenantId = demoWorld().demo.id;
// How few cases of HIV a demo this small has depends on the day; care is counted from the year after a diagnosis on.
const [someone, another] = await asSuperuser<{ id: string }>(
  `select id from patient where tenant_id = $1 order by id limit 2`,
  [tenantId],
  testing.superuserUrl,
);
const diagnosed = (patientId: string, on: string) =>
  makeCaseReport(testing.database, {
    ...{ tenant_id: tenantId, patient_id: patientId, condition_code: 'hiv', disease_family: 'hiv' },
    ...{ classification: 'confirmed', collected_on: on, created_on: on },
  });
await diagnosed(someone!.id, '2023-05-01');
await diagnosed(another!.id, addDays(todayIn('America/New_York'), -90));
await makeResult(testing.database, {
  ...{ tenant_id: tenantId, patient_id: someone!.id, condition_code: 'hiv', disease_family: 'hiv' },
  ...{ test_loinc: '20447-9', method: 'viral-load', result_category: 'quantitative', value_number: 50 },
  ...{ status: 'final', collected_on: `${new Date().getFullYear() - 1}-06-01` },
});
const { ok } = askingAs(testing, await signInAs(testing, 'admin@demo.caseway.test'));

const grids: readonly Grid[] = [
  caseReportGrid,
  testingRecords,
  hivTestRecords,
  treatmentGrid,
  incidentGrid,
  fieldVisitGrid,
  partnerGrid,
  telemedicineGrid,
  shipmentGrid,
  workTaskRecord.grid,
];
/** A record can have several rows of these facts, and the list shows it once. */
const parts = ['transition', 'care_year', 'incident_reaction', 'field_visit_attempt'];
/** Forms whose numbers count rows: others count persons, or their rows have no number of their own. */
const ofRows = ['count', 'within', 'share', 'quantile'];

test.each(dashboards.map((one) => [one.id, one] as const))(
  '[S3.11] %s: a list shows the records behind each number, as many as were counted',
  async (id, declared) => {
    const today = todayIn('America/New_York');
    const [eventDate] = declared.eventDates ?? [];
    const query = {
      dateRangeValue: { start: addDays(today, -500), end: today },
      filters: initialFilters(declared),
      ...(eventDate !== undefined && { eventDate }),
    };
    const numbers = () => ok<AnalyticsAnswer>('POST', `analytics/${id}`, query);
    // The first numbers may come from a replica that is still empty.
    const counted = declared.facts[declared.main]!;
    const main = Object.entries(declared.measures).find(
      ([, { fact, formula }]) => fact === counted && ['count', 'persons'].includes(formula.form),
    )![0];
    await expect.poll(async () => (await numbers()).measures[main]?.value).toBeGreaterThan(0);
    const answer = await numbers();
    const behind = async (fact: string, mark: object) => {
      const counted = declared.facts[fact]!;
      const grid = grids.find((one) => one.id === counted.counting.records)!;
      const filters = grid.views ? { [grid.views.of]: ['all'] } : {};
      const { rowCount } = await ok<{ rowCount: number }>('POST', `grid/${grid.id}/search`, {
        behind: { dashboard: id, ...query, ...mark },
        filters,
      });
      return { rowCount, isPart: parts.includes(counted.name), isUnit: counted.counting.unit !== undefined };
    };
    const found = new Set<string>();
    for (const [name, { formula, fact }] of Object.entries(declared.measures)) {
      const value = answer.measures[name];
      if (!value || formula.form === 'ratio' || formula.form === 'perPerson') continue;
      const factName = Object.keys(declared.facts).find((one) => declared.facts[one] === fact)!;
      const { rowCount, isPart, isUnit } = await behind(factName, { measure: name });
      const number = formula.form === 'quantile' ? value.denominator : (value.numerator ?? value.denominator);
      if (rowCount > 0) found.add(factName);
      // If several rows count as one, the list has each row.
      if (isUnit && !isPart) expect([name, rowCount >= number!]).toEqual([name, true]);
      else if (isPart) expect([name, rowCount > 0, rowCount <= number!]).toEqual([name, number! > 0, true]);
      else if (ofRows.includes(formula.form)) expect([name, rowCount]).toEqual([name, number]);
    }
    for (const [name, series] of Object.entries(declared.series)) {
      // The screen of a series with its own count knows its rows, and the marks of a continuum are measures.
      if (series.form === 'own' || series.form === 'continuum') continue;
      const rows = (answer.series[name] ?? []).filter(
        ({ rest, values }) => !rest && Object.keys(values).length > 0,
      );
      for (const { key, key2, values } of rows.slice(0, load(2, 20))) {
        const { rowCount, isPart, isUnit } = await behind(factOfSeries(declared, series), {
          series: name,
          key,
          ...(key2 !== undefined && { key2 }),
        });
        const [first = ''] = shownBy(declared, series);
        const drawn = values[first];
        // A row of a table opens all that its numbers are of.
        if (drawn && declared.measures[first]!.formula.form === 'count' && series.form !== 'table') {
          const [found, number] = [rowCount, drawn.numerator ?? 0];
          const isExact = !isPart && !isUnit;
          expect([name, key, key2, isExact ? found : found > 0]).toEqual([
            name,
            key,
            key2,
            isExact ? number : number > 0,
          ]);
        } else
          expect([name, key, key2, rowCount > 0]).toEqual([
            name,
            key,
            key2,
            Object.values(values).some((one) => Boolean(one.numerator ?? one.value)),
          ]);
      }
    }
    expect([...found].sort()).toEqual(Object.keys(declared.facts).sort());
  },
);
