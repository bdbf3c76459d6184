import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { SidePanel } from './SidePanel.tsx';

await startTestLocales();

test('a record opened beside its list is announced to screen readers, and so is the next one', async () => {
  function Walked() {
    const [number, setNumber] = useState(1);
    return (
      <SidePanel title={`2026-${number}`} onClose={() => {}}>
        <button type="button" onClick={() => setNumber(2)}>
          The next one
        </button>
      </SidePanel>
    );
  }
  renderInApp(<Walked />);
  const said = await screen.findByText('2026-1 is beside the list.');
  expect(said).toHaveAttribute('aria-live', 'polite');
  await userEvent.click(screen.getByRole('button', { name: 'The next one' }));
  expect(await screen.findByText('2026-2 is beside the list.')).toBe(said);
});
