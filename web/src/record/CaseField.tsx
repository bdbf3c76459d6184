import { useState } from 'react';
import { useFoundCaseLabels } from '../data/use-found-cases.ts';
import { OneOfField } from '../ui/FormChoices.tsx';
import type { FieldShown } from './RecordFields.tsx';

/** A case, found by search. */
export function CaseField(shown: FieldShown) {
  const [typed, setTyped] = useState('');
  return <OneOfField {...shown} options={useFoundCaseLabels(typed)} onTyped={setTyped} />;
}
