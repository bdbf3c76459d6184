import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider, useForm } from 'react-hook-form';
import { afterEach, expect, test } from 'vitest';
import { signedOut, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org } from '../test/server.ts';
import { InstantField } from './InstantField.tsx';

await startTestLocales();
afterEach(() => act(() => void store.dispatch(signedOut())));

/** A form with an instant in New York, and its value. */
function show(at: string) {
  store.dispatch(userReady(initAnswer([org('t1', 'Alder', { orgType: 'T' })])));
  function Form() {
    const form = useForm({ defaultValues: { at } });
    return (
      <FormProvider {...form}>
        <InstantField name="at" label="Start" required />
        <output>{form.watch('at')}</output>
      </FormProvider>
    );
  }
  renderInApp(<Form />);
}
const value = () => screen.getByRole('status').textContent;
async function enter(day: string, time: string) {
  const field = screen.getByLabelText('Start');
  await userEvent.clear(field);
  await userEvent.type(field, day);
  await userEvent.tab();
  fireEvent.change(screen.getByLabelText('Start: time'), { target: { value: time } });
}

test("an instant is shown and entered in the tenant's time zone", async () => {
  show('2026-07-15T18:00:00.000Z');
  expect(screen.getByLabelText('Start')).toHaveValue('07/15/2026');
  expect(screen.getByLabelText('Start: time')).toHaveValue('14:00');
  expect(screen.getByText('Eastern Time (New York)')).toBeVisible();
  await enter('2026-01-15', '14:05');
  expect(value()).toBe('2026-01-15T19:05:00.000Z');
});

test('a time skipped by the clocks is not accepted', async () => {
  show('');
  await enter('2026-03-08', '02:30');
  expect(value()).toBe('');
  expect(screen.getByText('The clocks skip this time. Choose another one.')).toBeVisible();
  await enter('2026-03-08', '03:00');
  expect(value()).toBe('2026-03-08T07:00:00.000Z');
});

test('for a repeated time, people choose which one it is', async () => {
  show('');
  await enter('2026-11-01', '01:30');
  expect(value()).toBe('2026-11-01T05:30:00.000Z');
  await userEvent.click(screen.getByRole('radio', { name: 'The second time, an hour later' }));
  expect(value()).toBe('2026-11-01T06:30:00.000Z');
  expect(screen.getByLabelText('Start: time')).toHaveValue('01:30');
});
