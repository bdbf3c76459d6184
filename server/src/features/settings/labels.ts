import type { Language } from '@caseway/contract/session';
import { type Label, labelsFound } from '@caseway/contract/settings';
import type { Tx } from '../../platform/db/database.ts';
import { fold } from '../../platform/text/fold.ts';
import { plural, textsIn } from '../../platform/words/words.ts';

/**
 * Every label of a language with the product's own words; for British English, the American ones if they are the
 * same.
 */
function labelsIn(language: Language): Map<string, { english: string; builtIn: string }> {
  const english = textsIn('en');
  const own = textsIn(language);
  const keys = language === 'en-GB' ? english.keys() : own.keys();
  const labels = new Map<string, { english: string; builtIn: string }>();
  for (const key of keys) {
    const inEnglish = english.get(key) ?? english.get(key.replace(plural, '_other'));
    if (inEnglish !== undefined) labels.set(key, { english: inEnglish, builtIn: own.get(key) ?? inEnglish });
  }
  return labels;
}

/** One label of a language; undefined for an unknown key. */
export const labelOf = (language: Language, key: string) => labelsIn(language).get(key);

/** A tenant's own words in a language, by key. */
async function ownLabels(tx: Tx, tenantId: string, language: Language): Promise<Map<string, string>> {
  const rows = await tx.rows<{ key: string; words: string }>(
    'select key, words from label_override where tenant_id = $1 and language = $2',
    [tenantId, language],
  );
  return new Map(rows.map(({ key, words }) => [key, words]));
}

/**
 * Labels that have every search word, in their words, key or place; exact matches come first, then the shorter ones.
 */
export async function searchLabels(
  tx: Tx,
  tenantId: string,
  { language, words, which }: { language: Language; words: string; which: 'all' | 'changed' },
): Promise<{ labels: Label[]; total: number }> {
  const own = await ownLabels(tx, tenantId, language);
  const wanted = fold(words.trim());
  const parts = wanted.split(/\s+/).filter(Boolean);
  const found: (Label & { rank: number })[] = [];
  for (const [key, { english, builtIn }] of labelsIn(language)) {
    const text = own.get(key) ?? null;
    if (which === 'changed' && text === null) continue;
    const said = [english, builtIn, text ?? ''].map(fold);
    const all = [...said, key.toLowerCase()].join(' ');
    if (!parts.every((part) => all.includes(part))) continue;
    found.push({
      key,
      english,
      builtIn,
      text,
      rank: said.includes(wanted) ? 0 : english.length,
    });
  }
  found.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
  return {
    labels: found.slice(0, labelsFound).map(({ rank: _, ...label }) => label),
    total: found.length,
  };
}
