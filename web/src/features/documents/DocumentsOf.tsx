import {
  documentsOfCase,
  documentsOfPatient,
  downloadDocument,
  type PatientDocument,
} from '@caseway/contract/documents';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useExport } from '../../data/use-export.ts';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { RecordItem, RecordItems } from '../../record/RecordItems.tsx';
import { useRecordText } from '../../record/use-record-text.ts';
import { useMay } from '../../session/permissions.ts';
import { Facts } from '../../ui/Facts.tsx';
import { oldDocuments as old, record, useDocumentWords, useFileText } from './document-words.ts';
import { type About, EditDocument } from './EditDocument.tsx';
import { RetractDocument } from './RetractDocument.tsx';

/**
 * The documents of a person, or only those of one of their cases. Users who may write add, change and retract them;
 * `readOnly`: nobody does.
 */
export function DocumentsOf({ about, readOnly = false }: { about: About; readOnly?: boolean }) {
  const { t } = useTranslation('documents');
  const { patientId, caseId } = about;
  const [endpoint, id] =
    caseId === undefined ? [documentsOfPatient, patientId] : ([documentsOfCase, caseId] as const);
  const query = useApi(endpoint, { params: { id } }, { keepPrevious: false });
  const mayWrite = useMay()('documents/write') && !readOnly;
  const [edited, setEdited] = useState<PatientDocument | 'new' | null>(null);
  const [wrong, setWrong] = useState<PatientDocument | null>(null);
  return (
    <>
      <RecordItems
        query={query}
        itemsOf={({ documents }) => documents}
        none={t(caseId === undefined ? 'screen.none' : 'screen.noneOfCase')}
        add={t('screen.add')}
        onAdd={mayWrite ? () => setEdited('new') : undefined}
      >
        {(one) => (
          <One
            key={one.id}
            of={one}
            ofCase={caseId !== undefined}
            mayWrite={mayWrite}
            onEdit={() => setEdited(one)}
            onRetract={() => setWrong(one)}
          />
        )}
      </RecordItems>
      {edited ? (
        <EditDocument
          stored={edited === 'new' ? null : edited}
          about={about}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {wrong ? <RetractDocument of={wrong} onClose={() => setWrong(null)} /> : null}
    </>
  );
}

function One({
  of,
  ofCase,
  mayWrite,
  onEdit,
  onRetract,
}: {
  of: PatientDocument;
  /** Whether it is shown on its case, which needs no link then. */
  ofCase: boolean;
  mayWrite: boolean;
  onEdit: () => void;
  onRetract: () => void;
}) {
  const { t } = useTranslation('documents');
  const words = useDocumentWords();
  const text = useRecordText(record, words);
  const fileText = useFileText();
  const mayOpen = useMay()('case-reports/read');
  const file = useExport(downloadDocument, 'document');
  const { id, title, category, documentedOn, note, state, retractReason, createdOn, caseRecord, caseId } = of;
  const isRetracted = state === 'retracted';
  const caseLink =
    caseId === null || !mayOpen ? (
      caseId
    ) : (
      <Box component={Link} to={`/case-reports/${caseRecord}`} sx={{ color: 'primary.main' }}>
        {caseId}
      </Box>
    );
  return (
    <RecordItem title={title} days={text('createdOn', documentedOn ?? createdOn)} isVoid={isRetracted}>
      <Facts
        facts={[
          ...(isRetracted
            ? ([
                [words.column('state'), words.choice('state', state)],
                [words.column('retractReason'), retractReason],
              ] as const)
            : []),
          [words.column('category'), words.choice('category', category)],
          [words.column('file'), fileText(of)],
          [words.column('caseId'), ofCase ? null : caseLink],
          [words.column('note'), note],
          [words.column('createdOn'), text('createdOn', createdOn)],
        ]}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {isRetracted ? null : (
          <Button
            size="small"
            variant="outlined"
            disabled={file.isRunning}
            aria-label={t('screen.downloadOf', { title })}
            onClick={() => file.start({ params: { id } })}
          >
            {t('screen.download')}
          </Button>
        )}
        {mayWrite ? (
          <Button size="small" variant="outlined" aria-label={t('screen.editOf', { title })} onClick={onEdit}>
            {t('screen.edit')}
          </Button>
        ) : null}
        {mayWrite && !isRetracted ? (
          <Button
            size="small"
            variant="text"
            aria-label={t('screen.retractOf', { title })}
            onClick={onRetract}
          >
            {t('screen.retract')}
          </Button>
        ) : null}
      </Box>
      <RecordHistory
        record={record}
        id={id}
        label={words.column}
        text={text}
        mayUndo={mayWrite}
        invalidates={old}
      />
    </RecordItem>
  );
}
