import { describe, expect, test } from 'vitest';
import { type Screen, switchedOn } from './screens.ts';

const screen = (path: string, more: Partial<Screen>): Screen => ({
  path,
  label: path,
  load: async () => ({ default: () => null }),
  ...more,
});
const screens = [
  screen('/', {}),
  screen('/imports', { permission: 'imports/read', feature: 'imports' }),
  screen('/weekly-cases', { permission: 'line-lists/read', feature: ['case-reports', 'weekly-cases'] }),
  screen('/imports/pairs', { permission: 'patients/merge', feature: 'imports' }),
  screen('/analytics/testing/records', { permission: 'line-lists/read', feature: 'testing-analytics' }),
  screen('/either', { permission: ['case-reports/read', 'patients/read'] }),
];
const shown = (...features: string[]) => switchedOn(screens, new Set(features)).map(({ path }) => path);

describe('[S1.6] a screen is available', () => {
  test('when its feature and that of its permission are on: otherwise its requests would be refused', () => {
    expect(shown('imports', 'patients')).toContain('/imports/pairs');
    expect(shown('imports')).not.toContain('/imports/pairs');
    expect(shown('patients')).not.toContain('/imports/pairs');
  });

  test('when one of its permissions can be used', () => {
    expect(shown('patients')).toContain('/either');
    expect(shown('imports')).not.toContain('/either');
  });

  test('always, if it belongs to no feature', () => {
    expect(shown()).toEqual(['/']);
  });
});
