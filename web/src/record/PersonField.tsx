import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useFoundPatients } from '../data/use-found-patients.ts';
import { OneOfField } from '../ui/FormChoices.tsx';
import { useFormats } from '../words/formats.ts';
import type { FieldShown } from './RecordFields.tsx';

/** A person, found by search. `chosen`: the person chosen before the form was opened. */
export function PersonField({ chosen, ...shown }: FieldShown & { chosen?: { id: string; label: string } }) {
  const formats = useFormats();
  const [typed, setTyped] = useState('');
  const found = useFoundPatients(typed).map(({ id, lastName, firstName, birthDate }) => ({
    id,
    label: [lastName, firstName, birthDate && formats.dayInWords(birthDate)].filter(Boolean).join(', '),
  }));
  const value = useFormContext().watch(shown.name) as string;
  /** The last results, so that the chosen one keeps its name. */
  const [known, setKnown] = useState(chosen ? [chosen] : found);
  if (found.length > 0 && JSON.stringify(found) !== JSON.stringify(known)) {
    const kept = known.filter(({ id }) => id === value && found.every((one) => one.id !== id));
    const next = [...found, ...kept];
    if (JSON.stringify(next) !== JSON.stringify(known)) setKnown(next);
  }
  return <OneOfField {...shown} options={known} onTyped={setTyped} />;
}
