import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { CodeEntry } from './CodeEntry.tsx';

await startTestLocales('sample-shipments');

test('a scanner that is faster than the answers loses no code, and they are sent in order', async () => {
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const store = (code: string) => {
    begun.push(code);
    return new Promise<void>((done) => answers.push(done));
  };
  renderInApp(<CodeEntry label="Number" help="Scan" submit="Receive" onCode={store} />);
  const field = screen.getByLabelText('Number');
  expect(field).toHaveFocus();
  await userEvent.keyboard('A-1{Enter}  B-2 {Enter}{Enter}');
  expect([begun, field]).toEqual([['A-1'], expect.objectContaining({ value: '' })]);
  answers[0]!();
  await expect.poll(() => begun).toEqual(['A-1', 'B-2']);
  expect(field).toHaveFocus();
});
