import { type CaseFollowUp, caseFollowUpDays, caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FollowUp } from '../../record/FollowUp.tsx';
import { OpenCase } from '../../record/OpenRecord.tsx';
import { useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { NoteCaseVisit } from './CaseFollowUpToday.tsx';
import { whoIs } from './ContactToday.tsx';
import { caseFollowUps } from './case-follow-up-words.ts';
import { EditCaseFollowUp } from './EditCaseFollowUp.tsx';

const { endpoints, access } = caseFollowUpRecord;
type Name = keyof CaseFollowUp & string;

/** The fields in each part of the screen. */
const followed: readonly Name[] = [
  ...(['status', 'purpose', 'firstOn', 'lastOn', 'lastSeenOn'] as const),
  ...(['unseenDays', 'investigator', 'createdOn', 'endedOn', 'note'] as const),
];
const ofCase: readonly Name[] = ['name', 'birthDate', 'condition', 'caseId', 'county'];

/** The follow-up of one case, day by day. */
export default function CaseFollowUpRecord() {
  const { t } = useTranslation('case-follow-ups');
  const mayWrite = useMay()(access.write);
  const [visiting, setVisiting] = useState(false);
  return (
    <WholeRecord
      of={caseFollowUps}
      query={useRecordOfAddress(endpoints.read)}
      lead={(row, text) => [whoIs(row), text('status'), text('today')]}
      actions={(row) =>
        mayWrite && row.status === 'under-follow-up' ? (
          <Button variant="contained" onClick={() => setVisiting(true)}>
            {t('visit.note')}
          </Button>
        ) : null
      }
      notes={(row) => (visiting ? <NoteCaseVisit row={row} onClose={() => setVisiting(false)} /> : null)}
      edit={(row, handlers) => <EditCaseFollowUp stored={row} {...handlers} />}
      parts={(row, { facts, history }) => [
        { title: t('record.followUp'), content: <FollowUp of={caseFollowUpDays} id={row.id} /> },
        history,
        {
          aside: true,
          title: t('record.case'),
          content: (
            <>
              {facts(ofCase)}
              <OpenCase id={row.caseRecord} number={row.caseId} label={t('record.openCase')} />
            </>
          ),
        },
        { aside: true, title: t('record.status'), content: facts(followed) },
      ]}
    />
  );
}
