import type { ColumnsCheck } from '@caseway/contract/imports';
import { testNameForStaff } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../../data/use-labels.ts';
import { useFormats } from '../../words/formats.ts';
import { StateMark } from './parts.tsx';
import { useImportWords } from './words.ts';

type Row = ColumnsCheck['preview'][number];

/** The first rows of a table as they would be stored: who each is about, and the records that it gives. */
export function RowsPreview({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('imports');
  return (
    <Box>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 550, marginBottom: 1 }}>
        {t('rowsPreview.title')}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {rows.map((row, index) => (
          <Box
            component="li"
            // biome-ignore lint/suspicious/noArrayIndexKey: they load together, in a fixed order.
            key={index}
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '160px minmax(0, 1fr) minmax(0, 1fr)' },
              gap: '4px 16px',
              paddingY: 2,
              borderTop: 1,
              borderColor: 'divider',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px', alignSelf: 'start' }}>
              {row.line === null ? null : <span>{t('fault.line', { line: row.line })}</span>}
              <StateMark state={row.state} />
            </Box>
            <Person person={row.person} />
            <Records row={row} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function Person({ person }: { person: Row['person'] }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  if (person === null) return <span>{t('rowsPreview.nobody')}</span>;
  const { lastName, firstName, birthDate, match } = person;
  const name = [lastName, firstName].filter(Boolean).join(', ') || t('rowsPreview.nameless');
  return (
    <Box sx={{ overflowWrap: 'anywhere' }}>
      {[name, ...(birthDate === null ? [] : [t('rowsPreview.born', { date: formats.day(birthDate) })])].join(
        ' · ',
      )}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t(`rowsPreview.match.${match}`)}
      </Typography>
    </Box>
  );
}

function Records({ row: { records, reason, state } }: { row: Row }) {
  const { t, i18n } = useTranslation('imports');
  const words = useImportWords();
  const categories = useLabels('resultCategories');
  const conditions = useLabels('conditions');
  if (reason !== null) return <span>{words.reason(reason)}</span>;
  if (records.length === 0) return <span>{state === 'taken' ? t('rowsPreview.none') : null}</span>;
  const text = ({ kind, name = '', nameI18N, category = '', conditionCode = '' }: Row['records'][number]) =>
    kind === 'case'
      ? t('rowsPreview.case', { condition: conditions.of(conditionCode) })
      : kind === 'treatment'
        ? t('rowsPreview.treatment', { drug: name })
        : t('preview.result', {
            test: testNameForStaff({ testName: name, testNameI18N: nameI18N }, i18n.language),
            result: categories.of(category),
          });
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, overflowWrap: 'anywhere' }}>
      {records.map((record, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the records of one row have a fixed order.
        <li key={index}>
          {text(record)}{' '}
          {record.isNew === null ? null : (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              ({t(record.isNew ? 'rowsPreview.new' : 'rowsPreview.known')})
            </Box>
          )}
        </li>
      ))}
    </Box>
  );
}
