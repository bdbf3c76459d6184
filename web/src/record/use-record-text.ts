import { phoneShown } from '@caseway/contract/codes';
import type { AnyRecord, Fields } from '@caseway/contract/record';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { useTranslation } from 'react-i18next';
import { useLabelsOf } from '../data/use-labels.ts';
import type { GridWords } from '../ui/grid/values.tsx';
import { useFormats } from '../words/formats.ts';

/** A record's value in words, by its field's declaration; empty if none. */
export function useRecordText(
  { fields }: Pick<AnyRecord, 'fields'>,
  { choice }: Required<GridWords>,
): (name: string, value: unknown) => string {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const lookups = Object.values(fields).flatMap(({ options }) =>
    typeof options === 'string' ? options : [],
  );
  const labels = useLabelsOf([...new Set(lookups)]);
  const one = (name: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return '';
    if (typeof value === 'boolean') return t(value ? 'answers.yes' : 'answers.no');
    const text = String(value);
    const field = fields[name];
    if (field === undefined) return text;
    if (typeof field.options === 'string') return labels.get(field.options)?.of(text) ?? '';
    if (field.options) return choice(name, text);
    switch (field.each?.kind ?? field.kind) {
      case 'phone':
        return phoneShown(text);
      case 'timeZone':
        return nameOfTimeZone(text, i18n.language);
      case 'day':
        return formats.dayInWords(text);
      case 'instant':
        return formats.instant(text);
      case 'count':
        return formats.count(Number(text));
      default:
        return text;
    }
  };
  /** A row, as the words of its choices. */
  const row = (of: Fields, values: Readonly<Record<string, unknown>>): string =>
    Object.entries(of)
      .map(([name, { options }]) => {
        const value = values[name];
        if (value === null || value === undefined || value === '') return '';
        return options ? choice(name, String(value)) : String(value);
      })
      .filter(Boolean)
      .join(' · ');
  return (name, value) =>
    Array.isArray(value) && fields[name]?.rows
      ? value.map((one) => row(fields[name]!.rows!, one)).join('; ')
      : Array.isArray(value)
        ? value
            .map((entry) => one(name, entry))
            .filter(Boolean)
            // Names contain commas.
            .join(fields[name]?.kind === 'texts' ? '; ' : ', ')
        : one(name, value);
}
