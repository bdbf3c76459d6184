import { caseRecord } from '@caseway/contract/case-record';
import type { CaseReport } from '@caseway/contract/case-reports';
import { anyRecord } from '@caseway/contract/record';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../data/api.ts';
import { offerUndo } from '../../record/offer-undo.ts';
import { Transitions } from '../../record/Transitions.tsx';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { useFieldText } from './case-parts.tsx';
import { faultKey, useCaseWords } from './case-words.ts';
import { keepReport } from './EditCase.tsx';

/** The transitions possible in the case's status. */
export function CaseTransitions({ report }: { report: CaseReport }) {
  const { t } = useTranslation('case-reports');
  const words = useCaseWords();
  const text = useFieldText();
  const may = useMay();
  const { id, caseId } = report;
  return (
    <Transitions
      record={anyRecord(caseRecord)}
      stored={report}
      words={words}
      text={(name, value) => text(name, value as string | null)}
      none={(name) => t(name === 'investigator' ? 'record.nobody' : 'record.notKnown')}
      label={(transition) => t(`transition.${transition}`)}
      refusal={faultKey}
      onRead={(latest) => keepReport(latest as unknown as CaseReport)}
      onDone={(saved) => {
        keepReport(saved as unknown as CaseReport);
        // A jurisdiction answers, and changes nothing else.
        if (!may('case-reports/write')) {
          notify('success', 'case-reports:change.saved', { values: { caseId } });
          return;
        }
        const params = { id };
        const body = { version: saved.version };
        const undo = async () =>
          keepReport((await callApi(caseRecord.endpoints.undo, { params, body })).record);
        offerUndo('case-reports:change.saved', undo, {
          values: { caseId },
          undone: 'case-reports:change.undone',
        });
      }}
    />
  );
}
