import {
  documentRecord,
  documentsOfCase,
  documentsOfPatient,
  type PatientDocument,
} from '@caseway/contract/documents';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { shownRecord } from '../../record/shown-record.ts';
import type { GridWords } from '../../ui/grid/values.tsx';
import { useFormats } from '../../words/formats.ts';

export const record = anyRecord(documentRecord);
const { endpoints } = documentRecord;
/** What a change of a document makes stale. */
export const oldDocuments = [
  documentsOfPatient,
  documentsOfCase,
  endpoints.history,
  endpoints.search,
  readTimeline,
];

/** What is edited in a row of the list. */
export const listed = shownRecord<PatientDocument>(documentRecord, {
  old: [documentsOfPatient, documentsOfCase],
  called: () => ({}),
  saved: 'documents:done.saved',
});

/** The names of the fields and codes of a document. */
export function useDocumentWords(): Required<GridWords> {
  const { t } = useTranslation('documents');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`choice.${field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}

/** What the file is, and how large. */
export function useFileText(): (of: { fileType: string; byteSize: number }) => string {
  const words = useDocumentWords();
  const formats = useFormats();
  return ({ fileType, byteSize }) => `${words.choice('fileType', fileType)}, ${formats.size(byteSize)}`;
}
