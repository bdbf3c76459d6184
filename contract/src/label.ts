import { z } from 'zod';

/** A label with variants by language tag: `es`, `ht`, `en-GB` … [S3.9] */
export const labelled = z.object({
  label: z.string(),
  labelI18N: z.record(z.string(), z.string()).optional(),
});
export type Labelled = z.infer<typeof labelled>;

/** The label in a language: the full tag, then the base language before the dash, then the plain label. [S3.9] */
export function labelIn(item: Labelled, language: string): string {
  const base = language.split('-')[0]!;
  return item.labelI18N?.[language] ?? item.labelI18N?.[base] ?? item.label;
}

/** The display name of a storage location: name, `:Shelf:` with its code, `:Bay` with its code. [S3.8] */
export function locationDisplayName(location: {
  name: string;
  shelfCode?: string | null;
  bayCode?: string | null;
}): string {
  const shelf = location.shelfCode ? `:Shelf:${location.shelfCode}` : '';
  const bay = location.bayCode ? `:Bay${location.bayCode}` : '';
  return `${location.name}${shelf}${bay}`;
}
