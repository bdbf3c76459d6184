import { documentGrid, type PatientDocument } from '@caseway/contract/documents';
import { useMemo } from 'react';
import { RecordList } from '../../record/RecordList.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { useFormats } from '../../words/formats.ts';
import { listed, useDocumentWords } from './document-words.ts';

/** A document is part of the record of its person, and links there. */
const toPerson = ({ patient }: PatientDocument) => `/patients/${patient}`;

/** The list of all documents. */
export default function Documents() {
  const words = useDocumentWords();
  const formats = useFormats();
  const state = useGrid(documentGrid);
  const cells = useMemo(
    () => ({ byteSize: ({ byteSize }: PatientDocument) => formats.size(byteSize) }),
    [formats],
  );
  return (
    <RecordList<PatientDocument>
      grid={documentGrid}
      state={state}
      words={words}
      cells={cells}
      edits={listed}
      href={toPerson}
    />
  );
}
