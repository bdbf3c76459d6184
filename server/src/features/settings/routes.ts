import type { Permission } from '@caseway/contract/endpoint';
import type { Fault } from '@caseway/contract/error';
import { guardianRights } from '@caseway/contract/guardian-rules';
import { mailKinds } from '@caseway/contract/mail-text';
import { exactRights, features } from '@caseway/contract/permission';
import { type Language, languages } from '@caseway/contract/session';
import {
  changeLabel,
  changeMessage,
  changeSettings,
  checkGuideStep,
  findLabels,
  findSwitchedPlaces,
  labelFault,
  labelLimit,
  type Message,
  type OwnSwitch,
  readGuide,
  readMessages,
  readSettings,
  type TenantSettings,
} from '@caseway/contract/settings';
import type { Sessions } from '../../platform/auth/sessions.ts';
import { noteRestrictedPlaces } from '../../platform/carried/restricted-places.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockRecords } from '../../platform/db/record-lock.ts';
import { publishWith } from '../../platform/events/hub.ts';
import { actIn, changesBetween } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { builtInText } from '../../platform/mail/mail-texts.ts';
import { authorityToChange, wholeTenant } from '../../platform/policy/authority.ts';
import { alwaysRestricted } from '../reference/catalog.ts';
import { faultsOfSwitches, storeSwitches, switchedPlaces } from './features.ts';
import { guideOf } from './guide.ts';
import { labelOf, searchLabels } from './labels.ts';
import { noteShortenings } from './retention.ts';
import { settingsAnswer, settingsOf, shortenSessions, storeSettings } from './tenant.ts';
import { faultsOfTenantName, lockTenantNames } from './tenant-name.ts';

export interface SettingsOptions {
  sessions: Pick<Sessions, 'assertRecent'>;
  /** The public address of the product. */
  publicUrl: string;
}

/** Settings that protect accounts, or delete data: changed only after a recent sign-in. */
const guarded: readonly (keyof TenantSettings)[] = [
  'sessionIdleMinutes',
  'sessionHours',
  'secondFactorRequired',
  'rawMessageMonths',
  'auditMonths',
  'uploadDays',
];

/** Settings of the whole tenant, its words and the guide to its first day. [S1.6] */
export function serveSettings(app: App, { sessions, publicUrl }: SettingsOptions): void {
  /** A change of the tenant itself, announced to everyone who works in it. */
  const change = <Result>(
    call: Call,
    work: (tx: Tx, tenantId: string) => Promise<Result>,
  ): Promise<Result> => {
    const tenantId = wholeTenant(call);
    return call.withScope(async (tx) => {
      const result = await work(tx, tenantId);
      await publishWith(tx, { tenantId }, { type: 'settings-changed' });
      return result;
    });
  };

  serve(app, readSettings, (call) =>
    call.withScope((tx) => settingsAnswer(tx, wholeTenant(call), alwaysRestricted)),
  );

  serve(
    app,
    changeSettings,
    async (call) => {
      const tenantId = wholeTenant(call);
      const answer = await actIn(app, call, { kind: 'identity' }, tenantId, async (tx, audit) => {
        if (call.body.changes.name !== undefined) await lockTenantNames(tx);
        const { held } = await authorityToChange(tx, call, 'settings/write');
        const { version, changes, switches } = call.body;
        if (guarded.some((field) => changes[field] !== undefined))
          await sessions.assertRecent(tx, call.account.sessionId);
        const { version: current, settings: before } = await settingsOf(tx, tenantId, true);
        if (current !== version) throw new AppError('conflict');
        const after = tidied({ ...before, ...changes });
        refuse([
          ...(await faultsOfSettings(tx, tenantId, before, changes)),
          ...(await faultsOfSwitches(tx, tenantId, switches)),
        ]);
        refuseToBare(before, after, held);
        const difference = changesBetween(tidied(before), after);
        const switched = await storeSwitches(tx, tenantId, switches);
        for (const { orgType, orgId, ...detail } of switched)
          await audit({
            action: 'setting/features-switched',
            recordKind: ({ O: 'organization', F: 'facility', PHJ: 'jurisdiction' } as const)[orgType],
            recordIds: [orgId],
            detail,
          });
        if (Object.keys(difference.after).length > 0 || switched.length > 0) {
          await storeSettings(tx, tenantId, after);
          await noteShortenings(tx, { tenantId, accountId: call.account.accountId }, before, after);
          if (
            after.sessionIdleMinutes < before.sessionIdleMinutes ||
            after.sessionHours < before.sessionHours
          )
            await shortenSessions(tx, tenantId, after);
          await publishWith(tx, { tenantId }, { type: 'settings-changed' });
        }
        if (Object.keys(difference.after).length > 0)
          await audit({
            action: 'setting/changed',
            recordKind: 'tenant',
            recordIds: [tenantId],
            detail: difference,
          });
        return settingsAnswer(tx, tenantId, alwaysRestricted);
      });
      if (call.body.changes.restrictedFamilies)
        await app.database.withScope({ kind: 'service', tenantId }, async (tx) => {
          await lockRecords(tx, tenantId);
          await noteRestrictedPlaces(tx, tenantId, alwaysRestricted, 'all');
        });
      return answer;
    },
    {
      alsoWrong: (call, faulty) => {
        const tenantId = wholeTenant(call);
        return app.database.withScope({ kind: 'identity' }, async (tx) => {
          await authorityToChange(tx, call, 'settings/write');
          const { settings } = await settingsOf(tx, tenantId, true);
          return [
            ...(await faultsOfSettings(tx, tenantId, settings, call.body.changes ?? {})),
            ...(faulty.includes('switches')
              ? []
              : await faultsOfSwitches(tx, tenantId, (call.body.switches ?? []) as readonly OwnSwitch[])),
          ];
        });
      },
    },
  );

  // The answer also has the names of the tenants that manage the jurisdictions.
  serve(app, findSwitchedPlaces, (call) => {
    const tenantId = wholeTenant(call);
    return app.database.withScope({ kind: 'identity' }, (tx) => switchedPlaces(tx, tenantId, call.query), {
      readOnly: true,
    });
  });

  serve(app, findLabels, (call) => call.withScope((tx) => searchLabels(tx, wholeTenant(call), call.query)));

  serve(
    app,
    changeLabel,
    (call) =>
      change(call, async (tx, tenantId) => {
        const { language, key, before } = call.body;
        refuse(faultsOfLabel(call.body));
        const known = labelOf(language, key)!;
        // The product's own words need no row.
        const text = call.body.text === known.builtIn ? null : call.body.text;
        await lockTenant(tx, tenantId);
        const own = await tx.rows<{ key: string; words: string }>(
          'select key, words from label_override where tenant_id = $1 and language = $2',
          [tenantId, language],
        );
        const current = own.find((one) => one.key === key)?.words ?? null;
        if (current !== before) throw new AppError('conflict');
        if (text !== null && current === null && own.length >= labelLimit)
          refuse([faultAt('text', 'too-many-labels', 'no more labels can be changed in this language')]);
        if (text === null)
          await tx.run('delete from label_override where tenant_id = $1 and language = $2 and key = $3', [
            tenantId,
            language,
            key,
          ]);
        else
          await tx.run(
            `insert into label_override (tenant_id, language, key, words) values ($1, $2, $3, $4)
           on conflict (tenant_id, language, key) do update set words = excluded.words`,
            [tenantId, language, key, text],
          );
        call.audit({
          action: 'setting/label-changed',
          recordKind: 'tenant',
          recordIds: [tenantId],
          detail: {
            language,
            key,
            before: { label: current ?? known.builtIn },
            after: { label: text ?? known.builtIn },
          },
        });
        return { key, ...known, text };
      }),
    { alsoWrong: (call) => faultsOfLabel(call.body) },
  );

  serve(app, readMessages, (call) =>
    call.withScope(async (tx) => {
      const written = await tx.rows<{ kind: string; language: string; subject: string; body: string }>(
        'select kind, language, subject, body from mail_text where tenant_id = $1',
        [wholeTenant(call)],
      );
      const messages = mailKinds.flatMap((kind) =>
        languages.map((language): Message => {
          const own = written.find((one) => one.kind === kind && one.language === language);
          return {
            kind,
            language,
            builtIn: builtInText(kind, language, call.org.experience).text,
            own: own ? { subject: own.subject, body: own.body } : null,
          };
        }),
      );
      return { address: publicUrl, messages };
    }),
  );

  serve(app, changeMessage, (call) =>
    change(call, async (tx, tenantId) => {
      const { kind, language, text, before } = call.body;
      await lockTenant(tx, tenantId);
      const current = await ownText(tx, tenantId, kind, language);
      if (current?.subject !== before?.subject || current?.body !== before?.body)
        throw new AppError('conflict');
      const key = [tenantId, kind, language];
      if (text === null)
        await tx.run('delete from mail_text where tenant_id = $1 and kind = $2 and language = $3', key);
      else
        await tx.run(
          `insert into mail_text (tenant_id, kind, language, subject, body) values ($1, $2, $3, $4, $5)
           on conflict (tenant_id, kind, language) do update set subject = excluded.subject, body = excluded.body`,
          [...key, text.subject, text.body],
        );
      const builtIn = builtInText(kind, language, call.org.experience).text;
      call.audit({
        action: 'setting/message-changed',
        recordKind: 'tenant',
        recordIds: [tenantId],
        detail: { message: kind, language, ...changesBetween(current ?? builtIn, text ?? builtIn) },
      });
      return { kind, language, builtIn, own: text };
    }),
  );

  serve(app, readGuide, (call) => call.withScope((tx) => guideOf(tx, wholeTenant(call))));

  serve(app, checkGuideStep, (call) =>
    call.withScope(async (tx) => {
      const tenantId = wholeTenant(call);
      const { step, checked } = call.body;
      const changed = await tx.run(
        `update tenant set guide_checked = case when $3::boolean then array_append(guide_checked, $2::text)
           else array_remove(guide_checked, $2::text) end
         where id = $1 and ($2::text = any (guide_checked)) <> $3::boolean`,
        [tenantId, step, checked],
      );
      if (changed > 0)
        call.audit({
          action: 'setting/guide-step',
          recordKind: 'tenant',
          recordIds: [tenantId],
          detail: { step, before: { checked: !checked }, after: { checked } },
        });
      return guideOf(tx, tenantId);
    }),
  );
}

/** Locked, so that anyone else who changes the tenant's words waits until the transaction has ended. */
const lockTenant = (tx: Tx, tenantId: string) =>
  tx.rows('select from tenant where id = $1 for update', [tenantId]);

async function ownText(tx: Tx, tenantId: string, kind: string, language: Language) {
  const [row] = await tx.rows<{ subject: string; body: string }>(
    'select subject, body from mail_text where tenant_id = $1 and kind = $2 and language = $3',
    [tenantId, kind, language],
  );
  return row ?? null;
}

/** Lists without repetition and in a fixed order, so that only a different set counts as a change. */
const tidied = (settings: TenantSettings): TenantSettings => ({
  ...settings,
  tenantLanguages: languages.filter((one) => settings.tenantLanguages.includes(one)),
  externalLanguages: languages.filter((one) => settings.externalLanguages.includes(one)),
  features: features.filter((one) => settings.features.includes(one)),
  workdays: [...new Set(settings.workdays)].sort(),
  daysOff: [...new Set(settings.daysOff)].sort(),
  restrictedFamilies: [...new Set(settings.restrictedFamilies)].sort(),
  guardianFamilies: [...new Set(settings.guardianFamilies)].sort(),
  guardianRights: guardianRights.filter((one) => settings.guardianRights.includes(one)),
});

/** The faults of a change of settings; missing fields are not checked. */
async function faultsOfSettings(
  tx: Tx,
  tenantId: string,
  before: TenantSettings,
  changes: Partial<TenantSettings>,
): Promise<Fault[]> {
  const after = { ...before, ...changes };
  const faults: Fault[] = [];
  if (!after.tenantLanguages.includes(after.defaultLanguage))
    faults.push(
      faultAt(
        'changes.defaultLanguage',
        'language-not-offered',
        'the default language is not one of those offered',
      ),
    );
  // The experience decides what grants apply to: nobody makes their tenant one that administers the system, or
  // undoes that. [S6.4]
  const system = 'SYSTEM_ADMINISTRATION';
  if (before.experience !== after.experience && [before.experience, after.experience].includes(system))
    faults.push(
      faultAt('changes.experience', 'system-experience', 'what administers the system stays what it is'),
    );
  if (after.name !== before.name)
    faults.push(...(await faultsOfTenantName(tx, 'changes.name', after.name, tenantId)));
  return faults;
}

/** The faults of other words for a label; without a language, only whether the label exists. */
function faultsOfLabel({
  language = 'en',
  key,
  text,
}: {
  language?: Language;
  key?: string;
  text?: string | null;
}): Fault[] {
  if (key === undefined) return [];
  const known = labelOf(language, key);
  if (!known) return [faultAt('key', 'unknown-label', 'there is no such label')];
  const fault = text === null || text === undefined ? undefined : labelFault(known.builtIn, text);
  return fault ? [faultAt('text', fault, 'the values in the text are not those of the label')] : [];
}

/**
 * Nobody can show themselves what they may not see: a family that was hidden, or numbers that were too small. [P17,
 * P18]
 */
function refuseToBare(before: TenantSettings, after: TenantSettings, held: ReadonlySet<string>): void {
  const bared: [boolean, Permission, ...Permission[]][] = [
    [
      before.restrictedFamilies.some((one) => !after.restrictedFamilies.includes(one)),
      'restricted-families/read',
    ],
    // Restricted families, shown to guardians or for longer.
    [
      after.guardianFamilies.some(
        (one) =>
          [...alwaysRestricted, ...after.restrictedFamilies].includes(one) &&
          (!before.guardianFamilies.includes(one) ||
            after.guardianFamiliesUntilAge > before.guardianFamiliesUntilAge),
      ),
      'restricted-families/read',
    ],
    [after.smallCellThreshold < before.smallCellThreshold, ...exactRights],
  ];
  for (const [isBared, ...anyOf] of bared)
    if (isBared && !anyOf.some((permission) => held.has(permission)))
      throw new AppError('forbidden', { permission: anyOf[0] });
}
