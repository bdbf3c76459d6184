import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { operations } from '@caseway/contract/dashboards/operations';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { initialFilters } from '@caseway/contract/search-params';
import { expect, test } from 'vitest';
import { fillDemo } from '../../../seeds/demo/fill.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
await fillDemo(testing.database, {
  demo: { patients: 300, results: 900, cases: 120 },
  vendor: { patients: 20, results: 40, cases: 3 },
});
const { ok } = askingAs(testing, await signInAs(testing, 'admin@demo.caseway.test'));

test('[S1.1] the lists show the tasks and shipments behind a number: as many, each once', async () => {
  const today = todayIn('America/New_York');
  const query = {
    dateRangeValue: { start: addDays(today, -200), end: today },
    filters: initialFilters(operations),
    eventDate: 'created',
  };
  const answer = await ok<AnalyticsAnswer>('POST', 'analytics/operations', query);
  const lists = {
    'work-tasks': {
      measures: ['tasks', 'tasksOpen', 'tasksDone', 'tasksOverdue'],
      filters: { whose: ['all'] },
    },
    'sample-shipments': {
      measures: ['shipments', 'shipmentsReady', 'shipmentsInTransit', 'shipmentsAwaited'],
      filters: {},
    },
  };
  const counted = new Set<string>();
  for (const [list, { measures, filters }] of Object.entries(lists))
    for (const measure of measures) {
      const behind = { dashboard: 'operations', measure, ...query };
      const { rowCount } = await ok<{ rowCount: number }>('POST', `grid/${list}/search`, { behind, filters });
      const { value } = answer.measures[measure as keyof typeof answer.measures] as { value: number };
      expect([measure, rowCount]).toEqual([measure, value]);
      if (value > 0) counted.add(measure);
    }
  expect([...counted]).toEqual(expect.arrayContaining(['tasks', 'tasksOpen', 'shipments']));
});
