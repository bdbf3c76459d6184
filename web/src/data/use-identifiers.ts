import { assignerNamed, identifierKinds } from '@caseway/contract/codes';
import { useTranslation } from 'react-i18next';
import { useLookup } from './use-lookup.ts';

interface Identifier {
  kind: string;
  assigner: string;
  value: string;
}

const known: readonly string[] = identifierKinds;

/**
 * A person's identifiers in words: the kind of number, and the number with its issuer if that has a name,
 * without duplicates.
 */
export function useIdentifiers(): (identifiers: readonly Identifier[]) => { kind: string; text: string }[] {
  const { t } = useTranslation();
  const { options: facilities } = useLookup('facilities');
  return (identifiers) => {
    const said = new Map<string, { kind: string; text: string }>();
    for (const { kind, assigner, value } of identifiers) {
      const by = assignerNamed(assigner);
      // Names are stored in lowercase; a known facility has its own spelling.
      const facility = by && facilities.find(({ label }) => label.toLowerCase() === by.toLowerCase());
      const one = {
        kind: t(known.includes(kind) ? `identifier.${kind}` : 'identifier.other'),
        text: by === null ? value : t('identifier.by', { value, assigner: facility ? facility.label : by }),
      };
      said.set(`${one.kind} ${one.text}`, one);
    }
    return [...said.values()];
  };
}
