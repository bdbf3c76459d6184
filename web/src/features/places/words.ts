import { phoneShown } from '@caseway/contract/codes';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Labels, useLabels } from '../../data/use-labels.ts';
import type { FieldPlan, PlaceKind, PlaceRecord } from './kinds.ts';

/** How fields and their codes are called. */
export function usePlaceWords() {
  const { t } = useTranslation('places');
  return useMemo(
    () => ({
      field: (name: string): string => t(`field.${name}`),
      choice: (name: string, code: string): string =>
        t(name === 'experience' ? `common:experience.${code}` : `choice.${name}.${code}`, {
          defaultValue: t('common:label.unknown.other'),
        }),
    }),
    [t],
  );
}

/** The name of a record in the current language. [S3.9] */
export function useTitle(kind: PlaceKind): (record: PlaceRecord) => string {
  const { i18n } = useTranslation();
  const [base] = i18n.language.split('-');
  const own = base === 'es' ? 'labelEs' : base === 'ht' ? 'labelHt' : kind.title;
  const { title } = kind;
  return useCallback((record) => String(record[own] ?? record[title] ?? ''), [own, title]);
}

/** A value of a record in words; empty for none. */
export function useValueText(kind: PlaceKind): (name: string, value: unknown) => string {
  const { t, i18n } = useTranslation('places');
  const words = usePlaceWords();
  // Fixed in number and order: each kind has few look-ups.
  const lookups = {
    organizations: useLabels('organizations'),
    facilities: useLabels('facilities'),
    counties: useLabels('counties'),
    states: useLabels('states'),
    managedJurisdictions: useLabels('managedJurisdictions'),
    programTypes: useLabels('programTypes'),
    programs: useLabels('programs'),
    diseaseFamilies: useLabels('diseaseFamilies'),
    taskCategories: useLabels('taskCategories'),
  } as Readonly<Record<string, Labels | undefined>>;
  const one = (plan: FieldPlan | undefined, value: unknown): string => {
    if (value === null || value === undefined || value === '') return '';
    if (typeof value === 'boolean') return t(value ? 'panel.yes' : 'panel.no');
    const text = String(value);
    if (plan?.as === 'tel') return phoneShown(text);
    if (plan?.as === 'timeZone') return nameOfTimeZone(text, i18n.language);
    if (typeof plan?.options === 'string')
      return lookups[plan.options]?.of(text) ?? t('common:label.unknown.other');
    return plan?.options ? words.choice(plan.name, text) : text;
  };
  return (name, value) => {
    if (name === 'status' && value) return words.choice(name, String(value));
    const plan = kind.fields.find((field) => field.name === name);
    return Array.isArray(value)
      ? value
          .map((entry) => one(plan, entry))
          .filter(Boolean)
          .join(', ')
      : one(plan, value);
  };
}
