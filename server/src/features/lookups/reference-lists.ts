import type { CityDistrict, CodedLabel, State } from '@caseway/contract/reference';
import { demographics, diseaseCategories, diseaseFamilies } from '../reference/catalog.ts';
import { citiesOf, countries, states, timeZones } from '../reference/places.ts';

// The code lists in the form in which they are sent. They contain no tenant's rows and are built once.

interface Listed {
  code: string;
  label: string;
  labelI18N: Record<string, string>;
}
const coded = ({ code, label, labelI18N }: Listed): CodedLabel => ({ id: code, code, label, labelI18N });

const unitedStates = 'US';

export const countryList: readonly CodedLabel[] = countries.map(coded);

const stateList: readonly State[] = states.map(({ fips, abbreviation, label, labelI18N }) => ({
  id: fips,
  code: fips,
  label,
  labelI18N,
  countryId: unitedStates,
  abbreviation,
}));

/**
 * The states of a country; by default those of the United States, and none for a country whose states are not stored.
 */
export const statesOf = (countryId: string = unitedStates): readonly State[] =>
  countryId === unitedStates ? stateList : [];

/** The cities of a state of a country; none without a state. */
export const citiesDistrictsOf = (stateId: string | undefined, countryId?: string): CityDistrict[] =>
  statesOf(countryId).some(({ id }) => id === stateId)
    ? citiesOf(stateId!).map(({ code, label, stateFips, countyFips }) => ({
        id: code,
        code,
        label,
        stateId: stateFips,
        countyFips,
      }))
    : [];

export const codeList = (name: keyof typeof demographics): CodedLabel[] => demographics[name].map(coded);

export const categoryList: readonly CodedLabel[] = diseaseCategories.map(coded);

/** The families that are not hidden from a reader. [P18] */
export const familyList = (hidden: readonly string[]) =>
  diseaseFamilies
    .filter(({ code }) => !hidden.includes(code))
    .map((family) => ({ ...coded(family), categoryId: family.category, restricted: family.restricted }));

/** Built on first use, because the names take a while. */
export const timeZoneList = (): CodedLabel[] => timeZones().map(coded);
