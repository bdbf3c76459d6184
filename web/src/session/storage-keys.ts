/** Names of what the browser's stores hold and the page itself reads (loading/ahead.ts). */
export const storageKeys = {
  /** The refresh token, in the tab's store and, for staff, in the browser's. [S4.2] */
  refreshToken: 'refresh-token',
  /** That of a patient, in the browser's store. */
  patientToken: 'patient-refresh-token',
  /** The chosen language, in the browser's store. [S9.14] */
  locale: 'caseway.locale',
  /** The language of the message whose link was followed, in the tab's store. */
  linkedLocale: 'caseway.linkedLocale',
  /** The last used organization, `orgType:id`; the tab's wins, so that two tabs can have two. [S4.6] */
  lastUsedOrg: 'last-used-org',
  /** Light, dark or that of the system, in the browser's store. */
  theme: 'caseway.theme',
  /** What this tab shows in each list and on each dashboard, in its store. [S3.10] */
  views: 'caseway.views',
  /** How a person likes the product, in the browser's store. */
  preferences: 'caseway.preferences',
} as const;

/** The lock of the browser under which one tab at a time renews the session. */
export const renewalLock = 'caseway-renewal';
