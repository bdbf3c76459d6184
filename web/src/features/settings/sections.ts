/** The sections of the settings, each with its own address. */
export const sections = [
  'general',
  'calendar',
  'features',
  'labels',
  'forms',
  'population',
  'messages',
  'privacy',
  'results',
  'guardians',
  'sign-in',
  'retention',
  'guide',
] as const;
export type SettingsSection = (typeof sections)[number];

const root = '/admin/settings';
export const sectionPath = (section: SettingsSection): string =>
  section === 'general' ? root : `${root}/${section}`;

/** For the search, which treats each section as a separate screen. */
export const screenParts = sections.map((section) => ({
  path: sectionPath(section),
  label: `settings:section.${section}`,
}));
