import { phoneShown } from '@caseway/contract/codes';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../../data/use-labels.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';
import { usePersonLabels } from './PersonForm.tsx';

/** The labels of a user's fields, and their values in words. */
export function useUserWords() {
  const { t, i18n } = useTranslation('users');
  const roles = useLabels('roles');
  const labels: Readonly<Record<string, string>> = {
    ...usePersonLabels(),
    roles: t('field.roles'),
    status: t('column.status'),
  };
  const text = (name: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return '';
    if (Array.isArray(value))
      return value
        .map((id) => roles.of(id) ?? '')
        .filter(Boolean)
        .join(', ');
    const said = String(value);
    if (name === 'phone') return phoneShown(said);
    if (name === 'timeZone') return nameOfTimeZone(said, i18n.language);
    if (name === 'status') return t(`status.${said}`);
    const language = name === 'language' ? languageOf(said) : undefined;
    return language ? languageNames[language] : said;
  };
  return { labels, text };
}
