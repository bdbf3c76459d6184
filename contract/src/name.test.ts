import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { analyticsPresets } from './analytics-presets.ts';
import { testing as testingAnalytics } from './dashboards/testing.ts';
import { name, withoutFormless } from './name.ts';
import { facilities, jurisdictions, locations, organizations, programs, tasks } from './places.ts';
import { passkeyName, profileFields } from './profile.ts';
import { roleDraft } from './roles.ts';
import { tenantSettings } from './settings.ts';
import { newTenant } from './system.ts';
import { personFields } from './users.ts';

const refused = [
  ['a zero byte', 'Ada\0Stone'],
  ['a line break', 'Ada\nStone'],
  ['a tab', 'Ada\tStone'],
  ['an escape', 'Ada\u001b[31mStone'],
  ['a control character of the second row', 'Ada\u0085Stone'],
  ['a separator of lines', 'Ada\u2028Stone'],
  ['a separator of paragraphs', 'Ada\u2029Stone'],
  ['an embedding', 'Ada\u202bStone'],
  ['an override', 'Ada\u202eenotS'],
  ['an isolate', 'Ada\u2066Stone'],
  ['a mark of direction', 'Ada\u200eStone'],
  ['a space without width', 'Ada\u200bStone'],
  ['a soft hyphen', 'Ada\u00adStone'],
  ['a tag', 'Ada\u{e0041}Stone'],
  ['a joiner that joins nothing', '\u200d'],
] as const;
const kept = [
  "Siobhán O'Neil-Núñez",
  'Ñañá Jean-Baptiste Dòmeyis',
  'محمد علی',
  // Persian and Devanagari, with the joiners that their spelling needs.
  'علی\u200cرضا',
  'क्\u200dष',
  '李小龍',
  'עדה',
  'Mobile clinic 👩\u200d⚕️',
];

describe('a name [P8]', () => {
  test.each(refused)('is refused with %s, by a code that has a text', (_, text) => {
    expect(name(200).safeParse(text).error?.issues).toMatchObject([{ params: { code: 'unseen-character' } }]);
  });

  test('is kept in every script, without surrounding spaces and line breaks', () => {
    for (const text of kept) expect(name(200).parse(` ${text}\r\n`)).toBe(text);
    expect(name(200).safeParse(' \n ').error?.issues).toMatchObject([{ code: 'too_small' }]);
  });

  const { label, labelI18N } = roleDraft.shape;
  const { administrator } = newTenant.shape;
  const wherever: Record<string, z.ZodType> = {
    'first name': personFields.shape.firstName,
    'middle name': personFields.shape.middleName,
    'last name': personFields.shape.lastName,
    'own first name': profileFields.shape.firstName,
    'own middle name': profileFields.shape.middleName,
    'own last name': profileFields.shape.lastName,
    passkey: passkeyName,
    tenant: tenantSettings.shape.name,
    'new tenant': newTenant.shape.name,
    'first administrator': administrator.shape.firstName,
    role: label,
    organization: organizations.fields.name.written,
    contact: organizations.fields.contactName.written,
    facility: facilities.fields.name.written,
    street: facilities.fields.street.written,
    jurisdiction: jurisdictions.fields.name.written,
    program: programs.fields.label.written,
    'program in Creole': programs.fields.labelHt.written,
    task: tasks.fields.label.written,
    location: locations.fields.name.written,
  };
  test.each(Object.entries(wherever))('applies to the name of: %s', (_, schema) => {
    for (const [, text] of refused) expect(schema.safeParse(text).success).toBe(false);
    expect(schema.parse(kept[0])).toBe(kept[0]);
  });

  test('also applies to names in another language, and to the name of a saved view', () => {
    expect(labelI18N.safeParse({ es: 'Uno\u202eodnu' }).success).toBe(false);
    const preset = analyticsPresets(testingAnalytics).create.body as unknown as z.ZodObject<{
      name: z.ZodType;
    }>;
    expect(preset.shape.name.safeParse('Uno\u202eodnu').success).toBe(false);
  });
});

describe('a text from another sender', () => {
  test.each([
    ['report\u202efdp.exe', 'reportfdp.exe'],
    ['\u2066Ada\u2069 \u202bStone\u202c', 'Ada Stone'],
    ['Van\u200bder\u00admeer\ufeff', 'Vandermeer'],
    ['\u200eעדה\u200f', 'עדה'],
  ])('loses characters that reverse or hide its letters: %j', (text, left) =>
    expect(withoutFormless(text)).toBe(left),
  );

  test('keeps every script, line breaks and joiners', () => {
    for (const text of [...kept, 'two\nlines', 'tab\there']) expect(withoutFormless(text)).toBe(text);
  });
});
