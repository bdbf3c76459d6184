import { useTranslation } from 'react-i18next';

/** The namespaces of what a timeline says. */
export const timelineWords = [
  'treatments',
  'incident-reports',
  'contacts',
  'partner-services',
  'telemedicine',
  'field-visits',
] as const;

/** How the fixed codes of treatments, incidents, contacts, partners and visits are called on a timeline, by the id of their declaration. */
export function useTimelineCodes(): Readonly<Record<string, (field: string, code: string) => string>> {
  const { t } = useTranslation(timelineWords);
  const words = { defaultValue: t('common:label.unknown.other') };
  return {
    treatments: (field, code) => t(`treatments:${field}.${code}`, words),
    'incident-reports': (field, code) => t(`incident-reports:choice.${field}.${code}`, words),
    contacts: (field, code) => t(`contacts:choice.${field}.${code}`, words),
    'partner-services': (field, code) => t(`partner-services:choice.${field}.${code}`, words),
    telemedicine: (field, code) => t(`telemedicine:choice.${field}.${code}`, words),
    'field-visits': (field, code) => t(`field-visits:choice.${field}.${code}`, words),
  };
}
