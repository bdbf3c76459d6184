import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@caseway/contract/session';
import { vi } from 'vitest';
import { startI18n } from '../words/i18n.ts';

/**
 * Starts the locales of a test from the product's own files, in English, with the others available. Beyond `common`,
 * the namespaces that are named.
 */
export async function startTestLocales(...namespaces: string[]): Promise<void> {
  vi.stubGlobal(
    'fetch',
    async (path: string) =>
      new Response(readFileSync(join(import.meta.dirname, '../../public', path), 'utf8')),
  );
  const instance = await startI18n();
  await instance.loadLanguages([...languages]);
  await instance.loadNamespaces(namespaces);
  vi.unstubAllGlobals();
}
