import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider } from 'react-hook-form';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { chooseLanguage } from '../words/i18n.ts';
import { ErrorSummary, showFaults, TextField, useSchemaForm } from './Form.tsx';

await startTestLocales();
const schema = z.object({
  name: z.string().min(1).max(5),
  email: z.email(),
  address: z.object({ zip: z.string().regex(/^\d{5}$/) }),
});
const labels = { name: 'Name', email: 'Email', 'address.zip': 'ZIP' };
const saved = vi.fn();

function Form({ refuse }: { refuse?: { path: string; code: string }[] }) {
  const form = useSchemaForm(schema, { name: '', email: '', address: { zip: '' } });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={form.handleSubmit((values) => {
          if (refuse) showFaults(form, refuse);
          else saved(values);
        })}
      >
        <ErrorSummary labels={labels} />
        <TextField name="name" label="Name" />
        <TextField name="email" label="Email" help="We write there." />
        <TextField name="address.zip" label="ZIP" required={false} />
        <button type="submit">Save</button>
      </form>
    </FormProvider>
  );
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

describe('a form', () => {
  test('[S5.1] shows every fault at its field and in a summary with links to the fields; the typed values stay', async () => {
    renderInApp(<Form />);
    await userEvent.type(screen.getByLabelText('Name'), 'Roberta');
    await send();
    const summary = await screen.findByRole('alert');
    expect(summary).toHaveTextContent('There are problems with 3 answers');
    expect(summary).toHaveFocus();
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Use at most 5 characters.');
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
      'We write there. Enter an email address, such as name@example.org.',
    );
    expect(screen.getByLabelText('Name')).toHaveValue('Roberta');
    await userEvent.click(screen.getByRole('button', { name: /^ZIP/ }));
    expect(screen.getByLabelText(/^ZIP/)).toHaveFocus();
    expect(saved).not.toHaveBeenCalled();
  });

  test('[S5.1] fault texts follow the language', async () => {
    renderInApp(<Form />);
    await send();
    await screen.findByText('Enter an email address, such as name@example.org.');
    await chooseLanguage('es');
    expect(
      await screen.findByText('Ingrese una dirección de correo, como nombre@example.org.'),
    ).toBeInTheDocument();
    await chooseLanguage('en');
  });

  test('[S5.1] a fault from the server is at its field too', async () => {
    renderInApp(<Form refuse={[{ path: 'address.zip', code: 'invalid' }]} />);
    await userEvent.type(screen.getByLabelText('Name'), 'Robin');
    await userEvent.type(screen.getByLabelText('Email'), 'robin@example.org');
    await userEvent.type(screen.getByLabelText(/^ZIP/), '97201');
    await send();
    expect(await screen.findByText('This is not valid.')).toBeInTheDocument();
    expect(screen.getByLabelText(/^ZIP/)).toBeInvalid();
    expect(screen.getByLabelText(/^ZIP/)).toHaveFocus();
  });

  test('valid values are submitted', async () => {
    renderInApp(<Form />);
    await userEvent.type(screen.getByLabelText('Name'), 'Robin');
    await userEvent.type(screen.getByLabelText('Email'), 'robin@example.org');
    await userEvent.type(screen.getByLabelText(/^ZIP/), '97201');
    await send();
    expect(saved).toHaveBeenCalledWith({
      name: 'Robin',
      email: 'robin@example.org',
      address: { zip: '97201' },
    });
  });
});
