import type { CaseReport } from '@caseway/contract/case-reports';
import type { CaseExplanation } from '@caseway/contract/case-rules';
import { screen } from '@testing-library/react';
import i18next from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import { WhyClassified } from './WhyClassified.tsx';

await startTestLocales('case-reports', 'case-rules');
const id = '11111111-1111-4111-8111-111111111111';

const explanation: CaseExplanation = {
  rule: 'syphilis-2018',
  statement: '17-ID-11',
  source: 'CDC NNDSS case definition, syphilis 2018 (17-ID-11)',
  validFrom: 2018,
  eventDay: '2026-07-12',
  classification: 'suspect',
  condition: '10316',
  classes: [
    {
      classification: 'suspect',
      condition: '10316',
      state: 'met',
      criteria: [{ depth: 0, kind: 'positive', what: ['nontreponemal'], state: 'met', results: [id] }],
    },
  ],
  next: [],
};
const report = {
  classification: 'suspect',
  classifiedBy: 'rule',
  breakGlass: null,
  explanation,
  results: [
    {
      id,
      testName: 'Reagin antibody, RPR',
      testNameI18N: { es: 'Anticuerpos reagínicos, RPR', ht: 'Antikò reajin, RPR' },
      collectedAt: '2026-07-12T13:00:00Z',
      reportedAt: null,
    },
  ],
} as unknown as CaseReport;

beforeEach(async () => {
  queryClient.clear();
  store.dispatch(userReady(initAnswer([org(id, 'Alder Health')], { casbinPolicy: [] })));
  serve({ 'GET /api/web/list/options/conditions': () => ({ body: { options: [] } }) });
});

test.each([
  ['en', /^Reagin antibody, RPR, /],
  ['es', /^Anticuerpos reagínicos, RPR \(Reagin antibody, RPR\), /],
  ['ht', /^Antikò reajin, RPR \(Reagin antibody, RPR\), /],
])(
  '[S1.4] the results that decided it have their names in the language of the reader: %s',
  async (language, name) => {
    await i18next.changeLanguage(language);
    renderInApp(<WhyClassified report={report} />);
    expect(await screen.findByText(name)).toBeVisible();
  },
);
