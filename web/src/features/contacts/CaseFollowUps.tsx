import { type CaseFollowUp, caseFollowUpGrid, caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { useState } from 'react';
import { RecordList } from '../../record/RecordList.tsx';
import { useMay } from '../../session/permissions.ts';
import { useGrid } from '../../view/use-grid.ts';
import { CaseFollowUpToday, NoteCaseVisit } from './CaseFollowUpToday.tsx';
import { caseFollowUps, useCaseFollowUpWords } from './case-follow-up-words.ts';

/** Cases whose person is due today or was not seen, and all others that are or were followed up. */
export default function CaseFollowUps() {
  const words = useCaseFollowUpWords();
  const state = useGrid(caseFollowUpGrid);
  const mayWrite = useMay()(caseFollowUpRecord.access.write);
  const [visited, setVisited] = useState<CaseFollowUp | null>(null);
  return (
    <RecordList
      grid={caseFollowUpGrid}
      state={state}
      words={words}
      edits={caseFollowUps}
      cells={{
        today: (row: CaseFollowUp) => (
          <CaseFollowUpToday row={row} onNote={mayWrite ? setVisited : undefined} />
        ),
      }}
      {...(mayWrite && { rowKeys: { v: (row: CaseFollowUp) => row.today !== null && setVisited(row) } })}
      below={visited ? <NoteCaseVisit row={visited} onClose={() => setVisited(null)} /> : null}
    />
  );
}
