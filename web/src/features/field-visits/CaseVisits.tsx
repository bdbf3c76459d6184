import { type FieldVisit, fieldVisitRecord, visitsOfCase } from '@caseway/contract/field-visits';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditVisit, type VisitAbout } from './EditVisit.tsx';
import { VisitReturn } from './VisitReturn.tsx';
import { useVisitText, useVisitWords } from './visit-words.ts';

type OfCase = VisitAbout & { caseId: string };

/** The visits to the person of a case that are about it; nothing for people who may not read visits. */
export function CaseVisits({ about }: { about: OfCase }) {
  return useMay()(fieldVisitRecord.access.read) ? <Visits about={about} /> : null;
}

function Visits({ about }: { about: OfCase }) {
  const { t } = useTranslation('field-visits');
  const query = useApi(visitsOfCase, { params: { id: about.caseId } }, { keepPrevious: false });
  const mayWrite = useMay()(fieldVisitRecord.access.write);
  const [adding, setAdding] = useState(false);
  return (
    <Section title={t('list.title')}>
      <Answered query={query} height={80}>
        {({ visits }) =>
          visits.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('ofCase.none')}
            </Typography>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
              {visits.map((one) => (
                <One key={one.id} visit={one} />
              ))}
            </Box>
          )
        }
      </Answered>
      {mayWrite ? (
        <Button
          size="small"
          variant="outlined"
          startIcon={<Plus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
          sx={{ justifySelf: 'start' }}
        >
          {t('edit.add')}
        </Button>
      ) : null}
      {adding ? (
        <EditVisit
          stored={null}
          about={about}
          onSaved={() => setAdding(false)}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Section>
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
