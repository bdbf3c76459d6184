import { isDeepStrictEqual } from 'node:util';
import {
  type AvailabilityPlan,
  availabilityException,
  availabilityRule,
  faultsOfPlan,
  findFreeTimes,
  listAvailability,
  type PlanFault,
  setAvailability,
} from '@caseway/contract/availability';
import type { Lookups } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { tenantToMakeIn } from '../../platform/records/serve-patient-records.ts';
import { readPlans, type StoredPlan, writePlan } from './availability-rows.ts';
import { answerFree, daysFrom } from './find-free.ts';
import { presentProviders } from './providers.ts';

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  'not-five': 'times are in steps of five minutes',
  'to-before-from': 'it ends before it begins',
  'too-long': 'a visit is longer than these hours',
  'end-before-start': 'the last day is before the first',
  'too-many-days': 'it lasts longer than a year',
  overlaps: 'earlier hours hold at the same time',
  required: 'it is needed here',
  'unknown-choice': 'no entry of the look-up',
};
const asFault = ({ path, code }: PlanFault) => ({
  path: `plan.${path}`,
  code,
  message: messages[code] ?? code,
});

/** The parts in which two plans differ; all parts for a new plan. */
const changedParts = (before: AvailabilityPlan | undefined, after: AvailabilityPlan) =>
  (Object.keys(after) as (keyof AvailabilityPlan)[]).filter(
    // The database does not keep the order of names.
    (name) => !isDeepStrictEqual(before?.[name], after[name]),
  );

/** Serves when providers may be booked, and which times are free. */
export function serveAvailability(app: App, lookups: Lookups): void {
  const mayChange = (call: Call, provider: string) =>
    (call.org.orgType === 'T' && call.may('telemedicine/write')) ||
    (provider === call.account.accountId && call.may('telemedicine/provide'));
  const answer = (
    call: Call,
    provider: string,
    name: string,
    stored: Pick<StoredPlan, 'version' | 'plan'> | undefined,
  ) => ({
    provider,
    name,
    mayChange: mayChange(call, provider),
    version: stored?.version ?? 0,
    plan: stored?.plan ?? null,
  });

  serve(app, listAvailability, async (call) => {
    const tenantId = tenantToMakeIn(call);
    const providers = await presentProviders(app.database, lookups, call, tenantId);
    const plans = await call.withScope((tx) => readPlans(tx, tenantId), { tenantId });
    const planOf = new Map(plans.map((one) => [one.provider, one]));
    return {
      providers: [...providers].map(([provider, name]) => answer(call, provider, name, planOf.get(provider))),
    };
  });

  const unknownIn = async (call: Call, plan: Pick<AvailabilityPlan, 'facility' | 'languages'>) => {
    const [facilities, languages] = await Promise.all([
      lookups.labels('facilities', call),
      lookups.labels('languages', call),
    ]);
    return [
      ...(plan.facility !== null && !facilities.has(plan.facility)
        ? [{ path: 'facility', code: 'unknown-choice' }]
        : []),
      ...plan.languages.flatMap((code, index) =>
        languages.has(code) ? [] : [{ path: `languages.${index}`, code: 'unknown-choice' }],
      ),
    ];
  };
  serve(
    app,
    setAvailability,
    async (call) => {
      const { provider } = call.params;
      const { version, plan } = call.body;
      const tenantId = tenantToMakeIn(call);
      if (!mayChange(call, provider)) throw new AppError('forbidden', { permission: 'telemedicine/write' });
      const name = (await presentProviders(app.database, lookups, call, tenantId)).get(provider);
      if (name === undefined) throw new AppError('not-found');
      refuse([...faultsOfPlan(plan), ...(await unknownIn(call, plan))].map(asFault));
      return call.withScope(
        async (tx) => {
          const [before] = await readPlans(tx, tenantId, [provider]);
          if (!(await writePlan(tx, tenantId, provider, version, plan))) throw new AppError('conflict');
          call.audit({
            action: 'availability/changed',
            recordKind: 'user',
            recordIds: [provider],
            detail: { fields: changedParts(before?.plan, plan) },
          });
          return answer(call, provider, name, { version: version + 1, plan });
        },
        { tenantId },
      );
    },
    {
      alsoWrong: async (call) => {
        const {
          facility = null,
          languages = [],
          rules = [],
          exceptions = [],
          bufferMinutes = 0,
        } = call.body.plan ?? {};
        const shaped = {
          rules: rules.map((rule) => availabilityRule.safeParse(rule).data ?? null),
          exceptions: exceptions.map((one) => availabilityException.safeParse(one).data ?? null),
          bufferMinutes,
        };
        return [...faultsOfPlan(shaped), ...(await unknownIn(call, { facility, languages }))].map(asFault);
      },
    },
  );

  serve(app, findFreeTimes, async (call) => {
    const { visitType, provider, language, from, days, visit } = call.query;
    const tenantId = tenantToMakeIn(call);
    const { timeZone } = call.org;
    const providers = await presentProviders(app.database, lookups, call, tenantId);
    return call.withScope(
      async (tx) => {
        const stored = await readPlans(tx, tenantId, provider === undefined ? null : [provider]);
        const plans = stored.filter((one) => providers.has(one.provider) && speaks(one, language));
        return answerFree(tx, tenantId, {
          plans,
          visitType,
          visit: visit ?? null,
          now: Date.now(),
          ...daysFrom(timeZone, from, days),
        });
      },
      { tenantId },
    );
  });
}

/** Whether a provider holds visits in a language. */
export const speaks = ({ plan }: Pick<StoredPlan, 'plan'>, language: string | undefined): boolean =>
  language === undefined || plan.languages.length === 0 || plan.languages.includes(language);
