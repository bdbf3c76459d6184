import type { OwnResult } from '@caseway/contract/portal';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { EarlierResults } from './EarlierResults.tsx';

await startTestLocales('portal');

const load = (
  id: string,
  collectedOn: string,
  valueText: string,
  more: Partial<OwnResult> = {},
): OwnResult => ({
  id,
  testName: 'Lead',
  testNameI18N: {},
  loinc: '77307-7',
  about: null,
  explanation: 'lead.below',
  mark: 'other',
  answer: null,
  preliminary: false,
  corrected: false,
  value: {
    valueText,
    valueNumber: null,
    valueComparator: null,
    units: 'ug/dL',
    referenceRange: null,
    abnormalFlag: null,
  },
  position: null,
  collectedOn,
  resultedOn: null,
  specimen: null,
  specimenNumber: null,
  facility: null,
  facilityPhone: null,
  laboratory: null,
  ...more,
});
const now = load('now', '2026-06-01', '3');
const march = load('march', '2026-03-01', '9');
const january = load('january', '2026-01-01', '6', {
  value: { ...march.value!, valueText: '6', referenceRange: '< 3.5' },
});
const shown = (all: OwnResult[], of = now) => {
  const { container } = renderInApp(<EarlierResults result={of} all={all} />);
  return container;
};
const points = (container: HTMLElement) => container.querySelector('polyline')?.getAttribute('points');

test('the earlier results of a test are listed, the latest first, and drawn by their days', async () => {
  // 151 days from January to June; March is the 59th.
  const container = shown([now, january, march]);
  const section = await screen.findByRole('region', { name: 'Earlier results of this test' });
  const items = within(section).getAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Mar 1, 20269 micrograms per deciliter$/),
    expect.stringMatching(/^Jan 1, 20266 micrograms per deciliterUsual range: < 3.5$/),
  ]);
  expect(within(items[0]!).getByRole('link')).toHaveAttribute('href', '/portal/results/march');
  expect(points(container)).toMatch(/^8,44 126\.78\d*,8 312,80$/);
});

test('other units and words are listed and not drawn', async () => {
  const liters = load('liters', '2026-02-01', '0.4', { value: { ...march.value!, units: 'umol/L' } });
  const less = load('less', '2026-01-01', '<1');
  const container = shown([now, liters, less]);
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  expect(points(container)).toBeUndefined();
});

test.each([
  ['another test', load('a', '2026-01-01', '5', { loinc: '1-8' })],
  ['a later result', load('b', '2026-07-01', '5')],
  ['a test that only words name', load('c', '2026-01-01', '5', { loinc: null })],
])('%s is no earlier result', async (_, other) => {
  shown([now, other], other.loinc === null ? { ...now, loinc: null } : now);
  expect(screen.queryByRole('region')).toBeNull();
});
