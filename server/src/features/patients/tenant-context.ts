import { todayIn } from '@caseway/contract/date-range';
import type { Tx } from '../../platform/db/database.ts';
import { alwaysRestricted, listEntryOf } from '../reference/catalog.ts';
import { cityNamed, countryOf, countyNamed, currentCounty, stateOf } from '../reference/places.ts';
import type { FactsContext, Geography } from './patient-facts.ts';

/** The settings of a tenant that decide how its messages are read. */
export interface TenantContext {
  timeZone: string;
  facts: FactsContext;
  /** Families that not every reader of the tenant may see. */
  restrictedFamilies: readonly string[];
  /** Senders whose messages for training and debugging are accepted. */
  testSenders: ReadonlySet<string>;
  /** Today in the tenant's time zone. */
  today(): string;
}

const geography: Geography = {
  stateFips: (state) => stateOf(state)?.fips ?? null,
  countryCode: (country) => countryOf(country)?.code ?? null,
  countyFips({ stateFips, county, city }) {
    const coded = county && /^\d{5}$/.test(county) ? currentCounty(county) : undefined;
    if (coded) return coded.fips;
    if (!stateFips) return null;
    const named = county ? countyNamed(stateFips, county) : undefined;
    if (named) return named.fips;
    return city ? (cityNamed(stateFips, city)?.countyFips ?? null) : null;
  },
};

const lists = {
  genderIdentity: 'genderIdentity',
  sexualOrientation: 'sexualOrientation',
  language: 'preferredLanguage',
} as const;

export async function loadTenantContext(tx: Tx, tenantId: string): Promise<TenantContext> {
  const { time_zone, gender_identity_kept, restricted_families, not_for_production, test_senders } = await tx
    .selectFrom('tenant')
    .select([
      'time_zone',
      'gender_identity_kept',
      'restricted_families',
      'not_for_production',
      'test_senders',
    ])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return {
    timeZone: time_zone,
    restrictedFamilies: [...alwaysRestricted, ...restricted_families],
    today: () => todayIn(time_zone),
    testSenders: new Set(not_for_production ? test_senders : []),
    facts: {
      geography,
      today: () => todayIn(time_zone),
      genderIdentityKept: gender_identity_kept,
      demographicCode(list, codes) {
        for (const { code, text } of codes)
          for (const written of [code, text]) {
            const entry = written ? listEntryOf(lists[list], written) : undefined;
            if (entry) return entry.code;
          }
        return null;
      },
    },
  };
}
