import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test-locales.ts';
import { renderInApp } from '../../test-render.tsx';
import { serve } from '../../test-server.ts';
import { CellValue } from './values.tsx';

await startTestLocales();

const words = { column: (field: string) => field };
const facility = { kind: 'choice', options: 'facilities' } as const;

test('a code of a look-up is shown by its label, nothing while that is being asked for, and as it is when nobody knows it', async () => {
  const answer = Promise.withResolvers<void>();
  serve({
    'GET /api/web/list/options/facilities': async () => {
      await answer.promise;
      return { body: { options: [{ id: 'f1', label: 'Harbor Clinic' }] } };
    },
  });
  renderInApp(
    <ul>
      <li>
        <CellValue field="facility" column={facility} value="f1" words={words} />
      </li>
      <li>
        <CellValue field="facility" column={facility} value="f2" words={words} />
      </li>
    </ul>,
  );
  const cells = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(cells()).toEqual(['', '']);
  answer.resolve();
  await waitFor(() => expect(cells()).toEqual(['Harbor Clinic', 'f2']));
});
