import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditActionKey } from '@caseway/contract/audit';
import { auditDeeds } from '@caseway/contract/audit-deed';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';

const { app } = await testApp();
const wordsOf = (language: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../../web/public/locales/${language}/audit.json`), 'utf8'),
  ) as { action: Record<string, string>; deed: Record<string, string> };

test('[P15] every endpoint declares of what kind its deed is, and each kind has words in every language', () => {
  expect(app.endpoints.length).toBeGreaterThan(150);
  for (const { method, path, deed } of app.endpoints) expect(auditDeeds, `${method} ${path}`).toContain(deed);
  for (const language of ['en', 'es', 'ht'])
    expect(Object.keys(wordsOf(language).deed).sort()).toEqual([...auditDeeds].sort());
});

test.each(['en', 'es', 'ht'])(
  '[G13] %s has words for every request that leaves an event under its path',
  (language) => {
    const { action } = wordsOf(language);
    const left = app.endpoints
      .filter(({ patientData }) => patientData)
      .map(({ method, path }) => auditActionKey(`${method} ${path}`))
      .filter((key) => !action[key]);
    expect(left).toEqual([]);
  },
);
