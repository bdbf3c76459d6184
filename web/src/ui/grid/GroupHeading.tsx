import { mmwrWeek } from '@caseway/contract/date-range';
import type { Grid, Grouping } from '@caseway/contract/grid';
import { missingKey } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';
import type { GroupLine } from './groups.ts';
import type { CellTexts, GridWords } from './values.tsx';

/** A group's heading: the column, its value, and its number of records. */
export function GroupText({
  grid,
  grouping: { by, per },
  line: { group, count, isClosed },
  words,
  texts,
}: {
  grid: Grid;
  grouping: Grouping;
  line: GroupLine;
  words: GridWords;
  texts: CellTexts;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const Icon = isClosed ? ChevronRight : ChevronDown;
  const day = per && group !== missingKey ? formats.day(group) : null;
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.secondary' }}>
        <Icon size={16} />
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
        {words.column(by)}
      </Box>
      <Box
        component="span"
        sx={{ fontWeight: 650, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {day === null
          ? group === missingKey
            ? t('filter.missing')
            : texts(by, grid.columns[by]!, group)
          : per === 'week'
            ? t('grid.weekOf', { day })
            : day}
      </Box>
      {day !== null && per === 'week' ? (
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400, whiteSpace: 'nowrap' }}>
          {t('date.mmwrWeek', mmwrWeek(group))}
        </Box>
      ) : null}
      {count === null ? null : (
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400, whiteSpace: 'nowrap' }}>
          {t('grid.groupRows', { count, number: formats.count(count) })}
        </Box>
      )}
    </Box>
  );
}
