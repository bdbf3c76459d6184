import type { Colleague } from '@caseway/contract/mentions';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderInApp } from '../test/render.tsx';
import { MentionField } from './MentionField.tsx';

const ada: Colleague = { id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0001', name: 'Ada Okafor' };
const adam: Colleague = { id: '0b9f3a52-6c1d-4a44-9a83-3c1f6a1f0002', name: 'Adam Quist' };

function Field({ people = [ada, adam] }: { people?: Colleague[] }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Colleague[]>([]);
  const [sought, setSought] = useState<string | null>(null);
  return (
    <>
      <MentionField
        label="Note"
        placeholder=""
        help="Type @ and a name."
        text={text}
        onText={setText}
        chosen={chosen}
        onChosen={(one) => setChosen([...chosen, one])}
        onSought={setSought}
        found={sought === null ? undefined : people.filter(({ name }) => name.startsWith(sought))}
        words={{ list: 'Colleagues', none: 'Nobody', count: (count) => `${count} found` }}
      />
      <div data-testid="chosen">{chosen.map(({ id, name }) => `${name} ${id.at(-1)}`).join()}</div>
    </>
  );
}

test('a colleague is chosen with the keyboard, and screen readers hear how many there are', async () => {
  const user = userEvent.setup();
  renderInApp(<Field />);
  const field = screen.getByRole('textbox', { name: 'Note' });
  expect(field).toHaveAccessibleDescription('Type @ and a name.');
  await user.type(field, 'Ask @Ad');
  expect(await screen.findByRole('listbox', { name: 'Colleagues' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('2 found');
  const [first, second] = screen.getAllByRole('option');
  expect(field).toHaveAttribute('aria-activedescendant', first!.id);
  await user.keyboard('{ArrowDown}');
  expect(field).toHaveAttribute('aria-activedescendant', second!.id);
  await user.keyboard('{Enter}');
  expect(field).toHaveValue('Ask Adam Quist '.replace('Ask ', 'Ask @'));
  expect(screen.getByTestId('chosen')).toHaveTextContent('Adam Quist 2');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  // Enter is a new line again.
  await user.type(field, 'and{Enter}more');
  expect(field).toHaveValue('Ask @Adam Quist and\nmore');
});

test('an address of email mentions nobody; Escape closes the list; nobody found is said', async () => {
  const user = userEvent.setup();
  renderInApp(<Field />);
  const field = screen.getByRole('textbox', { name: 'Note' });
  await user.type(field, 'a@Ad');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.clear(field);
  await user.type(field, '@Ad');
  await screen.findByRole('listbox');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.type(field, 'x');
  expect(await screen.findByText('Nobody')).toBeVisible();
});
