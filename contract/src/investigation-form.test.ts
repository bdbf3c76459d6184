import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answers, asked, type Form, faultsOf, optionsOf, pruned, walk } from './form.ts';
import { flawsOf } from './form-flaws.ts';
import { caseFormFacts, formOfFamily, investigationForms } from './investigation-form.ts';
import { labelIn } from './label.ts';

const published = join(import.meta.dirname, 'forms/published');
/** The permanent parts of a form: each linkId with its type and answers. */
const kept = (form: Form) =>
  walk(form.items).map((item) =>
    [item.linkId, item.type, ...optionsOf(form, item).map(({ code }) => code)].join(' '),
  );

describe.each(investigationForms)('the form of %s', (family, form) => {
  test('has no flaws, and texts in every language', () => {
    expect(flawsOf(form, { facts: caseFormFacts, languages: ['en', 'es', 'ht'] })).toEqual([]);
    expect(formOfFamily(family)).toBe(form);
    for (const item of walk(form.items)) expect(item.family).not.toBe(family);
  });

  // To publish a new version, raise `version`; its file is then written here.
  test('keeps what was published, and fails when it changes', async () => {
    await expect(`${kept(form).join('\n')}\n`).toMatchFileSnapshot(
      join(published, `${form.id}-${form.version}.txt`),
    );
    const now = new Map(kept(form).map((line) => [line.split(' ')[0], line.split(' ')]));
    for (const file of readdirSync(published).filter((name) => name.startsWith(`${form.id}-`)))
      for (const line of readFileSync(join(published, file), 'utf8').trim().split('\n')) {
        const [linkId, ...was] = line.split(' ');
        for (const one of was)
          expect([linkId, now.get(linkId)]).toEqual([linkId, expect.arrayContaining([one])]);
      }
  });
});

describe('the investigation of syphilis', () => {
  const form = formOfFamily('syphilis')!;
  const record = {
    sex: 'F',
    condition: 'syphilis-secondary',
    classification: 'probable',
    pregnant: 'yes',
    onsetOn: null,
  };
  const answers: Answers = {
    examined: 'Y',
    'exam-date': '2026-11-10',
    signs: ['rash', 'mucous'],
    'lesion-sites': ['mouth'],
    neurologic: 'none',
    ocular: 'none',
    otic: 'none',
    nontreponemal: 'reactive',
    titer: '5',
    treponemal: 'reactive',
    previous: 'N',
    'sex-male': 'Y',
    'sex-female': 'N',
    weeks: 14,
    prenatal: 'Y',
    treated: 'Y',
    treatments: [{ drug: 'bpg1', 'given-on': '2026-11-10' }],
  };
  const faults = (given: Answers, about = record) =>
    faultsOf(form, given, about, { complete: true }).map(({ path, code }) => `${path}: ${code}`);

  test('is complete with these answers', () => expect(faults(answers)).toEqual([]));
  test('does not ask men about pregnancy, and drops an earlier answer', () => {
    const man = { ...record, sex: 'M' };
    expect(faults(answers, man)).toEqual(['weeks: not-asked', 'prenatal: not-asked']);
    expect(pruned(form, answers, man)).not.toHaveProperty('weeks');
  });
  test('asks for the titer of a reactive test, and for evidence of early latent syphilis', () => {
    expect(faults({ ...answers, nontreponemal: 'nonreactive' })).toEqual(['titer: not-asked']);
    expect(faults(answers, { ...record, condition: 'syphilis-early-latent' })).toEqual([
      'evidence: required',
    ]);
  });
  test('says by stage which partners count', () => {
    const said = (condition: string) =>
      [...asked(form, answers, { ...record, condition }).items.values()]
        .filter(({ type }) => type === 'display')
        .map(({ words }) => labelIn(words, 'en'));
    expect(said('syphilis-primary')).toEqual([expect.stringContaining('3 months')]);
    expect(said('syphilis-secondary')).toEqual([expect.stringContaining('6 months')]);
    expect(said('syphilis-late')).toEqual([]);
  });
  test('names the row of a treatment in a fault', () =>
    expect(
      faults({
        ...answers,
        treatments: [
          { drug: 'bpg1', 'given-on': '2026-11-10' },
          { drug: 'other', 'given-on': 'x' },
        ],
      }),
    ).toEqual(['treatments.1.drug-other: required', 'treatments.1.given-on: date']));
});
