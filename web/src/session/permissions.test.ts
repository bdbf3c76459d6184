import { permissions } from '@caseway/contract/permission';
import { expect, test } from 'vitest';
import { initAnswer, org } from '../test/server.ts';
import { userReady } from './authentication.ts';
import { selectMay } from './permissions.ts';
import { store } from './store.ts';

test('[S1.6, S6.6] a feature that is switched off cannot be used, whatever the policy allows', () => {
  const mayWith = (tenantFeatures: string[]) => {
    const casbinPolicy = permissions.map((one) => `p, u1, T, ${one}, allow`);
    store.dispatch(userReady(initAnswer([org('t1', 'Alder Health')], { casbinPolicy, tenantFeatures })));
    return selectMay(store.getState());
  };
  expect(mayWith(['patients'])('patients/merge')).toBe(true);
  const may = mayWith(['case-reports', 'imports']);
  expect(may('patients/merge')).toBe(false);
  expect(may('mappings/write')).toBe(true);
  expect(may(['patients/read', 'case-reports/read'])).toBe(true);
  expect(may(['patients/read', 'testing-analytics/read'])).toBe(false);
  expect(may('settings/write')).toBe(true);
});
