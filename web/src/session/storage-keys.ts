/** Keys in the browser's storage that the page itself reads (loading/ahead.ts). */
export const storageKeys = {
  /** The refresh token, in the tab's storage and, for staff, in the browser's. [S4.2] */
  refreshToken: 'refresh-token',
  /** A patient's, in the browser's storage. */
  patientToken: 'patient-refresh-token',
  /** The chosen language, in the browser's storage. [S9.14] */
  locale: 'caseway.locale',
  /** The language of the message whose link was followed, in the tab's storage. */
  linkedLocale: 'caseway.linkedLocale',
  /** The last used organization, `orgType:id`; the tab's wins, so two tabs can have different ones. [S4.6] */
  lastUsedOrg: 'last-used-org',
  /** Light, dark or the system's theme, in the browser's storage. */
  theme: 'caseway.theme',
  /** What this tab shows in each list and dashboard, in its storage. [S3.10] */
  views: 'caseway.views',
  /** The child whose record a guardian looks at, in the tab's storage. */
  child: 'caseway.child',
  /** A user's preferences, in the browser's storage. */
  preferences: 'caseway.preferences',
} as const;

/** The browser lock that lets only one tab renew the session at a time. */
export const renewalLock = 'caseway-renewal';
