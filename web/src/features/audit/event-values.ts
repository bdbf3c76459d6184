import { wordsOfColumn } from '@caseway/contract/audit-sentence';
import { labelIn } from '@caseway/contract/label';
import type { TFunction } from 'i18next';
import type { Labels } from '../../data/use-labels.ts';
import type { Formats } from '../../words/formats.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';

/** The namespaces with the labels of event values. */
export const wordsOfValues = [
  'audit',
  'common',
  'break-glass',
  'case-follow-ups',
  'case-reports',
  'contacts',
  'field-visits',
  'imports',
  'inbox',
  'incident-reports',
  'partner-services',
  'patient-portal',
  'places',
  'profile',
  'recovery',
  'roles',
  'sample-shipments',
  'settings',
  'system',
  'telemedicine',
  'testing-analytics',
  'treatments',
  'vaccinations',
  'documents',
  'analytics',
  'users',
  'work-tasks',
] as const;

/** The look-up with a value's labels, by the value's name. */
const lookups: Readonly<Record<string, string>> = {
  restrictedFamilies: 'diseaseFamilies',
  guardianFamilies: 'diseaseFamilies',
  diseaseFamilies: 'diseaseFamilies',
  diseaseFamily: 'diseaseFamilies',
  condition: 'conditions',
  resultCategory: 'resultCategories',
  county: 'counties',
  counties: 'counties',
  stateFips: 'states',
  programType: 'programTypes',
  program: 'programs',
  organization: 'organizations',
  facility: 'facilities',
  jurisdiction: 'jurisdictions',
  taskCategory: 'taskCategories',
  roles: 'roleCodes',
  role: 'roleCodes',
  parents: 'roleCodes',
  members: 'investigators',
};
/** A place's parent has its own kind. */
const parents: Readonly<Record<string, string>> = { jurisdiction: 'jurisdictions', location: 'locations' };
const lookupOf = (name: string, recordKind: string | null): string | undefined =>
  name === 'parent' ? parents[recordKind ?? ''] : lookups[name];

/** A name in some events and a reference to an entry in others. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const named = new Set(['organization', 'facility', 'jurisdiction', 'program', 'role', 'county', 'condition']);

/** The label keys of a code, by the value's name; a language uses the first it has. */
const keys: Readonly<Record<string, (code: string, recordKind: string | null) => readonly string[]>> = {
  orgType: (code) => [`audit:value.orgType.${code}`, `common:org.type.${code}`],
  experience: (code) => [`common:experience.${code}`],
  guardianRights: (code) => [`settings:guardianRight.${code}`],
  relation: (code) => [`patient-portal:guardians.relation.${code}`],
  evidence: (code) => [`patient-portal:guardians.evidence.${code}`],
  features: (code) => [`settings:feature.${code}`],
  because: (code) => [`audit:value.because.${code}`],
  by: (code) => [`audit:value.by.${code}`, `profile:method.${code}`],
  from: (code) => [`audit:value.from.${code}`],
  decision: (code) => [`imports:pairState.${code}`],
  chosen: (code) => [`imports:pairs.keepOf.${code}`],
  state: (code, recordKind) =>
    recordKind === 'break-glass'
      ? [`audit:value.hiddenRecord.${code}`]
      : recordKind === 'account'
        ? [`recovery:state.${code}`]
        : [`imports:codeState.${code}`, `imports:messageState.${code}`],
  status: (code) => [`places:choice.status.${code}`],
  level: (code) => [`places:choice.level.${code}`],
  facilityType: (code) => [`places:choice.facilityType.${code}`],
  providerKinds: (code) => [`places:choice.providerKinds.${code}`],
  reasonKind: (code) => [`break-glass:kind.${code}`],
  verifiedBy: (code) => [`recovery:verified.${code}`],
  checked: (code) => [`patient-portal:waiting.check.${code}`],
  kind: (code) => [`patient-portal:consent.${code}`, `audit:detail.${code.toLowerCase()}`],
  population: (code) => [`settings:population.kinds.${code}`],
  message: (code) => [`settings:message.${code}`],
  transition: (code) => [`case-reports:transition.${code}`],
  step: (code) => [`settings:guideStep.${code}`],
  screen: screenKeys,
  task: (code) => [`system:task.${code}`],
  access: (code) => [`audit:value.access.${code}`],
  eventDate: (code) => [`analytics:eventDate.${code}`],
  fields: (code) => [
    `audit:value.fields.${code}`,
    `case-reports:column.${code}`,
    `work-tasks:column.${code}`,
    `treatments:column.${code}`,
    `documents:column.${code}`,
    `vaccinations:column.${code}`,
    `incident-reports:column.${code}`,
    `contacts:column.${code}`,
    `case-follow-ups:column.${code}`,
    `partner-services:column.${code}`,
    `field-visits:column.${code}`,
    `sample-shipments:column.${code}`,
    `telemedicine:column.${code}`,
    `telemedicine:availability.field.${code}`,
    `audit:detail.${code}`,
  ],
  format: (code) => [`common:export.${code}`],
  rowsTaken: (code) => [`audit:value.rowsTaken.${code}`],
  columns: columnKeys,
  filteredBy: columnKeys,
};
/** The label keys of a list (`grid/contacts`) or dashboard (`case-reports`: `caseReportAnalytics`). */
function screenKeys(code: string): readonly string[] {
  if (code.startsWith('grid/')) {
    const id = code.slice('grid/'.length);
    return [`inbox:list.${id}`, `audit:action.POST /api/web/grid/${id}/search`];
  }
  const name = code.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [`common:screen.${name.replace(/s$/, '')}Analytics`, `common:screen.${name}`];
}
/** The label keys of a column or filter without its own label. */
export function columnKeys(code: string): readonly string[] {
  return [...wordsOfColumn(code).keys, `audit:value.filteredBy.${code}`];
}
const inLanguages = new Set([
  'language',
  'languages',
  'tenantLanguages',
  'externalLanguages',
  'defaultLanguage',
  'languageCode',
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The look-ups that an event's values refer to. */
export function lookupsOf(value: unknown, recordKind: string | null, name = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => lookupsOf(one, recordKind, name)))];
  if (isObject(value))
    return [...new Set(Object.entries(value).flatMap(([inner, one]) => lookupsOf(one, recordKind, inner)))];
  const lookup = lookupOf(name, recordKind);
  return typeof value === 'string' && lookup !== undefined ? [lookup] : [];
}

export interface EventWords {
  t: TFunction;
  language: string;
  formats: Formats;
  labels: ReadonlyMap<string, Labels>;
  recordKind: string | null;
  /** A value's label. */
  detail(name: string): string;
}

/** A value in an event's details as text: codes by name, days and numbers in the language's format. */
export function saidOf(name: string, value: unknown, words: EventWords): string {
  const { t, formats } = words;
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'settings:value.yes' : 'settings:value.no');
  if (typeof value === 'number') return formats.number(value, 3);
  if (Array.isArray(value))
    return value.length === 0
      ? '–'
      : value.map((one) => saidOf(name, one, words)).join(value.some(isObject) ? ' · ' : ', ');
  if (isObject(value)) {
    const { start, end } = value;
    if (typeof start === 'string' && typeof end === 'string')
      return t('common:date.range', { start: formats.day(start), end: formats.day(end) });
    return Object.entries(value)
      .map(([inner, one]) =>
        t('audit:value.pair', { name: words.detail(inner), value: saidOf(inner, one, words) }),
      )
      .join('; ');
  }
  return textOf(name, String(value), words);
}

const columnNames = new Set(['fields', 'columns', 'filteredBy']);

function textOf(name: string, text: string, words: EventWords): string {
  const { t, language, formats, labels, recordKind } = words;
  const own = columnNames.has(name) && wordsOfColumn(text).own;
  if (own) return labelIn(own, language);

  if (inLanguages.has(name)) {
    const language = languageOf(text);
    return language ? languageNames[language] : t('common:label.unknown.other');
  }
  const lookup = lookupOf(name, recordKind);
  if (lookup !== undefined && !(named.has(name) && !isCode(name, text)))
    return labels.get(lookup)?.of(text) ?? t('common:label.loading');
  if (name === 'grants') return grantOf(text, t);
  const code = keys[name];
  if (code) return t([...code(text, recordKind)], { defaultValue: t('common:label.unknown.other') });
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return formats.instant(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? formats.day(text) : text;
}

/** Names are shown unchanged; ids and codes by their labels. */
const isCode = (name: string, text: string) =>
  name === 'role' || name === 'condition'
    ? /^[a-z][a-z0-9-]*$/.test(text)
    : name === 'county'
      ? /^\d{5}$/.test(text)
      : id.test(text);

/** `T case-reports/read allow` in words. */
function grantOf(text: string, t: TFunction): string {
  const [orgType = '', permission = '', effect = ''] = text.split(' ');
  return t('audit:value.grant', {
    where: t(`audit:value.orgType.${orgType}`, { defaultValue: t(`common:org.type.${orgType}`) }),
    permission: t(`common:permission.${permission}`, { defaultValue: t('common:label.unknown.other') }),
    state: t(`roles:state.${effect}`, { defaultValue: t('common:label.unknown.other') }),
  });
}
