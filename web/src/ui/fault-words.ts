import type { z } from 'zod';

/** The key of a fault's text, with its values. Form.tsx passes it through the form library as JSON. */
export interface FaultWords {
  key: string;
  values?: Record<string, string | number>;
}

/** The texts of a schema's faults; every key is in the locales under `fault`. */
export function wordsOfIssue(issue: z.core.$ZodIssue): FaultWords {
  const custom = issue.code === 'custom' ? (issue.params?.code as string | undefined) : undefined;
  if (custom !== undefined) return { key: `fault.${custom}` };
  if (issue.code === 'invalid_type') return { key: 'fault.required' };
  // Nothing is chosen.
  if (issue.code === 'invalid_value' && (issue.input ?? '') === '') return { key: 'fault.required' };
  if (issue.code === 'too_small')
    return Number(issue.minimum) === 1 && issue.origin === 'string'
      ? { key: 'fault.required' }
      : {
          key: `fault.tooSmall_${issue.origin === 'string' ? 'text' : 'number'}`,
          values: { minimum: Number(issue.minimum) },
        };
  if (issue.code === 'too_big')
    return {
      key: `fault.tooBig_${issue.origin === 'string' ? 'text' : 'number'}`,
      values: { maximum: Number(issue.maximum) },
    };
  if (issue.code === 'invalid_format' && issue.format === 'email') return { key: 'fault.email' };
  if (issue.code === 'invalid_format' && issue.format === 'date') return { key: 'fault.date' };
  return { key: 'fault.invalid' };
}
