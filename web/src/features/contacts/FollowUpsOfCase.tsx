import { type CaseFollowUp, caseFollowUpRecord, followUpsOfCase } from '@caseway/contract/case-follow-ups';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { RecordsOf } from '../../record/RecordsOf.tsx';
import { useMay } from '../../session/permissions.ts';
import { useFormats } from '../../words/formats.ts';
import { CaseFollowUpToday, NoteCaseVisit } from './CaseFollowUpToday.tsx';
import { useCaseFollowUpWords } from './case-follow-up-words.ts';
import { StartCaseFollowUp } from './EditCaseFollowUp.tsx';

interface Of {
  caseId: string;
  /** Read with an emergency access, which can change nothing. */
  readOnly: boolean;
}

/** The daily follow-ups of a case's person; nothing for users who may not read them. */
export function FollowUpsOfCase(of: Of) {
  const may = useMay();
  return may(caseFollowUpRecord.access.read) ? <FollowUps {...of} /> : null;
}

function FollowUps({ caseId, readOnly }: Of) {
  const { t } = useTranslation('case-follow-ups');
  const query = useApi(followUpsOfCase, { params: { id: caseId } }, { keepPrevious: false });
  const mayWrite = useMay()(caseFollowUpRecord.access.write) && !readOnly;
  const [visited, setVisited] = useState<CaseFollowUp | null>(null);
  const proposed = query.data?.proposed;
  return (
    <>
      <RecordsOf
        query={query}
        rows={({ followUps }) => followUps}
        words={{ title: t('ofCase.title'), none: t('ofCase.none'), add: t('edit.add') }}
        one={(row) => <One key={row.id} row={row} onNote={mayWrite ? setVisited : undefined} />}
        form={
          mayWrite && proposed
            ? (close) => (
                <StartCaseFollowUp caseId={caseId} proposed={proposed} onSaved={close} onClose={close} />
              )
            : undefined
        }
      />
      {visited ? <NoteCaseVisit row={visited} onClose={() => setVisited(null)} /> : null}
    </>
  );
}

function One({ row, onNote }: { row: CaseFollowUp; onNote: ((row: CaseFollowUp) => void) | undefined }) {
  const { t } = useTranslation('case-follow-ups');
  const words = useCaseFollowUpWords();
  const formats = useFormats();
  const { id, number, status, purpose, firstOn, lastOn, lastSeenOn } = row;
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Box component={Link} to={`/case-follow-ups/${id}`} sx={{ color: 'primary.main' }}>
          {t('record.title', { number })}
        </Box>
        <CaseFollowUpToday row={row} onNote={onNote} />
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          words.choice('purpose', purpose),
          words.choice('status', status),
          t('ofCase.days', { first: formats.dayInWords(firstOn), last: formats.dayInWords(lastOn) }),
          lastSeenOn && t('ofCase.seen', { day: formats.dayInWords(lastSeenOn) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
    </Box>
  );
}
