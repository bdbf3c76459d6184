import { screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { CellValue, ConditionText, useCellTexts } from './values.tsx';

await startTestLocales();

const words = {
  column: (field: string) => field,
  choice: (_: string, code: string) => `the ${code} one`,
};
const facility = { kind: 'choice', options: 'facilities' } as const;

test("a look-up's code is shown by its label, as nothing while that is loading, and in words if it is unknown", async () => {
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
  await waitFor(() => expect(cells()).toEqual(['Harbor Clinic', 'A facility of another organization']));
});

test('a list looks up names once it has rows, so that rows do not wait for them on a slow line', async () => {
  let asked = 0;
  serve({
    'GET /api/web/list/options/programs': () => {
      asked += 1;
      return { body: { options: [{ id: 'p1', label: 'Night testing' }] } };
    },
  });
  const column = { kind: 'choice', options: 'programs' } as const;
  const grid = { columns: { program: column } } as unknown as Parameters<typeof useCellTexts>[0];
  function List({ rows }: { rows: readonly string[] }) {
    const texts = useCellTexts(grid, ['program'], undefined, { enabled: rows.length > 0 });
    return <p>{rows.map((row) => texts('program', column, row))}</p>;
  }
  const { unmount } = renderInApp(<List rows={[]} />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBe(0);
  unmount();
  renderInApp(<List rows={['p1']} />);
  await waitFor(() => expect(screen.getByRole('paragraph')).toHaveTextContent('Night testing'));
  expect(asked).toBe(1);
});

test.each([
  ['en', 'is any of the open one, Not recorded'],
  ['es', 'es uno de the open one, Sin registrar'],
  ['ht', 'se youn nan the open one, Pa anrejistre'],
])('[S1.4] a condition on what is not recorded says so in %s, and shows no code', async (language, said) => {
  const status = { kind: 'choice', options: ['open'] } as const;
  await i18next.changeLanguage(language);
  renderInApp(
    <p>
      <ConditionText
        field="status"
        column={status}
        operator="isAnyOf"
        value={['open', 'missing']}
        words={words}
      />
    </p>,
  );
  expect(screen.getByRole('paragraph')).toHaveTextContent(said);
  await i18next.changeLanguage('en');
});
