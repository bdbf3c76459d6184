import { expect, test } from 'vitest';
import { chosenValues } from './chosen-values.ts';
import { nobody } from './patient-facts.ts';
import type { OpenFacts } from './patient-record.ts';

const facts = (given: Partial<OpenFacts>): OpenFacts => ({ ...nobody, informedAt: null, ...given });
const home = { street: '12 Oak St', city: 'Tampa', stateFips: '12', postalCode: '33605' };

test('a chosen address keeps the county that the other record has for the same ZIP code', () => {
  const older = facts({ ...home, countyFips: null });
  const newer = facts({ ...home, street: '9 Elm St', countyFips: '12057' });
  const merged = facts({ ...home, countyFips: '12057' });
  expect(chosenValues(merged, { older, newer }, { address: 'older' })).toMatchObject({
    street: '12 Oak St',
    countyFips: '12057',
  });
});

test('an address of another ZIP code has no county of the other one', () => {
  const older = facts({ ...home, countyFips: null });
  const newer = facts({ ...home, postalCode: '33101', countyFips: '12086' });
  const merged = facts({ ...home, postalCode: '33101', countyFips: '12086' });
  expect(chosenValues(merged, { older, newer }, { address: 'older' })).toMatchObject({
    postalCode: '33605',
    countyFips: null,
  });
});

test('nothing is copied from a record that lacks it', () => {
  const merged = facts({ sexAtBirth: 'F' });
  expect(chosenValues(merged, { older: facts({}), newer: merged }, { sex: 'older', name: 'older' })).toEqual(
    {},
  );
});
