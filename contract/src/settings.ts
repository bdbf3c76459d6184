import { z } from 'zod';
import { daysOffLimit } from './calendar.ts';
import { timeZoneName } from './codes.ts';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { guardianRights } from './guardian-rules.ts';
import { mailFaults, mailKinds, mailText, placeholdersIn } from './mail-text.ts';
import { name, nameOrNothing } from './name.ts';
import { features } from './permission.ts';
import { experiences, languages, orgTypes } from './session.ts';
import { whereValid } from './where-valid.ts';

/*
 * The settings of a whole tenant. A change names the values the user saw: if someone else has changed them
 * since, the answer is 409 and nothing is overwritten.
 */

const language = z.enum(languages);
const chosenLanguages = z.array(language).min(1).max(languages.length);

/** Bounds of numeric settings. Sessions: [P13]. */
export const settingBounds = {
  // Fewer than 5 protect no one, and the 64 bits that count persons allow at most 30.
  smallCellThreshold: { minimum: 5, maximum: 30 },
  sessionIdleMinutes: { minimum: 10, maximum: 60 },
  sessionHours: { minimum: 1, maximum: 24 },
  breakGlassMinutes: { minimum: 5, maximum: 480 },
  // Long enough to notice that a sender's messages were read wrongly, and to reprocess them.
  rawMessageMonths: { minimum: 3, maximum: 1200 },
  // One year stays in the database; older months are in archive files, which are kept at least as long as
  // the law requires.
  auditMonths: { minimum: 12, maximum: 1200 },
  uploadDays: { minimum: 1, maximum: 30 },
  // Adults have an account of their own, and no guardian here.
  ownAccountAge: { minimum: 0, maximum: 18 },
  guardianUntilAge: { minimum: 0, maximum: 18 },
  guardianFamiliesUntilAge: { minimum: 0, maximum: 18 },
} as const;
const within = ({ minimum, maximum }: { minimum: number; maximum: number }) =>
  z.number().int().min(minimum).max(maximum);

export const tenantSettings = z.strictObject({
  name: name(200),
  /** Of the department, as people read it: below its name in messages. Empty without one. */
  phone: nameOrNothing(40),
  experience: z.enum(experiences),
  timeZone: timeZoneName,
  /** The working days of the week; 0 is Sunday. */
  workdays: z.array(z.number().int().min(0).max(6)).min(1).max(7),
  federalHolidays: z.boolean(),
  /** Additional days off. */
  daysOff: z
    .array(z.string().max(20))
    .max(daysOffLimit)
    .refine((days) => days.every((one) => day.safeParse(one).success), {
      error: 'a day is written as year-month-day',
      params: { code: 'date' },
    }),
  /** The languages for staff. */
  tenantLanguages: chosenLanguages,
  /** The languages for patients. */
  externalLanguages: chosenLanguages,
  /** For users who have not chosen a language; one of the staff languages. */
  defaultLanguage: language,
  /** The features that are on, including beta features. [S1.6] */
  features: z.array(z.enum(features)),
  /** Numbers of fewer people are withheld from readers without exact counts. [P17] */
  smallCellThreshold: within(settingBounds.smallCellThreshold),
  genderIdentityKept: z.boolean(),
  /** Whether patients can book video visits themselves, at the times providers offer. */
  patientsBook: z.boolean(),
  /** What guardians of minors see; see `GuardianRules`. */
  ownAccountAge: within(settingBounds.ownAccountAge),
  guardianUntilAge: within(settingBounds.guardianUntilAge),
  guardianRights: z.array(z.enum(guardianRights)),
  guardianFamilies: z.array(z.string().regex(/^[\w-]{1,60}$/)).max(100),
  guardianFamiliesUntilAge: within(settingBounds.guardianFamiliesUntilAge),
  /** Codes of restricted disease families, in addition to those that always are. [P18] */
  restrictedFamilies: z.array(z.string().regex(/^[\w-]{1,60}$/)).max(100),
  /** How long a hidden record stays open for someone who gave a reason. */
  breakGlassMinutes: within(settingBounds.breakGlassMinutes),
  sessionIdleMinutes: within(settingBounds.sessionIdleMinutes),
  sessionHours: within(settingBounds.sessionHours),
  secondFactorRequired: z.boolean(),
  /** How long a message's text is kept as received; null for forever. Default: 24. [42 CFR 493.1105(a)(6)] */
  rawMessageMonths: within(settingBounds.rawMessageMonths).nullable(),
  /**
   * How long audit events stay in the database before they may move to archive files; null for forever.
   * Default: 72. [45 CFR 164.316(b)(2)(i)]
   */
  auditMonths: within(settingBounds.auditMonths).nullable(),
  /** How long a file is kept after a dry run or a failed import. */
  uploadDays: within(settingBounds.uploadDays),
  /** For training and tests: the people in its records are invented. */
  notForProduction: z.boolean(),
  /**
   * Senders, as named in messages, whose training and debugging messages are accepted while the tenant is not
   * for production.
   */
  testSenders: z.array(z.string().trim().min(1).max(200)).max(200),
});
export type TenantSettings = z.infer<typeof tenantSettings>;

/** The retention settings. A shorter time takes effect after a delay, during which it can be undone. */
export const retentionSettings = ['rawMessageMonths', 'auditMonths', 'uploadDays'] as const;
export type RetentionSetting = (typeof retentionSettings)[number];
/** Days from the decision to shorten a retention time until it deletes anything. */
export const retentionDelayDays = 14;
/** Months or days; null for forever. */
const keptFor = z.number().int().nullable();

/**
 * A decision to keep something for less time. The decision itself is kept forever, whatever the retention of
 * the audit log.
 */
const retentionShortening = z.object({
  setting: z.enum(retentionSettings),
  before: keptFor,
  after: keptFor,
  at: z.iso.datetime(),
  /** It deletes nothing before then. */
  heldUntil: z.iso.datetime(),
  /** Neither undone nor in effect yet. */
  pending: z.boolean(),
  by: z.string(),
});
export type RetentionShortening = z.infer<typeof retentionShortening>;
/** How many are shown, newest first. */
export const shorteningsShown = 20;

const settingsAnswer = z.object({
  /** A change names the version it is based on. */
  version: z.number().int(),
  // Values stored before a check existed are still shown.
  settings: tenantSettings.extend({ name: z.string(), timeZone: z.string() }),
  /** The address of the tenant's logo, which changes with the image; null without one. */
  logo: z.string().nullable(),
  /** Codes of the disease families that are restricted in every tenant. */
  alwaysRestricted: z.array(z.string()),
  /** Codes of those that guardians do not see unless the tenant lists them; see `guardianFamilies`. */
  sensitiveForGuardians: z.array(z.string()),
  /** The number of people who would first have to set up a second factor. */
  withoutSecondFactor: z.number().int(),
  /** The tenant administers the system and cannot be changed. */
  system: z.boolean(),
  /** Newest first. */
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

/** Shown with the tenant's name: to its staff and patients, in emails, and on results that patients keep. */
export const changeLogo = endpoint({
  method: 'PUT',
  path: '/api/web/settings/logo',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Replace the logo of the tenant, or remove it',
  body: z.strictObject({
    /** A PNG in base64 within `logoLimits`; null removes the logo. The limit here only bounds the request. */
    image: z.base64().min(1).max(900_000).nullable(),
    /** The address of the logo that the user saw. */
    before: z.string().max(200).nullable(),
  }),
  response: settingsAnswer,
});

// — Features of single organizations —

/** The kinds of places for which a tenant can switch features separately. */
export const switchedOrgTypes = orgTypes.filter((one) => one !== 'T');

const ownSwitch = z.strictObject({
  orgType: z.enum(switchedOrgTypes),
  orgId: z.uuid(),
  feature: z.enum(features),
  /** The value the user saw; null for the tenant's setting. */
  before: z.boolean().nullable(),
  after: z.boolean().nullable(),
});
export type OwnSwitch = z.infer<typeof ownSwitch>;

/** The most switches in one request. */
export const switchLimit = 500;
/** The most places in an answer; the rest is only counted. */
export const switchedPlacesFound = 50;

const switchedPlace = z.object({
  orgType: z.enum(switchedOrgTypes),
  id: z.uuid(),
  name: z.string(),
  inactive: z.boolean(),
  /** The tenant that manages a jurisdiction, if another one. */
  managedBy: z.string().nullable(),
  /** The switches of this place only. */
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
    /** Only this place. */
    id: z.uuid().optional(),
  }),
  response: z.object({
    /** The tenant's features, which apply wherever nothing else is set. */
    features: z.array(z.enum(features)),
    places: z.array(switchedPlace),
    total: z.number().int(),
  }),
});

/** Settings that protect accounts (sessions, the second factor) need a recent sign-in. */
export const changeSettings = endpoint({
  method: 'PATCH',
  path: '/api/web/settings',
  access: 'settings/write',
  deed: 'administration',
  summary: 'Change settings of the tenant',
  body: z.strictObject({
    version: z.number().int(),
    changes: tenantSettings.partial(),
    /** Features of single organizations, facilities and jurisdictions. [S1.6] */
    switches: z.array(ownSwitch).max(switchLimit).default([]),
  }),
  response: settingsAnswer,
});

// — The wording of the screens —

/** `namespace:path`, as in the locales. */
const labelKey = z.string().max(200);

const label = z.object({
  key: labelKey,
  /** The product's English text. */
  english: z.string(),
  /** The product's text in the language. */
  builtIn: z.string(),
  /** The tenant's text; null if none. */
  text: z.string().nullable(),
});
export type Label = z.infer<typeof label>;

/** The most labels in an answer; the rest is only counted. */
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

/** The fault of a tenant's label: it loses a value, adds one, or refers to another label. */
export function labelFault(builtIn: string, text: string): LabelFault | undefined {
  if (text.includes('$t(')) return 'nesting';
  return placeholdersIn(builtIn).join() === placeholdersIn(text).join() ? undefined : 'placeholders-differ';
}

/** The most labels a tenant can change in one language. */
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
    /** Null restores the product's text. */
    text: z.string().trim().min(1).max(1000).nullable(),
    /** The tenant's text that the user saw. */
    before: z.string().max(1000).nullable(),
  }),
  response: label,
});

// — Messages —

const message = z.object({
  kind: z.enum(mailKinds),
  language,
  builtIn: mailText,
  /** The tenant's text; null if none. */
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
    /** The product's address. */
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
      /** Null restores the product's text. */
      text: mailText.nullable(),
      /** The tenant's text that the user saw. */
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

/** The steps from an empty tenant to a working one, in order. */
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
      /** The number of records the step is about. */
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
