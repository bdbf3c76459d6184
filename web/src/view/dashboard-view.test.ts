import type { AnalyticsScreen } from '@caseway/contract/analytics';
import { initialAnalyticsState } from '@caseway/contract/search-params';
import { describe, expect, test } from 'vitest';
import { cleared, withFilters, withPreset, withRange } from './dashboard-view.ts';

const screen: AnalyticsScreen = {
  id: 'testing',
  permission: 'testing-analytics/read',
  listFilters: ['programFilter', 'diseaseFamilyFilter'],
  stringFilters: { statusFilter: '' },
  defaultRange: (today) => ({ start: today, end: today }),
};

describe('analytics filters', () => {
  test('[S3.11, S4.10, S9.17] begin with empty lists, empty strings and the default preset', () => {
    expect(initialAnalyticsState(screen)).toEqual({
      filters: { programFilter: [], diseaseFamilyFilter: [], statusFilter: '' },
      defaultFilters: { programFilter: [], diseaseFamilyFilter: [], statusFilter: '' },
      range: null,
      eventDate: null,
      granularity: null,
      presetFilter: 'default',
    });
  });

  const chosen = withRange(
    withFilters(initialAnalyticsState(screen), {
      programFilter: ['p1'],
      diseaseFamilyFilter: ['f1'],
      statusFilter: 'open',
    }),
    { start: '2024-01-01', end: '2024-01-31' },
  );

  test('[S4.11] a Clear that sets the filters leaves the preset unchanged', () => {
    const saved = withPreset(chosen, 'p-1', chosen);
    expect(cleared({ ...screen, clear: 'sets-filters' }, saved)).toEqual({
      ...saved,
      filters: { programFilter: [], diseaseFamilyFilter: [], statusFilter: '' },
    });
  });

  test('[S4.8] the range and all filters can be set', () => {
    expect(chosen).toMatchObject({
      range: { start: '2024-01-01', end: '2024-01-31' },
      filters: { programFilter: ['p1'], diseaseFamilyFilter: ['f1'], statusFilter: 'open' },
    });
  });

  test('[S4.9] clear resets filters to their defaults, keeps the range and sets the preset to none', () => {
    expect(
      cleared(screen, { ...chosen, defaultFilters: { ...chosen.defaultFilters, programFilter: ['mine'] } }),
    ).toEqual({
      filters: { programFilter: ['mine'], diseaseFamilyFilter: [], statusFilter: '' },
      defaultFilters: { programFilter: ['mine'], diseaseFamilyFilter: [], statusFilter: '' },
      range: { start: '2024-01-01', end: '2024-01-31' },
      eventDate: null,
      granularity: null,
      presetFilter: 'none',
    });
  });

  test('[S4.9] HIV: clear empties every list except the disease families', () => {
    const hiv: AnalyticsScreen = { ...screen, id: 'hiv', keptByClear: ['diseaseFamilyFilter'] };
    expect(cleared(hiv, chosen)).toMatchObject({
      filters: { programFilter: [], diseaseFamilyFilter: ['f1'], statusFilter: '' },
      range: { start: '2024-01-01', end: '2024-01-31' },
      eventDate: null,
      granularity: null,
      presetFilter: 'none',
    });
  });

  test('[S4.10] a saved view sets its filters and its id', () => {
    const preset = withPreset(chosen, '0199', {
      filters: { programFilter: [], diseaseFamilyFilter: ['f2'], statusFilter: '' },
      range: { start: '2024-02-01', end: '2024-02-29' },
      eventDate: null,
      granularity: null,
    });
    expect(preset).toMatchObject({
      presetFilter: '0199',
      filters: { diseaseFamilyFilter: ['f2'] },
      range: { start: '2024-02-01', end: '2024-02-29' },
    });
  });
});
