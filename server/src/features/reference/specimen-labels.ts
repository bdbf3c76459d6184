import type { Labelled } from '@caseway/contract/label';
import { listEntryOf, specimenTypeOf, specimenTypes } from './catalog.ts';

const shown = (known: Labelled | undefined, written: string | null): Labelled | null => {
  if (known) return { label: known.label, labelI18N: known.labelI18N ?? {} };
  return written ? { label: written } : null;
};

/** The label of a specimen type, by its code or as the sender wrote it. */
export const specimenTypeLabel = (code: string | null, written: string | null): Labelled | null =>
  shown(specimenTypeOf(code ?? '') ?? specimenTypeOf(written ?? ''), written);

/** The SQL for the look-up entry of a specimen type, given the sender's code; null if there is none. */
export const specimenTypeSql = (code: string): string =>
  `case ${specimenTypes
    .map(({ code: own, snomedCode, hl7Codes = [] }) => {
      const written = [own, snomedCode, ...hl7Codes].map((one) => `'${one}'`);
      return `when ${code} in (${written.join(', ')}) then '${own}'`;
    })
    .join(' ')} end`;

/** The label of a specimen site; an unknown code or word is shown as the sender wrote it. */
export const specimenSiteLabel = (written: string | null): Labelled | null =>
  shown(written ? listEntryOf('specimenSite', written) : undefined, written);
