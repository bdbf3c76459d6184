import { type Feature, features } from '@caseway/contract/permission';
import {
  citiesDistricts,
  demographics,
  diseaseCategories,
  diseaseFamilies,
  initialGeo,
  lookup,
  states,
  timeZones,
  vaxAdverseReactions,
} from '@caseway/contract/reference';
import { type IdentityAuthorizer, orgTokenHeader } from '../../platform/auth/authorizer.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { servePublicFile } from '../../platform/http/public-file.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { countiesBeside, everyCounty, optionsOf } from './options.ts';
import {
  categoryList,
  citiesDistrictsOf,
  codeList,
  countryList,
  familyList,
  statesOf,
  timeZoneList,
} from './reference-lists.ts';

/** Code lists, places, and the choices of filters and choice columns. [S3.12, S3.13, S7.6] */
export function serveLookups(
  app: App,
  authorizer: IdentityAuthorizer,
  restrictedFamilies: readonly string[],
): void {
  serve(app, initialGeo, ({ query: { stateId, countryId } }) => ({
    countries: [...countryList],
    states: [...statesOf(countryId)],
    citiesDistricts: citiesDistrictsOf(stateId, countryId),
  }));
  serve(app, states, ({ query: { countryId } }) => ({ states: [...statesOf(countryId)] }));
  serve(app, citiesDistricts, ({ query: { stateId, countryId } }) => ({
    citiesDistricts: citiesDistrictsOf(stateId, countryId),
  }));
  serve(app, timeZones, () => ({ timeZones: timeZoneList() }));
  serve(app, diseaseCategories, () => ({ diseaseCategories: [...categoryList] }));
  serve(app, vaxAdverseReactions, () => ({ vaxAdverseReactions: codeList('vaccineAdverseReaction') }));

  serve(app, diseaseFamilies, async (call) => {
    const org = await actingOrg(call);
    // Without an organisation, a person has no permission.
    const hidden = org
      ? hiddenEverywhere(org.org.tenantIds.map((id) => hiddenIn(org.scopeIn(id))))
      : restrictedFamilies;
    return { diseaseFamilies: familyList(hidden) };
  });

  serve(app, demographics, async (call) => {
    const org = await actingOrg(call);
    const tenantId = call.query.tenantId ?? org?.org.tenantIds[0];
    const kept = tenantId === undefined || (await keepsGender(call, tenantId, org?.org.tenantIds ?? []));
    return {
      sex: codeList('sexAtBirth'),
      gender: kept ? codeList('genderIdentity') : [],
      sexualOrientation: kept ? codeList('sexualOrientation') : [],
      race: codeList('race'),
      ethnicity: codeList('ethnicity'),
      language: codeList('preferredLanguage'),
    };
  });

  // Too many to send with every screen, because browsers store no API answers. [P20]
  const rest = servePublicFile(app, 'counties', { options: everyCounty });
  serve(app, lookup, async (call) => {
    const readable = await readableFor(call, call.query.feature);
    const options = await optionsOf(call.params.lookup, readable, (tenantId, work) => {
      const scope = call.scopeIn(tenantId);
      if (scope.kind !== 'org') throw new Error('look-ups are made for an organisation');
      return call.withScope((tx) => work(tx, scope), { tenantId });
    });
    if (!options) throw new AppError('not-found');
    const beside = countiesBeside(options);
    return beside ? { options: beside, rest } : { options: [...options] };
  });

  /**
   * The tenants whose entries the screens of a feature use; without a feature, those of any screen. A jurisdiction
   * does not read names of a tenant that has switched off every feature that could show them. [S1.6]
   */
  async function readableFor(call: Call, feature: Feature | undefined): Promise<string[]> {
    const { orgType, tenantIds } = call.org;
    if (feature) return (await authorised(call, feature)).org.tenantIds;
    if (orgType !== 'PHJ') return tenantIds;
    const readable = new Set<string>();
    for (const one of features)
      try {
        for (const tenantId of (await authorised(call, one)).org.tenantIds) readable.add(tenantId);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'feature-off') throw error;
      }
    return tenantIds.filter((tenantId) => readable.has(tenantId));
  }

  const authorised = (call: Call, feature?: Feature) =>
    authorizer.authoriseFor(call.account, call.header(orgTokenHeader), 'general/other', feature);

  /** The organisation of the request, if it names one. */
  async function actingOrg(call: Call) {
    return call.header(orgTokenHeader) ? authorised(call) : undefined;
  }
}

const hiddenIn = (scope: { kind: string }): readonly string[] =>
  'hiddenFamilies' in scope ? (scope.hiddenFamilies as string[]) : [];

/** A jurisdiction sees a family that at least one of its tenants does not hide. */
const hiddenEverywhere = (lists: readonly (readonly string[])[]): readonly string[] =>
  (lists[0] ?? []).filter((family) => lists.every((list) => list.includes(family)));

/**
 * Whether a tenant records gender identity and sexual orientation. 404 for a tenant that the caller does not belong
 * to.
 */
async function keepsGender(call: Call, tenantId: string, readable: readonly string[]): Promise<boolean> {
  const rows = await call.withScope((tx) =>
    tx.rows<{ kept: boolean }>(
      `select gender_identity_kept as kept from tenant t where id::text = $1 and (id::text = any ($2)
         or exists (select from membership m where m.tenant_id = t.id and m.account_id = $3 and m.ended_at is null))`,
      [tenantId, readable, call.account.accountId],
    ),
  );
  if (!rows[0]) throw new AppError('not-found');
  return rows[0].kept;
}
