import type { CaseReport } from '@caseway/contract/case-reports';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../../test/server.ts';
import { chooseLanguage } from '../../words/i18n.ts';
import CasePanel from './CasePanel.tsx';
import { PatientFacts, PersonLink, Results, Timeline } from './case-parts.tsx';

await startTestLocales('case-reports');
const id = '11111111-1111-4111-8111-111111111111';

/** The names as the server sends them, from the reviewed lists. */
const result: CaseReport['results'][number] = {
  id,
  testName: 'Chlamydia trachomatis DNA',
  testNameI18N: { es: 'ADN de Chlamydia trachomatis', ht: 'ADN Chlamydia trachomatis' },
  testLoinc: '21613-5',
  method: 'naat',
  resultCategory: 'negative',
  status: 'final',
  valueText: null,
  valueNumber: null,
  valueComparator: null,
  units: null,
  referenceRange: null,
  abnormalFlag: null,
  facilityId: null,
  performingFacilityId: null,
  orderingProvider: null,
  notes: null,
  specimen: {
    id,
    accession: 'A-77',
    type: { label: 'Swab', labelI18N: { es: 'Hisopado', ht: 'Prelèvman ak koton' } },
    site: { label: 'Throat', labelI18N: { es: 'Faringe', ht: 'Gòj' } },
    collectedAt: null,
    receivedAt: null,
  },
  collectedAt: '2026-03-24T15:00:00.000Z',
  receivedAt: null,
  resultedAt: null,
  reportedAt: null,
  supersededBy: null,
};
const nothing = {
  gender: null,
  race: null,
  ethnicity: null,
  county: null,
  city: null,
} as const;
// Created on the day before a birthday: a day later the person is 58.
const report: CaseReport = {
  ...nothing,
  id,
  patientId: id,
  caseId: '2026-0000007',
  lastName: 'Okafor',
  firstName: 'Ada',
  birthDate: '1968-03-26',
  age: 57,
  createdOn: '2026-03-25',
  sex: 'F',
  condition: 'chlamydia',
  diseaseFamily: 'chlamydia',
  classification: 'confirmed',
  status: 'new',
  investigator: null,
  completedBy: null,
  onsetOn: null,
  collectedOn: null,
  reportedOn: null,
  receivedOn: null,
  facility: null,
  program: null,
  task: null,
  visitType: null,
  jurisdiction: null,
  outcome: null,
  pregnant: null,
  source: 'elr',
  answers: {},
  externalId: null,
  providerName: null,
  providerNpi: null,
  providerPhone: null,
  notes: null,
  updatedAt: '2026-03-25T16:00:00.000Z',
  version: 1,
  hospitalized: null,
  reviewReason: null,
  closedAt: null,
  patient: {
    ...nothing,
    id,
    lastName: 'Okafor',
    firstName: 'Ada',
    middleName: null,
    nameSuffix: null,
    birthDate: '1968-03-26',
    birthDatePrecision: 'day',
    sex: 'F',
    languageCode: null,
    street: null,
    street2: null,
    stateFips: null,
    postalCode: null,
    phones: [],
    emails: [],
    identifiers: [],
    deceased: null,
    deceasedOn: null,
  },
  results: [result],
  timeline: (['result-received', 'result-released'] as const).map((kind, index) => ({
    id: `11111111-1111-4111-8111-11111111111${index}`,
    at: '2026-03-25T15:00:00.000Z',
    by: null,
    kind,
    detail: { resultId: id },
  })),
  breakGlass: null,
  classifiedBy: 'rule',
  explanation: null,
  lawfulClassifications: ['confirmed'],
};

const options = (entries: object[]) => () => ({ body: { options: entries } });
beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer([org(id, 'Alder Health')])));
  serve({
    [`GET /api/web/case-reports/${id}`]: () => ({ body: report }),
    'GET /api/web/list/options/sex': options([
      { id: 'F', label: 'Female', labelI18N: { es: 'Femenino', ht: 'Fi' } },
    ]),
    'GET /api/web/list/options/resultCategories': options([
      { id: 'negative', label: 'Negative', labelI18N: { es: 'Negativo', ht: 'Negatif' } },
    ]),
    ...Object.fromEntries(
      [
        'gender',
        'race',
        'ethnicity',
        'languages',
        'counties',
        'facilities',
        'conditions',
        'investigators',
        'resultStatuses',
      ].map((name) => [`GET /api/web/list/options/${name}`, options([])]),
    ),
  });
});
afterEach(async () => {
  store.dispatch(signedOut());
  await chooseLanguage('en');
});

describe("a case leads to its person's record", () => {
  const read = () =>
    store.dispatch(
      userReady(initAnswer([org(id, 'Alder Health')], { casbinPolicy: ['p, u1, T, patients/read, allow'] })),
    );
  const link = () => screen.queryByRole('link', { name: 'Open the patient’s record' });

  test('for readers of patients', () => {
    read();
    renderInApp(<PersonLink report={report} />);
    expect(link()).toHaveAttribute('href', `/patients/${report.patientId}`);
  });

  test('not for others', () => {
    renderInApp(<PersonLink report={report} />);
    expect(link()).toBeNull();
  });

  test('not from a record opened in an emergency', () => {
    read();
    const breakGlass = {
      id,
      expiresAt: '2026-03-25T17:00:00.000Z',
      reason: 'Exposure',
      conditionLabel: null,
      familyLabel: null,
    };
    renderInApp(<PersonLink report={{ ...report, breakGlass } as CaseReport} />);
    expect(link()).toBeNull();
  });
});

describe('an age is shown with its reference day', () => {
  const said = {
    en: ['Mar 26, 1968 (57 years old on Mar 25, 2026)', 'Mar 26, 1968 · 57 years on Mar 25, 2026'],
    'en-GB': ['26 Mar 1968 (57 years old on 25 Mar 2026)', '26 Mar 1968 · 57 years on 25 Mar 2026'],
    es: ['26 mar 1968 (57 años el 25 mar 2026)', '26 mar 1968 · 57 años el 25 mar 2026'],
    ht: ['26 mas 1968 (57 an nan dat 25 mas 2026)', '26 mas 1968 · 57 an nan dat 25 mas 2026'],
  } as const;

  test.each(['en', 'en-GB', 'es', 'ht'] as const)("on the patient's card, %s", async (language) => {
    await chooseLanguage(language);
    renderInApp(<PatientFacts report={report} />);
    expect(await screen.findByText(said[language][0])).toBeInTheDocument();
  });

  test.each(['en', 'en-GB', 'es', 'ht'] as const)('in the panel next to the list, %s', async (language) => {
    await chooseLanguage(language);
    renderInApp(<CasePanel id={id} onClose={() => {}} />);
    expect(await screen.findByText(said[language][1], { exact: false })).toBeInTheDocument();
  });
});

describe("[S1.4] a result has its names in the reader's language", () => {
  const names = {
    en: ['Chlamydia trachomatis DNA', 'Swab · Throat · A-77', 'Negative'],
    es: ['ADN de Chlamydia trachomatis (Chlamydia trachomatis DNA)', 'Hisopado · Faringe · A-77', 'Negativo'],
    ht: [
      'ADN Chlamydia trachomatis (Chlamydia trachomatis DNA)',
      'Prelèvman ak koton · Gòj · A-77',
      'Negatif',
    ],
  } as const;

  test.each(['en', 'es', 'ht'] as const)('on the record, %s', async (language) => {
    await chooseLanguage(language);
    const [name, specimen, category] = names[language];
    renderInApp(<Results report={report} />);
    expect(await screen.findByText(category)).toBeInTheDocument();
    expect(screen.getByText(name)).toBeInTheDocument();
    expect(screen.getByText(specimen)).toBeInTheDocument();
  });

  test.each(['en', 'es', 'ht'] as const)('on the timeline, %s', async (language) => {
    await chooseLanguage(language);
    const [name, , category] = names[language];
    renderInApp(<Timeline report={report} />);
    await screen.findAllByText(new RegExp(category));
    const entries = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(entries).toHaveLength(2);
    for (const entry of entries) {
      expect(entry).toHaveTextContent(name);
      expect(entry).toHaveTextContent(category);
    }
  });
});
