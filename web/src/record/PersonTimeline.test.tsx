import { type TimelineEntry, timelineRecords } from '@caseway/contract/timeline';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../data/api.ts';
import { userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org, serve } from '../test/server.ts';
import { PersonTimeline } from './PersonTimeline.tsx';

await startTestLocales();
const id = (digit: number) => `11111111-1111-4111-8111-11111111111${digit}`;
const ofCase = (digit: number): TimelineEntry => ({
  record: 'case-reports',
  id: id(digit),
  at: '2026-03-05',
  name: { label: `2026-000000${digit}` },
  shows: { condition: 'chlamydia', classification: 'probable', status: 'new' },
});
const ofResult: TimelineEntry = {
  record: 'results',
  id: id(3),
  at: '2026-03-04',
  name: { label: 'Chlamydia trachomatis DNA' },
  shows: { resultCategory: 'positive' },
};
const options = (code: string, label: string) => ({ body: { options: [{ id: code, label }] } });

beforeEach(() => {
  queryClient.clear();
  store.dispatch(userReady(initAnswer([org(id(0), 'Alder Health')])));
});

test('each record is shown with its kind, day and values in words; the open one is not a link', async () => {
  serve({
    [`GET /api/web/patients/${id(9)}/timeline`]: {
      body: { entries: [ofCase(1), ofCase(2), ofResult], more: false },
    },
    'GET /api/web/list/options/conditions': options('chlamydia', 'Chlamydia'),
    'GET /api/web/list/options/resultCategories': options('positive', 'Positive'),
  });
  renderInApp(
    <PersonTimeline
      patientId={id(9)}
      currentId={id(1)}
      codes={{ 'case-reports': (field, code) => `<${field} ${code}>` }}
    />,
  );
  const list = await screen.findByRole('list', { name: 'Records of this person' });
  await within(list).findByText('Positive');
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^2026-0000001Case · .*open nowChlamydia<classification probable><status new>$/),
    expect.stringMatching(/^2026-0000002Case · .*[^w]Chlamydia<classification probable><status new>$/),
    expect.stringMatching(/^Chlamydia trachomatis DNAResult · .*Positive$/),
  ]);
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([`/case-reports/${id(2)}`]);
  expect(screen.queryByRole('button', { name: 'Show earlier records' })).toBeNull();
});

test('earlier records are requested from the last one on', async () => {
  const requests = serve({
    [`GET /api/web/patients/${id(9)}/timeline`]: ({ query }) => ({
      body: query.before ? { entries: [ofResult], more: false } : { entries: [ofCase(1)], more: true },
    }),
    'GET /api/web/list/options/conditions': options('chlamydia', 'Chlamydia'),
    'GET /api/web/list/options/resultCategories': options('positive', 'Positive'),
  });
  renderInApp(<PersonTimeline patientId={id(9)} currentId={id(1)} codes={{}} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show earlier records' }));
  await screen.findByText('Chlamydia trachomatis DNA');
  expect(requests.flatMap(({ path, query }) => (path.endsWith('timeline') ? [query] : []))).toEqual([
    {},
    { before: id(1) },
  ]);
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
});

test('says so if the reader may see no record of the person', async () => {
  serve({ [`GET /api/web/patients/${id(9)}/timeline`]: { body: { entries: [], more: false } } });
  renderInApp(<PersonTimeline patientId={id(9)} currentId={id(1)} codes={{}} />);
  expect(await screen.findByText('There are no records of this person that you may see.')).toBeVisible();
});

test('every kind of record has a name', async () => {
  const { timeline } = (await import('../../public/locales/en/common.json')).default;
  expect(Object.keys(timeline.kind).sort()).toEqual(timelineRecords.map((one) => one.id).sort());
});
