import { useTranslation } from 'react-i18next';
import { labelsOf, useLookup } from '../../use-lookup.ts';
import type { FieldPlan, PlaceKind, PlaceRecord } from './kinds.ts';

/** How fields and their codes are called. */
export function usePlaceWords() {
  const { t } = useTranslation('places');
  return {
    field: (name: string): string => t(`field.${name}`),
    choice: (name: string, code: string): string => t(`choice.${name}.${code}`, { defaultValue: code }),
  };
}

/** What a record is called in the current language. [S3.9] */
export function useTitle(kind: PlaceKind): (record: PlaceRecord) => string {
  const { i18n } = useTranslation();
  const [base] = i18n.language.split('-');
  const own = base === 'es' ? 'labelEs' : base === 'ht' ? 'labelHt' : kind.title;
  return (record) => String(record[own] ?? record[kind.title] ?? '');
}

/** A value of a record in words; empty for none. */
export function useValueText(kind: PlaceKind): (name: string, value: unknown) => string {
  const { t } = useTranslation('places');
  const words = usePlaceWords();
  // Fixed in number and order: each kind has few look-ups.
  const lookups = {
    organizations: labelsOf(useLookup('organizations').options),
    facilities: labelsOf(useLookup('facilities').options),
    counties: labelsOf(useLookup('counties').options),
    states: labelsOf(useLookup('states').options),
    managedJurisdictions: labelsOf(useLookup('managedJurisdictions').options),
    programTypes: labelsOf(useLookup('programTypes').options),
    programs: labelsOf(useLookup('programs').options),
    diseaseFamilies: labelsOf(useLookup('diseaseFamilies').options),
    taskCategories: labelsOf(useLookup('taskCategories').options),
  } as Readonly<Record<string, ReadonlyMap<string, string>>>;
  const one = (plan: FieldPlan | undefined, value: unknown): string => {
    if (value === null || value === undefined || value === '') return '';
    if (typeof value === 'boolean') return t(value ? 'panel.yes' : 'panel.no');
    const text = String(value);
    if (plan?.as === 'timeZone') return text.replaceAll('_', ' ');
    if (typeof plan?.options === 'string') return lookups[plan.options]?.get(text) ?? text;
    return plan?.options ? words.choice(plan.name, text) : text;
  };
  return (name, value) => {
    const plan = kind.fields.find((field) => field.name === name);
    return Array.isArray(value)
      ? value
          .map((entry) => one(plan, entry))
          .filter(Boolean)
          .join(', ')
      : one(plan, value);
  };
}
