import type { Form } from './form.ts';
import { syphilis } from './forms/syphilis.ts';

/* The forms of investigations: by disease family, what is asked about a case beside its fields. */

/** What conditions of these forms can name, as `record.sex`, and questions can show. */
export const caseFormFacts = ['sex', 'condition', 'classification', 'pregnant', 'onsetOn'] as const;
export type CaseFormFact = (typeof caseFormFacts)[number];

const forms: Readonly<Record<string, Form>> = { syphilis };

/** Every form, by the family whose cases it asks about. */
export const investigationForms: readonly [family: string, form: Form][] = Object.entries(forms);

export const formOfFamily = (family: string): Form | undefined => forms[family];
