import { addDays } from '@caseway/contract/date-range';
import { countyWeights, type Encounter, encounters, otherCountyWeight } from './epidemiology.ts';
import { communities, nameIn, raceCodes } from './names.ts';
import { type Random, Weighted } from './random.ts';
import type { PatientRow } from './rows.ts';
import type { TenantToFill } from './tenant-to-fill.ts';

/** Makes people who live near the tenant's facilities, each with a typical age and sex for an encounter. */
export function personMaker(
  tenant: TenantToFill,
  facilitiesOf: ReadonlyMap<string, TenantToFill['facilities'][number][]>,
  random: Random,
) {
  const counties = [...new Set(tenant.facilities.map((facility) => facility.countyFips))];
  const countyPick = new Weighted(counties, (fips) => countyWeights[fips] ?? otherCountyWeight);
  const communityPick = new Weighted(communities, (community) => community.share);
  const agePick = new Map(
    encounters.map((encounter) => [
      encounter.id,
      new Weighted(
        Array.from({ length: 95 }, (_, years) => years),
        (years) => encounter.age(years) * (years > 70 ? (95 - years) / 25 : 1),
      ),
    ]),
  );
  const racePick = new Map(
    communities.map((community) => [community, new Weighted(community.races, ([, weight]) => weight)]),
  );

  /** `countyFips` is drawn if it is null; `firstDay` is the day of the first visit. */
  return (encounter: Encounter, countyFips: string | null, firstDay: string): PatientRow => {
    const community = communityPick.pick(random);
    const sex = random.chance(0.01) ? 'U' : random.chance(encounter.female) ? 'F' : 'M';
    const name = nameIn(community, sex, random);
    const years = agePick.get(encounter.id)!.pick(random);
    const birth = addDays(firstDay, -Math.floor(years * 365.25 + random.next() * 365));
    const race = racePick.get(community)!.pick(random)[0];
    const races = random.chance(0.18)
      ? []
      : random.chance(0.03)
        ? [race, raceCodes.white === race ? raceCodes.other : raceCodes.white]
        : [race];
    const residence = countyFips ?? countyPick.pick(random);
    const near = facilitiesOf.get(residence) ?? tenant.facilities;
    const home = random.pick(near);
    const genderKnown = !random.chance(0.45);
    const created = Date.parse(`${firstDay}T12:00:00Z`);
    const id = random.uuid();
    return {
      tenant_id: tenant.tenantId,
      id,
      last_name: name.last,
      first_name: name.first,
      middle_name: name.middle,
      birth_date: random.chance(0.005) ? null : birth,
      birth_date_precision: 'day',
      sex_at_birth: sex,
      gender_identity: !genderKnown
        ? null
        : random.chance(0.012)
          ? sex === 'F'
            ? 'transgender-male'
            : 'transgender-female'
          : sex === 'F'
            ? 'female'
            : 'male',
      races,
      race: races.length === 0 ? 'UNK' : races.length > 1 ? 'multiple' : races[0]!,
      ethnicity: random.chance(0.22) ? 'UNK' : random.chance(community.hispanic) ? '2135-2' : '2186-5',
      language_code: random.chance(community.prefers) ? community.language : 'en',
      street: `${random.between(1, 9899)} ${random.pick(['Orange', 'Palm', 'Lake', 'Pine', 'Cypress', 'Magnolia', 'Bay', 'Harbor', 'Oak', 'Mangrove'])} ${random.pick(['St', 'Ave', 'Rd', 'Dr', 'Ln', 'Blvd'])}`,
      city: home.city,
      state_fips: '12',
      postal_code: home.postalCode,
      county_fips: random.chance(0.02) ? null : residence,
      country_code: 'US',
      // 555-0100 to 555-0199 are reserved for fiction.
      phones: random.chance(0.12)
        ? []
        : [
            `+1${random.pick(['305', '407', '813', '850', '904', '941', '561'])}55501${String(random.between(0, 99)).padStart(2, '0')}`,
          ],
      emails: random.chance(0.6) ? [] : [`person.${random.integer().toString(36)}@example.test`],
      organization_ids: [],
      facility_ids: [],
      disease_families: [],
      // The same in every demo of a seed, and not drawn at random: another draw would make other people.
      half: Number.parseInt(id[0]!, 16) % 2 === 0,
      created_at: new Date(created).toISOString(),
      updated_at: new Date(created).toISOString(),
    };
  };
}
