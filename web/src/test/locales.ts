import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@caseway/contract/session';
import { vi } from 'vitest';
import { startI18n } from '../words/i18n.ts';

/**
 * Starts a test's locales from the product's own files, in English, with the others available. Loads `common`
 * and the named namespaces.
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
