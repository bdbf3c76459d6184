import { type FieldVisit, fieldVisitRecord, visitsOfCase } from '@caseway/contract/field-visits';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { RecordsOf } from '../../record/RecordsOf.tsx';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { EditVisit, type VisitAbout } from './EditVisit.tsx';
import { VisitReturn } from './VisitReturn.tsx';
import { useVisitText, useVisitWords } from './visit-words.ts';

type OfCase = VisitAbout & { caseId: string };

/** Visits to a case's person about the case; nothing for users who may not read visits. */
export function CaseVisits({ about }: { about: OfCase }) {
  return useMay()(fieldVisitRecord.access.read) ? <Visits about={about} /> : null;
}

function Visits({ about }: { about: OfCase }) {
  const { t } = useTranslation('field-visits');
  const query = useApi(visitsOfCase, { params: { id: about.caseId } }, { keepPrevious: false });
  const mayWrite = useMay()(fieldVisitRecord.access.write);
  return (
    <RecordsOf
      query={query}
      rows={({ visits }) => visits}
      words={{ title: t('list.title'), none: t('ofCase.none'), add: t('edit.add') }}
      one={(visit) => <One key={visit.id} visit={visit} />}
      form={
        mayWrite
          ? (close) => <EditVisit stored={null} about={about} onSaved={close} onClose={close} />
          : undefined
      }
    />
  );
}

function One({ visit }: { visit: FieldVisit }) {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const text = useVisitText(visit);
  const formats = useFormats();
  const { id, number, status, visitType, plannedFor, worker, lastOutcome, result } = visit;
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Box component={Link} to={`/field-visits/${id}`} className="mono" sx={{ color: 'primary.main' }}>
          {number}
        </Box>
        <VisitReturn row={visit} />
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          words.choice('visitType', visitType),
          words.choice('status', status),
          t('ofCase.planned', { day: formats.dayInWords(plannedFor) }),
          text('worker', worker),
          result ? words.choice('result', result) : lastOutcome && words.choice('lastOutcome', lastOutcome),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Box>
  );
}
