import { useTranslation } from 'react-i18next';

/** The namespaces of a timeline's texts. */
export const timelineWords = [
  'treatments',
  'vaccinations',
  'documents',
  'incident-reports',
  'contacts',
  'case-follow-ups',
  'partner-services',
  'telemedicine',
  'field-visits',
  'work-tasks',
] as const;

/**
 * The labels of fixed codes on a timeline, by the id of the record's declaration. Users who may read cases
 * get their words.
 */
export function useTimelineCodes(): Readonly<Record<string, (field: string, code: string) => string>> {
  const { t } = useTranslation([...timelineWords, 'case-reports']);
  const words = { defaultValue: t('common:label.unknown.other') };
  return {
    'case-reports': (field, code) =>
      t(
        `case-reports:${field === 'classification' ? field : 'status'}.${code}` as 'common:label.unknown.other',
      ),
    treatments: (field, code) => t(`treatments:${field}.${code}`, words),
    vaccinations: (field, code) =>
      field === 'dose'
        ? t(`incident-reports:choice.dose.${code}`, words)
        : t(`vaccinations:choice.${field}.${code}`, words),
    documents: (field, code) => t(`documents:choice.${field}.${code}`, words),
    'incident-reports': (field, code) => t(`incident-reports:choice.${field}.${code}`, words),
    contacts: (field, code) => t(`contacts:choice.${field}.${code}`, words),
    'case-follow-ups': (field, code) => t(`case-follow-ups:choice.${field}.${code}`, words),
    'partner-services': (field, code) => t(`partner-services:choice.${field}.${code}`, words),
    telemedicine: (field, code) => t(`telemedicine:choice.${field}.${code}`, words),
    'field-visits': (field, code) => t(`field-visits:choice.${field}.${code}`, words),
    'work-tasks': (field, code) => t(`work-tasks:${field}.${code}`, words),
  };
}
