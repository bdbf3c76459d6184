import type { Grid } from '@caseway/contract/grid';
import Button from '@mui/material/Button';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { z } from 'zod';
import { useMay } from '../session/permissions.ts';
import { DataGrid } from '../ui/grid/DataGrid.tsx';
import { Page } from '../ui/Page.tsx';
import { useGrid } from '../view/use-grid.ts';
import { BehindChip } from './BehindChip.tsx';

/** The records behind a number of any dashboard, of the fact the grid lists. Back returns to the number. */
export function RecordsScreen<Row extends { id: string; patientId?: string }>({
  grid,
  title,
  lead,
  column,
  choice,
  textOf,
}: {
  grid: Grid & { row: z.ZodType<Row> };
  title: string;
  /** Describes its rows. */
  lead: string;
  /** The title of a column. */
  column: (field: string) => string;
  /** The label of a code that is in no look-up. */
  choice?: (field: string, code: string) => string;
  /** The text of a row's cell in a language. */
  textOf: (row: Row, field: string, language: string) => unknown;
}) {
  const { t, i18n } = useTranslation('analytics');
  const state = useGrid(grid);
  const navigate = useNavigate();
  const value = useCallback(
    (row: Row, field: string): unknown => textOf(row, field, i18n.language),
    [textOf, i18n.language],
  );
  const may = useMay();
  const opens = 'patientId' in (grid.row as unknown as z.ZodObject).shape && may('patients/read');
  const words = useMemo(() => ({ column, ...(choice && { choice }) }), [column, choice]);
  return (
    <Page
      title={title}
      lead={opens ? `${lead} ${t('records.opens')}` : lead}
      fill
      actions={
        <Button
          variant="outlined"
          startIcon={<ArrowLeft size={16} aria-hidden />}
          onClick={() => navigate(-1)}
        >
          {t('records.back')}
        </Button>
      }
    >
      <BehindChip state={state} />
      <DataGrid
        grid={grid}
        state={state}
        value={value}
        label={title}
        words={words}
        {...(opens && { href: (row: Row) => `/patients/${row.patientId}`, opensBy: 'patientId' as const })}
        empty={{ title: t('screen.noneTitle'), text: t('screen.noneFiltered') }}
      />
    </Page>
  );
}
