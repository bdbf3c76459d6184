import { createHash } from 'node:crypto';
import { addDays } from '@caseway/contract/date-range';
import type { drugs } from '@caseway/contract/treatments';
import type { CaseRow } from './rows.ts';

/** The guidelines' first choice for each family, and the second. */
const drugsOf: Readonly<Record<string, readonly [(typeof drugs)[number], (typeof drugs)[number]]>> = {
  chlamydia: ['doxycycline-7-days', 'azithromycin-1-gram-once'],
  gonorrhea: ['ceftriaxone-500-once', 'cefixime-800-once'],
  syphilis: ['benzathine-penicillin-once', 'doxycycline-14-days'],
  trichomoniasis: ['metronidazole-7-days', 'tinidazole-2-grams-once'],
  'mycoplasma-genitalium': ['moxifloxacin-7-days', 'doxycycline-7-days'],
  'genital-herpes': ['valacyclovir-7-to-10-days', 'acyclovir-7-to-10-days'],
};

/**
 * Treatments of cases of sexually transmitted infections: nearly all are treated, most within a week of the
 * specimen, some before its result. From the bytes of the case's id, so that nothing else of the demo depends on it.
 */
export function treatmentsOf(cases: readonly CaseRow[], today: string): object[] {
  return cases.flatMap(
    ({ tenant_id, id, disease_family, classification, collected_on, reported_on, ...of }) => {
      const choices = drugsOf[disease_family];
      if (!choices || !['confirmed', 'probable'].includes(classification)) return [];
      const hash = createHash('sha256').update(`treatment of ${id}`).digest();
      const [whether, when, which, how] = hash as unknown as [number, number, number, number];
      if (whether < 26) return [];
      // Of 256: 36 on the day, 130 in the first week, 60 in the second, the others later. Those on the day are
      // presumptive.
      const days =
        when < 36 ? 0 : when < 166 ? 1 + (when % 7) : when < 226 ? 7 + (when % 8) : 15 + (when % 40);
      const started_on = addDays(collected_on ?? reported_on, days);
      if (started_on > today) return [];
      const late = disease_family === 'syphilis' && /late|unknown/.test(of.condition_code);
      return [
        {
          tenant_id,
          id: `${hash.toString('hex', 4, 8)}-${hash.toString('hex', 8, 10)}-4${hash.toString('hex', 10, 12).slice(1)}-8${hash.toString('hex', 12, 14).slice(1)}-${hash.toString('hex', 14, 20)}`,
          case_report_id: id,
          drug: late ? 'benzathine-penicillin-three-weekly' : choices[which < 205 ? 0 : 1],
          started_on,
          adequacy: days === 0 ? 'presumptive' : how < 240 ? 'adequate' : 'inadequate',
          given_at_id: of.facility_id,
          source: 'manual',
          created_on: started_on,
          told_by: null,
        },
      ];
    },
  );
}
