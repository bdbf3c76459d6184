import { addDays, startOfMmwrWeek } from '@caseway/contract/date-range';
import {
  exportWeeklyCases,
  readWeeklyCases,
  type WeeklyCases,
  weeklyColumns,
} from '@caseway/contract/weekly-cases';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { CalendarDays, ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useExport } from '../../data/use-export.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useAppSelector } from '../../session/store.ts';
import { Answered } from '../../ui/Answered.tsx';
import { BetaTag } from '../../ui/BetaTag.tsx';
import { DayField } from '../../ui/DayField.tsx';
import { Field } from '../../ui/Field.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { PrintButton } from '../../ui/PrintButton.tsx';
import { useFormats } from '../../words/formats.ts';

/**
 * Cases by condition in one MMWR week, compared with the weeks and the year before; to print or as a file. In
 * beta. [S1.6]
 */
export default function WeeklyCasesScreen() {
  const { t } = useTranslation('weekly-cases');
  const id = useId();
  const { today } = useFormats();
  const [search, setSearch] = useSearchParams();
  const thisWeek = startOfMmwrWeek(today);
  // The last completed week, unless the address names one.
  const named = search.get('weekOf') ?? '';
  const isDay = readWeeklyCases.query!.safeParse({ weekOf: named }).success;
  const week = isDay ? startOfMmwrWeek(named) : addDays(thisWeek, -7);
  const query = useApi(readWeeklyCases, { query: { weekOf: week } });
  const file = useExport(exportWeeklyCases, 'cases.csv');
  const go = (weekOf: string) => setSearch({ weekOf }, { replace: true });
  return (
    <Page
      title={t('common:screen.weeklyCases')}
      tag={<BetaTag />}
      lead={t('screen.lead')}
      actions={
        <>
          <PrintButton />
          <Button
            variant="outlined"
            startIcon={<Download size={16} aria-hidden />}
            loading={file.isRunning}
            onClick={() => file.start({ query: { weekOf: week } })}
          >
            {t('action.file')}
          </Button>
        </>
      }
    >
      <Box className="no-print" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 2 }}>
        <Box sx={{ width: 220 }}>
          <Field id={id} label={t('week.label')} required>
            {({ describedBy }) => (
              <DayField
                id={id}
                value={week}
                today={today}
                describedBy={describedBy}
                onChange={(day) => {
                  if (day !== null) go(day);
                }}
              />
            )}
          </Field>
        </Box>
        <Button
          variant="outlined"
          startIcon={<ChevronLeft size={16} aria-hidden />}
          onClick={() => go(addDays(week, -7))}
        >
          {t('week.before')}
        </Button>
        <Button
          variant="outlined"
          endIcon={<ChevronRight size={16} aria-hidden />}
          disabled={week >= thisWeek}
          onClick={() => go(addDays(week, 7))}
        >
          {t('week.after')}
        </Button>
      </Box>
      <Answered query={query} height={420}>
        {(table) => (
          <>
            {table.end >= today ? <Alert severity="info">{t('week.running')}</Alert> : null}
            {table.rows.length === 0 ? (
              <Message icon={CalendarDays} title={t('row.none')} />
            ) : (
              <WeekTable table={table} />
            )}
          </>
        )}
      </Answered>
    </Page>
  );
}

function WeekTable({ table }: { table: WeeklyCases }) {
  const { t } = useTranslation('weekly-cases');
  const formats = useFormats();
  const conditions = useLabels('conditions');
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  const title = t('week.title', { week: table.week, year: table.year });
  const rows = table.rows
    .map((row) => ({ ...row, label: conditions.of(row.condition) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const numbers = (row: WeeklyCases['total']) =>
    weeklyColumns.map((column) => (
      <TableCell key={column} align="right" sx={{ fontWeight: 'inherit' }}>
        {formats.count(row[column])}
      </TableCell>
    ));
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box aria-live="polite">
        <Typography variant="h2">{title}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {/* The organization's name is also on paper. */}
          {[org?.name, t('week.days', { start: formats.day(table.start), end: formats.day(table.end) })]
            .filter(Boolean)
            .join(' · ')}
        </Typography>
      </Box>
      <TableContainer role="region" aria-label={title} tabIndex={0}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{t('column.condition')}</TableCell>
              {weeklyColumns.map((column) => (
                <TableCell key={column} align="right" sx={{ minWidth: 110 }}>
                  {t(`column.${column}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row.condition}>
                <TableCell component="th" scope="row">
                  {row.label}
                </TableCell>
                {numbers(row)}
              </TableRow>
            ))}
            <TableRow sx={{ fontWeight: 650 }}>
              <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit' }}>
                {t('row.total')}
              </TableCell>
              {numbers(table.total)}
            </TableRow>
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  );
}
