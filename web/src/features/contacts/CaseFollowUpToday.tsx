import { type CaseFollowUp, caseFollowUpDays } from '@caseway/contract/case-follow-ups';
import { useTranslation } from 'react-i18next';
import { AddFollowUp } from '../../record/AddFollowUp.tsx';
import { FollowUpToday } from '../../record/FollowUpToday.tsx';
import { whoIs } from './ContactToday.tsx';
import { caseFollowUps, useCaseFollowUpWords } from './case-follow-up-words.ts';

/** Today's state of a followed case; for users with permission, also a button that records a visit. */
export function CaseFollowUpToday({
  row,
  onNote,
}: {
  row: CaseFollowUp;
  onNote?: ((row: CaseFollowUp) => void) | undefined;
}) {
  const { t } = useTranslation('case-follow-ups');
  const words = useCaseFollowUpWords();
  return (
    <FollowUpToday
      today={row.today}
      words={{
        today: (code) => words.choice('today', code),
        note: t('visit.note'),
        noteOf: t('visit.noteOf', { name: whoIs(row) }),
      }}
      onNote={onNote && (() => onNote(row))}
    />
  );
}

/** Records a visit to a case's person. */
export function NoteCaseVisit({ row, onClose }: { row: CaseFollowUp; onClose: () => void }) {
  return (
    <AddFollowUp
      of={caseFollowUpDays}
      id={row.id}
      name={whoIs(row)}
      old={caseFollowUps.old}
      onClose={onClose}
    />
  );
}
