import { phoneShown } from '@caseway/contract/codes';
import { type Column, type Grid, rangeOperators } from '@caseway/contract/grid';
import { missingKey } from '@caseway/contract/label';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Box from '@mui/material/Box';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLabels, useLabelsOf } from '../../data/use-labels.ts';
import { type Option, useLookup } from '../../data/use-lookup.ts';
import { type Formats, useFormats } from '../../words/formats.ts';
import { once } from '../../words/once.ts';

/** How long typing must pause before it is applied, in milliseconds. [S9.4] */
export const filterDebounceMs = 800;

/** The labels of a grid's columns and codes; every screen provides its own. */
export interface GridWords {
  /** A column's label. */
  column: (field: string) => string;
  /** The label of a code of a choice column with fixed codes. */
  choice?: (field: string, code: string) => string;
}

const noLookup = '';
/** The most choices that people read through. */
export const fewChoices = 15;
/** The choices of a choice column in the current language; empty while loading. */
export function useChoices(
  field: string,
  column: Column,
  words: GridWords,
): { options: readonly Option[]; loading: boolean } {
  const { t, i18n } = useTranslation();
  const { options } = column;
  const lookup = typeof options === 'string' ? options : noLookup;
  const entries = useLookup(lookup, { enabled: lookup !== noLookup });
  if (typeof options === 'string' || options === undefined) return entries;
  const named = options.map((code) => ({
    id: code,
    label: words.choice?.(field, code) ?? t('label.unknown.other'),
  }));
  // A few are in a meaningful order; in a long list people look for a name.
  const { compare } = new Intl.Collator([i18n.language, 'fr', 'en']);
  return {
    options: named.length > fewChoices ? named.sort((a, b) => compare(a.label, b.label)) : named,
    loading: false,
  };
}

/** A code's label, or a text why it has none; empty while the labels are loading. */
export function ChoiceText({
  field,
  column,
  code,
  words,
}: {
  field: string;
  column: Column;
  code: string;
  words: GridWords;
}) {
  const { t } = useTranslation();
  const { options } = column;
  const named = typeof options === 'string' ? options : noLookup;
  const labels = useLabels(named, { enabled: named !== noLookup });
  if (code === missingKey) return t('filter.missing');
  if (named === noLookup) return words.choice?.(field, code) ?? t('label.unknown.other');
  return labels.loading ? <span aria-busy="true" /> : labels.of(code);
}

/** The text of a value in any column except choices; empty for none. */
function plainText(column: Column, value: unknown, formats: Formats, language: string): string {
  if (value === null || value === undefined) return '';
  if (column.as === 'phone') return phoneShown(String(value));
  if (column.as === 'timeZone') return nameOfTimeZone(String(value), language);
  if (column.kind === 'number') return formats.number(Number(value), 2);
  if (column.kind === 'date') {
    const text = String(value);
    return column.withTime && text.includes('T') ? formats.instant(text) : formats.day(text.slice(0, 10));
  }
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The texts of a list's values, created once for all its cells. */
export type CellTexts = (field: string, column: Column, value: unknown) => ReactNode;

/**
 * The texts of these columns' values; a new function when one of them changes. Names are looked up only once
 * there are rows: on a slow line, the list of all counties would delay them.
 */
export function useCellTexts(
  grid: Grid,
  fields: readonly string[],
  choice: GridWords['choice'],
  { enabled }: { enabled: boolean },
): CellTexts {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const labels = useLabelsOf(
    [...new Set(fields.map((field) => grid.columns[field]?.options))].filter(
      (options): options is string => typeof options === 'string',
    ),
    { enabled },
  );
  return useMemo<CellTexts>(() => {
    const fixed = once((field, code) =>
      code === missingKey ? t('filter.missing') : (choice?.(field, code) ?? t('label.unknown.other')),
    );
    return (field, column, value) => {
      if (column.kind !== 'choice' || value === null || value === undefined || value === '')
        return plainText(column, value, formats, i18n.language);
      const { options } = column;
      const one = (code: string) =>
        typeof options === 'string' && code !== missingKey
          ? labels.get(options)!.of(code)
          : fixed(field, code);
      if (typeof options === 'string' && labels.get(options)!.loading) return <span aria-busy="true" />;
      return Array.isArray(value) ? value.map(one).join(', ') : one(String(value));
    };
  }, [t, i18n.language, formats, labels, choice]);
}

/** One value outside a list, as its column shows it. */
export function CellValue({
  field,
  column,
  value,
  words,
}: {
  field: string;
  column: Column;
  value: unknown;
  words: GridWords;
}) {
  const formats = useFormats();
  const { i18n } = useTranslation();
  if (column.kind !== 'choice' || value === null || value === undefined || value === '')
    return plainText(column, value, formats, i18n.language);
  return <ChoiceText field={field} column={column} code={String(value)} words={words} />;
}

/** One condition as a phrase: `contains "abc"`, `is any of A, B`. */
export function ConditionText({
  field,
  column,
  operator,
  value,
  words,
}: {
  field: string;
  column: Column;
  operator: string;
  value: unknown;
  words: GridWords;
}) {
  const { t } = useTranslation();
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return (
    <>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {t(`operator.${operator}`)}
      </Box>{' '}
      {rangeOperators.includes(operator)
        ? t(`date.relative.${String(value)}`)
        : list.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is always rendered as a whole.
            <span key={index}>
              {index > 0 ? ', ' : ''}
              <CellValue field={field} column={column} value={one} words={words} />
            </span>
          ))}
    </>
  );
}
