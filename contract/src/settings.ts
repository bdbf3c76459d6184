import { z } from 'zod';
import { daysOffLimit } from './calendar.ts';
import { timeZoneName } from './codes.ts';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { mailFaults, mailKinds, mailText, placeholdersIn } from './mail-text.ts';
import { name } from './name.ts';
import { features } from './permission.ts';
import { experiences, languages, orgTypes } from './session.ts';
import { whereValid } from './where-valid.ts';

/*
 * The settings of a whole tenant. A change names the values that the person saw: if someone else has changed them
 * since, the answer is 409 and nothing is overwritten.
 */

const language = z.enum(languages);
const chosenLanguages = z.array(language).min(1).max(languages.length);

/** Bounds of the numbers. Sessions: [P13]. */
export const settingBounds = {
  // Fewer than 5 protect nobody, and the 64 bits by which persons are counted bear no more than 30.
  smallCellThreshold: { minimum: 5, maximum: 30 },
  sessionIdleMinutes: { minimum: 10, maximum: 60 },
  sessionHours: { minimum: 1, maximum: 24 },
  breakGlassMinutes: { minimum: 5, maximum: 480 },
  // Long enough to find that a sender's messages were read wrongly, and to read them again.
  rawMessageMonths: { minimum: 3, maximum: 1200 },
  // A year stays in the database; older months are in archive files, which are kept at least as long as the law
  // requires.
  auditMonths: { minimum: 12, maximum: 1200 },
  uploadDays: { minimum: 1, maximum: 30 },
} as const;
const within = ({ minimum, maximum }: { minimum: number; maximum: number }) =>
  z.number().int().min(minimum).max(maximum);

export const tenantSettings = z.strictObject({
  name: name(200),
  experience: z.enum(experiences),
  timeZone: timeZoneName,
  /** The days of the week on which it works, Sunday being 0. */
  workdays: z.array(z.number().int().min(0).max(6)).min(1).max(7),
  /** Whether it is closed on federal holidays. */
  federalHolidays: z.boolean(),
  /** Further days on which it does not work. */
  daysOff: z
    .array(z.string().max(20))
    .max(daysOffLimit)
    .refine((days) => days.every((one) => day.safeParse(one).success), {
      error: 'a day is written as year-month-day',
      params: { code: 'date' },
    }),
  /** Offered to staff. */
  tenantLanguages: chosenLanguages,
  /** Offered to patients. */
  externalLanguages: chosenLanguages,
  /** For people who have chosen no language; one of those offered to staff. */
  defaultLanguage: language,
  /** Features that are on, beta features included. [S1.6] */
  features: z.array(z.enum(features)),
  /** Numbers of fewer people are withheld from readers without exact rights. [P17] */
  smallCellThreshold: within(settingBounds.smallCellThreshold),
  genderIdentityKept: z.boolean(),
  /** Whether patients book visits by video themselves, at the times that providers offer them. */
  patientsBook: z.boolean(),
  /** Codes of disease families restricted beyond those that always are. [P18] */
  restrictedFamilies: z.array(z.string().regex(/^[\w-]{1,60}$/)).max(100),
  /** How long a hidden record stays open for a person who gave a reason. */
  breakGlassMinutes: within(settingBounds.breakGlassMinutes),
  sessionIdleMinutes: within(settingBounds.sessionIdleMinutes),
  sessionHours: within(settingBounds.sessionHours),
  secondFactorRequired: z.boolean(),
  /**
   * How long the text of a message is kept as it was received; null for ever. 24 unless changed. [42 CFR
   * 493.1105(a)(6)]
   */
  rawMessageMonths: within(settingBounds.rawMessageMonths).nullable(),
  /**
   * How long events of the audit log stay in the database before they may be moved to archive files; null for ever. 72
   * unless changed. [45 CFR 164.316(b)(2)(i)]
   */
  auditMonths: within(settingBounds.auditMonths).nullable(),
  /** How long a file is kept that was only tried or whose import has failed. */
  uploadDays: within(settingBounds.uploadDays),
  /** For training and tests: its records are of invented people. */
  notForProduction: z.boolean(),
  /**
   * Senders, as messages name them, whose messages for training and debugging are accepted while the tenant is not for
   * production.
   */
  testSenders: z.array(z.string().trim().min(1).max(200)).max(200),
});
export type TenantSettings = z.infer<typeof tenantSettings>;

/** The retention settings. A shorter time takes effect only after a delay, during which it can be undone. */
export const retentionSettings = ['rawMessageMonths', 'auditMonths', 'uploadDays'] as const;
export type RetentionSetting = (typeof retentionSettings)[number];
/** Days from the decision to keep things for a shorter time until they are deleted by it. */
export const retentionDelayDays = 14;
/** Months or days; null: for ever. */
const keptFor = z.number().int().nullable();

/** A decision to keep something for a shorter time. It is kept for ever, however short the audit log is kept. */
const retentionShortening = z.object({
  setting: z.enum(retentionSettings),
  before: keptFor,
  after: keptFor,
  at: z.iso.datetime(),
  /** Nothing is deleted by it before. */
  heldUntil: z.iso.datetime(),
  /** It has not been undone, and has not taken effect. */
  pending: z.boolean(),
  by: z.string(),
});
export type RetentionShortening = z.infer<typeof retentionShortening>;
/** How many of them are shown; the newest. */
export const shorteningsShown = 20;

const settingsAnswer = z.object({
  /** A change names the version it was made on. */
  version: z.number().int(),
  // Values stored before they were checked are shown anyway.
  settings: tenantSettings.extend({ name: z.string(), timeZone: z.string() }),
  /** Codes of the disease families that are restricted in every tenant. */
  alwaysRestricted: z.array(z.string()),
  /** People who would have to set up a second step first. */
  withoutSecondFactor: z.number().int(),
  /** It administers the system and cannot be changed. */
  system: z.boolean(),
  /** The newest first. */
  shortenings: z.array(retentionShortening),
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;

export const readSettings = endpoint({
  method: 'GET',
  path: '/api/web/settings',
  access: 'settings/write',
  deed: 'read',
  summary: 'The settings of the tenant',
  response: settingsAnswer,
});

// — Features of single organisations —

/** The kinds of places for which a tenant can switch features separately. */
export const switchedOrgTypes = orgTypes.filter((one) => one !== 'T');

const ownSwitch = z.strictObject({
  orgType: z.enum(switchedOrgTypes),
  orgId: z.uuid(),
  feature: z.enum(features),
  /** The value that the person saw; null: the tenant's setting. */
  before: z.boolean().nullable(),
  after: z.boolean().nullable(),
});
export type OwnSwitch = z.infer<typeof ownSwitch>;

/** Switches that one request can change. */
export const switchLimit = 500;
/** How many places are found at most; the rest is counted. */
export const switchedPlacesFound = 50;

const switchedPlace = z.object({
  orgType: z.enum(switchedOrgTypes),
  id: z.uuid(),
  name: z.string(),
  inactive: z.boolean(),
  /** The tenant that manages a jurisdiction, if it is another one. */
  managedBy: z.string().nullable(),
  /** What is switched only for this place. */
  own: z.partialRecord(z.enum(features), z.boolean()),
});
export type SwitchedPlace = z.infer<typeof switchedPlace>;

export const findSwitchedPlaces = endpoint({
  method: 'GET',
  path: '/api/web/settings/features',
  access: 'settings/write',
  deed: 'search',
  summary:
    'Organisations, facilities and jurisdictions with the features that are switched for them by themselves',
  query: z.strictObject({
    words: z.string().max(200).default(''),
    which: z.enum(['all', 'switched', ...switchedOrgTypes]).default('all'),
    /** Only this one. */
    id: z.uuid().optional(),
  }),
  response: z.object({
    /** What the tenant has on, for itself and wherever nothing else is set. */
    features: z.array(z.enum(features)),
    places: z.array(switchedPlace),
    total: z.number().int(),
  }),
});

/** Settings that protect accounts (sessions, the second factor) are changed only after a recent sign-in. */
export const changeSettings = endpoint({
  method: 'PATCH',
  path: '/api/web/settings',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Change settings of the tenant',
  body: z.strictObject({
    version: z.number().int(),
    changes: tenantSettings.partial(),
    /** Features of single organisations, facilities and jurisdictions. [S1.6] */
    switches: z.array(ownSwitch).max(switchLimit).default([]),
  }),
  response: settingsAnswer,
});

// — The wording of the screens —

/** `namespace:path`, as in the locales. */
const labelKey = z.string().max(200);

const label = z.object({
  key: labelKey,
  /** The product's own words in English. */
  english: z.string(),
  /** The product's own words in the language. */
  builtIn: z.string(),
  /** The tenant's words; null if it has none. */
  text: z.string().nullable(),
});
export type Label = z.infer<typeof label>;

/** How many are returned at most; the rest is counted. */
export const labelsFound = 50;

export const findLabels = endpoint({
  method: 'GET',
  path: '/api/web/settings/labels',
  access: 'settings/write',
  deed: 'search',
  summary: 'Labels by their words, with what the tenant has written in their place',
  query: z.strictObject({
    language,
    words: z.string().max(200).default(''),
    which: z.enum(['all', 'changed']).default('all'),
  }),
  response: z.object({ labels: z.array(label), total: z.number().int() }),
});

export type LabelFault = 'placeholders-differ' | 'nesting';

/** Faults of a tenant's own labels: they lose a value, add one, or refer to another label. */
export function labelFault(builtIn: string, text: string): LabelFault | undefined {
  if (text.includes('$t(')) return 'nesting';
  return placeholdersIn(builtIn).join() === placeholdersIn(text).join() ? undefined : 'placeholders-differ';
}

/** Labels that one tenant can change in one language. */
export const labelLimit = 1000;

export const changeLabel = endpoint({
  method: 'PUT',
  path: '/api/web/settings/labels',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Write other words for a label, or put the product’s own back',
  body: z.strictObject({
    language,
    key: labelKey,
    /** Null restores the product's own words. */
    text: z.string().trim().min(1).max(1000).nullable(),
    /** The tenant's words that the person saw. */
    before: z.string().max(1000).nullable(),
  }),
  response: label,
});

// — Messages —

const message = z.object({
  kind: z.enum(mailKinds),
  language,
  builtIn: mailText,
  /** The tenant's words; null if it has none. */
  own: mailText.nullable(),
});
export type Message = z.infer<typeof message>;

export const readMessages = endpoint({
  method: 'GET',
  path: '/api/web/settings/messages',
  access: 'settings/write',
  deed: 'read',
  summary: 'The messages that the product sends, in every language',
  response: z.object({
    /** The address of the product. */
    address: z.string(),
    messages: z.array(message),
  }),
});

const hasText = z.looseObject({ text: z.looseObject({ subject: z.string(), body: z.string() }) });

export const changeMessage = endpoint({
  method: 'PUT',
  path: '/api/web/settings/messages',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Write other words for a message, or put the product’s own back',
  body: z
    .strictObject({
      kind: z.enum(mailKinds),
      language,
      /** Null restores the product's own words. */
      text: mailText.nullable(),
      /** The tenant's words that the person saw. */
      before: mailText.nullable(),
    })
    .superRefine(
      ({ kind, text }, context) => {
        if (text)
          for (const { path, code } of mailFaults(kind, text))
            context.addIssue({ code: 'custom', path: ['text', path], message: code, params: { code } });
      },
      // A text that is too long can also lack a value.
      { when: (payload) => whereValid('kind')(payload) && hasText.safeParse(payload.value).success },
    ),
  response: message,
});

// — The first-run guide —

/** The steps from an empty tenant to one that works, in their order. */
export const guideSteps = [
  'basics',
  'places',
  'jurisdictions',
  'programs',
  'roles',
  'people',
  'import',
] as const;
export type GuideStep = (typeof guideSteps)[number];

const guide = z.object({
  steps: z.array(
    z.object({
      step: z.enum(guideSteps),
      /** `done`: the data shows it. `checked`: someone has confirmed it. */
      state: z.enum(['open', 'done', 'checked']),
      /** How many records the step is about. */
      count: z.number().int(),
    }),
  ),
});
export type Guide = z.infer<typeof guide>;

export const readGuide = endpoint({
  method: 'GET',
  path: '/api/web/settings/guide',
  access: 'settings/write',
  deed: 'read',
  summary: 'What is still to be done until the tenant can work',
  response: guide,
});

export const checkGuideStep = endpoint({
  method: 'POST',
  path: '/api/web/settings/guide',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Say that a step of the guide is right as it is, or take that back',
  body: z.strictObject({ step: z.enum(guideSteps), checked: z.boolean() }),
  response: guide,
});
