import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { auditGrid } from '@caseway/contract/audit';
import { availabilityPlan } from '@caseway/contract/availability';
import { breakGlassKinds, glassStates } from '@caseway/contract/break-glass';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { dashboards } from '@caseway/contract/dashboards/all';
import { importGrid, mappingStates } from '@caseway/contract/imports';
import { vaersFiles } from '@caseway/contract/incident-reports';
import { mailKinds } from '@caseway/contract/mail-text';
import { populationKinds } from '@caseway/contract/measure';
import { features, permissions } from '@caseway/contract/permission';
import { facilityTypes, locationLevels, placeStatuses, providerKinds } from '@caseway/contract/places';
import { checksOfAddress, consentKinds } from '@caseway/contract/portal';
import { recoveryStates, verifications } from '@caseway/contract/recovery';
import { experiences, languages, orgTypes, proofs } from '@caseway/contract/session';
import { guideSteps } from '@caseway/contract/settings';
import { eventDates, testingRecords } from '@caseway/contract/testing-analytics';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { formatsFor } from '../../words/formats.ts';
import { lookupsOf, saidOf, wordsOfValues } from './event-values.ts';

await startTestLocales(...wordsOfValues);

const listOf = (entries: Readonly<Record<string, string>>) =>
  ({ of: (id: string) => entries[id] ?? 'Not in the list', loading: false, failed: false }) as never;
const labels = new Map([
  ['roleCodes', listOf({ 'data-entry': 'Captura de datos', member: 'Miembro' })],
  ['diseaseFamilies', listOf({ syphilis: 'Sífilis' })],
  ['counties', listOf({ '12086': 'Condado de Miami-Dade' })],
  ['conditions', listOf({ 'syphilis-primary': 'Sífilis primaria' })],
  ['resultCategories', listOf({ positive: 'Positivo' })],
]);
const saidIn = (language: string) => {
  const t = i18next.getFixedT(language) as never;
  const detail = (name: string) => i18next.getFixedT(language)(`audit:detail.${name}`);
  const formats = formatsFor('America/New_York');
  return (name: string, value: unknown, recordKind: string | null = null) =>
    saidOf(name, value, { t, language, formats, labels, recordKind, detail });
};

/** Every code an event can contain, by the value's name and the event's kind of record. */
const codes: [name: string, recordKind: string | null, codes: readonly string[]][] = [
  ['orgType', null, [...orgTypes, 'A']],
  ['experience', null, experiences],
  ['features', null, features],
  [
    'because',
    null,
    ['signed out', 'refresh token used again', 'ended by its owner', 'the account was recovered'],
  ],
  ['by', null, [...proofs, 'command']],
  ['from', null, ['command line']],
  ['decision', null, ['same', 'different', 'open']],
  ['state', 'code-mapping', mappingStates],
  ['state', 'import', ['waiting', 'refused']],
  ['state', 'break-glass', glassStates.filter((state) => state !== 'nothing')],
  ['state', 'account', recoveryStates],
  ['status', null, placeStatuses],
  ['level', null, locationLevels],
  ['facilityType', null, facilityTypes],
  ['providerKinds', null, providerKinds],
  ['reasonKind', null, breakGlassKinds],
  ['verifiedBy', null, verifications],
  ['checked', null, checksOfAddress],
  ['kind', null, [...consentKinds, 'EMAIL', 'PHONE']],
  ['message', null, mailKinds],
  ['population', null, populationKinds],
  ['step', null, guideSteps],
  [
    'screen',
    null,
    [
      ...dashboards.map(({ id }) => id),
      ...[caseReportGrid, testingRecords, auditGrid, importGrid].map(({ id }) => `grid/${id}`),
    ],
  ],
  ['access', null, ['active', 'suspended']],
  ['eventDate', null, eventDates],
  ['format', null, ['xlsx', ...vaersFiles]],
  ['rowsTaken', null, ['all', 'chosen', 'rest']],
  [
    'fields',
    null,
    [
      ...Object.keys(caseReportGrid.columns),
      ...workTaskRecord.form.map(String),
      ...Object.keys(availabilityPlan.shape),
      'languageCode',
    ],
  ],
  ['columns', null, [caseReportGrid, testingRecords].flatMap(({ columns }) => Object.keys(columns))],
  [
    'filteredBy',
    null,
    [
      ...dashboards.flatMap(({ filters }) => Object.keys(filters)),
      ...[caseReportGrid, testingRecords, auditGrid, importGrid, workTaskRecord.grid].flatMap(
        ({ columns, filters }) => [...Object.keys(columns), ...filters],
      ),
    ],
  ],
  ['language', null, languages],
];

test.each(languages)('[P15, S1.4] %s: an event shows no code that has a label', (language) => {
  const said = saidIn(language);
  const unknown = i18next.getFixedT(language)('common:label.unknown.other');
  const raw = codes.flatMap(([name, recordKind, list]) =>
    list
      .map((code) => [code, said(name, code, recordKind)] as const)
      .filter(([code, text]) => text === code || text === unknown || /^[a-z-]+:\w/.test(text))
      .map(([code, text]) => `${name} ${code}: ${text}`),
  );
  expect(raw).toEqual([]);
});

test('[P15] sign-in methods, yes and no, days, numbers and ranges are shown as people write them', () => {
  const said = saidIn('en');
  expect(said('by', 'EMAIL')).toBe('code by email');
  expect(said('dryRun', true)).toBe('Yes');
  expect(said('active', false)).toBe('No');
  expect(said('byteSize', 9225)).toBe('9,225');
  expect(said('range', { start: '2026-10-24', end: '2026-11-23' })).toBe('10/24/2026 – 11/23/2026');
  expect(said('receivedBefore', '2026-11-23T12:00:00.000Z')).toBe('11/23/2026, 7:00 AM');
  expect(said('note', '')).toBe('–');
  // Typed text does not change.
  expect(said('reason', 'open')).toBe('open');
});

test('[P15] references in values are shown by name, also in lists and replaced values', () => {
  const said = saidIn('es');
  expect(said('roles', ['data-entry', 'member'])).toBe('Captura de datos, Miembro');
  expect(said('restrictedFamilies', ['syphilis'])).toBe('Sífilis');
  expect(said('counties', ['12086'])).toBe('Condado de Miami-Dade');
  expect(said('county', 'Leon County')).toBe('Leon County');
  expect(said('grants', ['T case-reports/export allow'])).toBe(
    'Entidad: Exportar informes de caso (Permitido)',
  );
  const rule = {
    diseaseFamily: 'syphilis',
    condition: 'syphilis-primary',
    resultCategory: 'positive',
    held: true,
  };
  expect(said('after', [rule])).toBe(
    'Familia de enfermedades: Sífilis; Enfermedad: Sífilis primaria; Resultado: Positivo; Retenido: Sí',
  );
  expect(lookupsOf({ after: [rule], rows: [{ after: { roles: ['member'] } }] }, null)).toEqual([
    'diseaseFamilies',
    'conditions',
    'resultCategories',
    'roleCodes',
  ]);
  expect(lookupsOf({ after: { parent: 'a' } }, 'location')).toEqual(['locations']);
});

test.each(languages.filter((language) => language !== 'en-GB'))(
  '[P15] %s: every permission that a role got has words',
  (language) => {
    const said = saidIn(language);
    const unknown = i18next.getFixedT(language)('common:label.unknown.other');
    const raw = permissions
      .map((permission) => said('grants', [`T ${permission} deny`]))
      .filter((text) => text.includes(unknown) || /[\w-]+\/[\w-]+/.test(text));
    expect(raw).toEqual([]);
  },
);

test('[P15] every name the server gives a value of an event has a label', () => {
  const server = path.join(import.meta.dirname, '../../../../server/src');
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)test-/.test(file),
  );
  const names = new Set<string>();
  for (const file of files) {
    const source = readFileSync(path.join(server, file), 'utf8');
    // `{ action: …, detail: { name, other: value, ...rest } }`, and an answer's own details.
    for (const [, body] of source.matchAll(
      /(?:\baudit\(\{|\baction: )(?:(?!\}\);|\baction: )[\s\S]){0,400}?\bdetail: \{((?:[^{}]|\{[^{}]*\})*)\}/g,
    ))
      for (const [, name] of body!
        .replaceAll(/\.\.\.(?:\([^)]*\)|[\w.]+)|\([^)]*\)|\[[^\]]*\]/g, '')
        .matchAll(/(?:^|[,{])\s*(\w+)(?=\s*[:,]|\s*$|\s*\})/g))
        names.add(name!);
  }
  expect([...names]).toEqual(expect.arrayContaining(['dryRun', 'verifiedBy', 'given', 'digest', 'weekOf']));
  const t = i18next.getFixedT('en');
  const nameless = [...names].filter((name) => t(`audit:detail.${name}`, { defaultValue: '' }) === '');
  expect(nameless).toEqual([]);
});
