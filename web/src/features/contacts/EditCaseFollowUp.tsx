import type { CaseFollowUp } from '@caseway/contract/case-follow-ups';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { caseFollowUps } from './case-follow-up-words.ts';

/** Starts a case's follow-up, with the proposed days. */
export function StartCaseFollowUp({
  caseId,
  proposed: { firstOn, lastOn },
  ...handlers
}: FormHandlers<CaseFollowUp> & {
  caseId: string;
  proposed: { firstOn: string; lastOn: string | null };
}) {
  return (
    <RecordForm
      of={caseFollowUps}
      stored={null}
      form={['purpose', ['firstOn', 'lastOn'], 'note']}
      preset={{ caseRecord: caseId, purpose: 'isolation', firstOn, ...(lastOn !== null && { lastOn }) }}
      wide={false}
      {...handlers}
    />
  );
}

/** Changes a follow-up, except its days: only a transition with a reason changes those. */
export const EditCaseFollowUp = (editing: FormHandlers<CaseFollowUp> & { stored: CaseFollowUp }) => (
  <RecordForm of={caseFollowUps} form={['purpose', 'note']} wide={false} {...editing} />
);
