import { type FieldVisit, fieldVisitGrid, fieldVisitRecord } from '@caseway/contract/field-visits';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useKeptMark } from '../../kept/mark.ts';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { useGrid } from '../../view/use-grid.ts';
import { EditVisit } from './EditVisit.tsx';
import { VisitReturn } from './VisitReturn.tsx';
import { fieldVisits, useVisitWords } from './visit-words.ts';

const visits = bulkRecord(fieldVisitRecord);

/** Today's visits, those with an overdue worker, the user's own, and all others. */
export default function FieldVisits() {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const state = useGrid(fieldVisitGrid);
  const many = useMany<FieldVisit>(visits, state, {
    ...words,
    nameOf: ({ number }) => number,
    none: (name) => (name === 'worker' ? t('record.nobody') : undefined),
  });
  const mayWrite = useMay()(fieldVisitRecord.access.write);
  const mark = useKeptMark();
  return (
    <RecordList
      actions={
        mayWrite ? (
          <Button variant="outlined" component={Link} to="/field-visits/kept">
            {t(mark ? 'kept.title' : 'kept.take')}
          </Button>
        ) : null
      }
      grid={fieldVisitGrid}
      state={state}
      words={words}
      edits={fieldVisits}
      add={{
        needs: fieldVisitRecord.access.write,
        form: (handlers) => <EditVisit stored={null} {...handlers} />,
      }}
      cells={{
        return: (row: FieldVisit) => <VisitReturn row={row} />,
      }}
      {...many}
    />
  );
}
