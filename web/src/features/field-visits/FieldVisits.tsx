import {
  type FieldVisit,
  fieldVisitGrid,
  fieldVisitRecord,
  visitViews,
} from '@caseway/contract/field-visits';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useKeptMark } from '../../kept/mark.ts';
import { AddRecord } from '../../record/AddRecord.tsx';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { useGrid } from '../../view/use-grid.ts';
import { EditVisit } from './EditVisit.tsx';
import { VisitReturn } from './VisitReturn.tsx';
import { useVisitWords } from './visit-words.ts';

const visits = bulkRecord(fieldVisitRecord);

/** The visits of today, those of which somebody is not back in time, one's own, and all others. */
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
  const { filters } = state.view;
  const shown = filters.show?.[0] ?? visitViews[0];
  return (
    <RecordList
      title={t('list.title')}
      actions={
        mayWrite ? (
          <>
            <AddRecord
              label={t('edit.add')}
              path="/field-visits"
              form={(handlers) => <EditVisit stored={null} {...handlers} />}
            />
            <Button variant="outlined" component={Link} to="/field-visits/kept">
              {t(mark ? 'kept.title' : 'kept.take')}
            </Button>
          </>
        ) : null
      }
      grid={fieldVisitGrid}
      state={state}
      words={words}
      viewLabel={(code) => t(`show.${code}`)}
      searchLabel={t('list.search')}
      cells={{
        number: (row: FieldVisit) => <span className="mono">{row.number}</span>,
        caseId: (row: FieldVisit) => <span className="mono">{row.caseId}</span>,
        return: (row: FieldVisit) => <VisitReturn row={row} />,
      }}
      {...many}
      empty={{ title: t(`empty.${shown}`), text: t(`empty.${shown}Text`) }}
      path="/field-visits"
    />
  );
}
