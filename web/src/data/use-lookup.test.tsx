import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { serve } from '../test/server.ts';
import { queryClient } from './api.ts';
import { useLabels } from './use-labels.ts';
import { useLookup } from './use-lookup.ts';

await startTestLocales();
afterEach(() => queryClient.clear());

const address = '/reference/counties-abc.json';
const near = [{ id: '12057', label: 'Hillsborough County', within: { states: '12' } }];
const every = [
  { id: '13121', label: 'Fulton County, GA', within: { states: '13' } },
  { id: '12057', label: 'Hillsborough County, FL', within: { states: '12' } },
];

function Counties() {
  const { options } = useLookup('counties');
  const labels = useLabels('counties');
  return (
    <>
      <ul>
        {options.map(({ id, label }) => (
          <li key={id}>{label}</li>
        ))}
      </ul>
      <p>{labels.of('13121')}</p>
    </>
  );
}

test('a look-up continues in its file, which is requested without credentials', async () => {
  const requests = serve({
    'GET /api/web/list/options/counties': { body: { options: near, rest: address } },
    [`GET ${address}`]: { body: { options: every } },
  });
  renderInApp(<Counties />);
  await waitFor(() => expect(screen.getByRole('paragraph')).toHaveTextContent('Fulton County, GA'));
  // The tenant's own state first, and each county once.
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Hillsborough County',
    'Fulton County, GA',
  ]);
  const asked = requests.filter(({ path }) => path === address);
  expect(asked).toHaveLength(1);
  expect(Object.keys(asked[0]!.headers)).toEqual(['accept']);
});

test("a look-up's first entries are shown while its file is loading", async () => {
  const file = Promise.withResolvers<{ body: object }>();
  serve({
    'GET /api/web/list/options/counties': { body: { options: near, rest: address } },
    [`GET ${address}`]: () => file.promise,
  });
  renderInApp(<Counties />);
  expect(await screen.findByRole('listitem')).toHaveTextContent('Hillsborough County');
  expect(screen.getByRole('paragraph')).toHaveTextContent('…');
  file.resolve({ body: { options: every } });
  await waitFor(() => expect(screen.getByRole('paragraph')).toHaveTextContent('Fulton County, GA'));
});

test('a look-up without a file requests none', async () => {
  const requests = serve({ 'GET /api/web/list/options/counties': { body: { options: near } } });
  renderInApp(<Counties />);
  await screen.findByRole('listitem');
  expect(requests.map(({ path }) => path)).toEqual(['/api/web/list/options/counties']);
});
