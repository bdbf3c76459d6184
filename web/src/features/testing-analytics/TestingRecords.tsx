import { testing } from '@caseway/contract/dashboards/testing';
import { labelIn, testNameForStaff } from '@caseway/contract/label';
import { type TestingRecord, testingRecords } from '@caseway/contract/testing-analytics';
import Button from '@mui/material/Button';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { BehindChip } from '../../dashboard/BehindChip.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';

/** The tests behind a number of testing analytics; Back returns to the number. */
export default function TestingRecords() {
  const { t, i18n } = useTranslation(['testing-analytics', 'analytics']);
  const state = useGrid(testingRecords);
  const navigate = useNavigate();
  const value = useCallback(
    (row: TestingRecord, field: string): unknown => {
      if (field === 'testName') return testNameForStaff(row, i18n.language);
      if (field === 'specimenSite') return row.specimenSite && labelIn(row.specimenSite, i18n.language);
      return row[field as keyof TestingRecord];
    },
    [i18n.language],
  );
  const words = useMemo(() => ({ column: (field: string) => t(`column.${field}`) }), [t]);
  return (
    <Page
      title={t('common:screen.testingRecords')}
      lead={t('records.lead')}
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
      <BehindChip of={testing} state={state} />
      <DataGrid
        grid={testingRecords}
        state={state}
        value={value}
        label={t('common:screen.testingRecords')}
        words={words}
        empty={{ title: t('analytics:screen.noneTitle'), text: t('analytics:screen.noneFiltered') }}
      />
    </Page>
  );
}
