import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditActionKey, auditActions, auditRecordKinds } from '@caseway/contract/audit-action';
import { auditDeeds } from '@caseway/contract/audit-deed';
import {
  countedActions,
  namelessActions,
  narrowedActions,
  reasonedActions,
} from '@caseway/contract/audit-sentence';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';

const { app } = await testApp();
const wordsOf = (language: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../../web/public/locales/${language}/audit.json`), 'utf8'),
  ) as Record<'action' | 'deed' | 'kind' | 'sentence' | 'narrowed' | 'reasoned', Record<string, string>>;

test('[P15] every endpoint declares its kind of action, and each kind has words in every language', () => {
  expect(app.endpoints.length).toBeGreaterThan(150);
  for (const { method, path, deed } of app.endpoints) expect(auditDeeds, `${method} ${path}`).toContain(deed);
  for (const language of ['en', 'es', 'ht'])
    expect(Object.keys(wordsOf(language).deed).sort()).toEqual([...auditDeeds].sort());
});

const variant = /_[A-Z]+$/;
const keysOf = (words: Record<string, string>) => Object.keys(words).filter((key) => !variant.test(key));

describe.each(['en', 'es', 'ht'])('in %s', (language) => {
  const { action, kind, sentence, narrowed, reasoned } = wordsOf(language);

  test('every action of the log has a label, and every label belongs to a declared action', () => {
    expect(keysOf(action).sort()).toEqual([...auditActions].sort());
    expect(keysOf(kind).sort()).toEqual([...auditRecordKinds].sort());
  });

  test('every action of the log has a sentence that says who did it', () => {
    const form = /_(one|other)$/;
    const of = (words: Record<string, string>) => [
      ...new Set(keysOf(words).map((key) => key.replace(form, ''))),
    ];
    const forms = language === 'ht' ? ['_other'] : ['_one', '_other'];
    expect(of(sentence).sort()).toEqual([...auditActions].sort());
    expect(of(narrowed).sort()).toEqual([...narrowedActions].sort());
    expect(of(reasoned).sort()).toEqual([...reasonedActions].sort());
    expect(keysOf(sentence).filter((key) => form.test(key))).toEqual(
      countedActions.flatMap((key) => forms.map((one) => key + one)),
    );
    const lacks = (words: Record<string, string>, ...names: string[]) =>
      Object.entries(words).flatMap(([key, text]) =>
        names.filter((name) => !text.includes(`{{${name}}}`)).map((name) => `${key}: ${name}`),
      );
    expect(lacks(sentence, 'who').sort()).toEqual(namelessActions.map((key) => `${key}: who`).sort());
    expect(lacks(narrowed, 'who', 'columns')).toEqual([]);
    expect(lacks(reasoned, 'who', 'reason')).toEqual([]);
    // A list action says how many records it showed.
    const lists = Object.fromEntries(
      Object.entries({ ...sentence, ...narrowed }).filter(([key]) => /\/grid\/[^/]+\/search/.test(key)),
    );
    expect(Object.keys(lists).length).toBeGreaterThan(30);
    expect(lacks(lists, 'records')).toEqual([]);
  });

  test('no two actions read the same, or a list of them would offer the same words twice', () => {
    for (const words of [action, kind]) {
      const said = keysOf(words).map((key) => words[key]!);
      expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
    }
  });
});

test('every request that leaves an event under its path is among the actions, and no removed request is', () => {
  const keys = (endpoints: typeof app.endpoints) =>
    endpoints.map(({ method, path }) => auditActionKey(`${method} ${path}`));
  const known: readonly string[] = auditActions;
  const left = keys(app.endpoints.filter(({ patientData }) => patientData));
  expect(
    left.filter((key) => !known.includes(key)),
    'in contract/src/audit-action.ts, one that reads is in `requestActions`, one that changes in `namedBesides`',
  ).toEqual([]);
  const all = new Set(keys(app.endpoints));
  expect(known.filter((key) => /^[A-Z]+ \//.test(key) && !all.has(key))).toEqual([]);
});
