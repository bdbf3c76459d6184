import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordText } from '../../record/use-record-text.ts';
import type { PlaceKind, PlaceRecord } from './kinds.ts';

/** The labels of fields and codes. `isPart`: a shelf or bay has a code in place of a name. */
export function usePlaceWords(isPart = false) {
  const { t } = useTranslation('places');
  return useMemo(
    () => ({
      column: (name: string): string => t(`field.${name === 'name' && isPart ? 'code' : name}`),
      choice: (name: string, code: string): string =>
        t(name === 'experience' ? `common:experience.${code}` : `choice.${name}.${code}`, {
          defaultValue: t('common:label.unknown.other'),
        }),
    }),
    [t, isPart],
  );
}

/** A record's name in the current language. [S3.9] */
export function useTitle(kind: PlaceKind): (record: PlaceRecord) => string {
  const { i18n } = useTranslation();
  const [base] = i18n.language.split('-');
  const own = base === 'es' ? 'labelEs' : base === 'ht' ? 'labelHt' : kind.title;
  const { title } = kind;
  return useCallback((record) => String(record[own] ?? record[title] ?? ''), [own, title]);
}

/** A record's value in words; empty if none. */
export const useValueText = (kind: PlaceKind): ((name: string, value: unknown) => string) =>
  useRecordText(kind.record, usePlaceWords());
