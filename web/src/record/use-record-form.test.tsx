import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { queryClient } from '../data/api.ts';
import { AppError } from '../data/transport.ts';
import { userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { initAnswer, org } from '../test/server.ts';
import { TextField } from '../ui/Form.tsx';
import { newId } from './new-id.ts';
import { useRecordForm, type Version } from './use-record-form.ts';

await startTestLocales();

type Values = { name: string; city: string };
const schema = z.object({ name: z.string().min(1), city: z.string() });
const version = (number: number, name: string, city: string): Version<Values> => ({
  version: number,
  values: { name, city },
});
const write = vi.fn();
const read = vi.fn();
const saved = vi.fn();

function Form({ stored }: { stored: Version<Values> }) {
  const { form, dirty, restored, theirs, failure, send, discard } = useRecordForm<Values, Version<Values>>(
    schema,
    'a form',
    stored,
    { write: (changes, from) => write(changes, from), read, versionOf: (answer) => answer, onSaved: saved },
  );
  return (
    <FormProvider {...form}>
      <TextField name="name" label="Name" />
      <TextField name="city" label="City" />
      <output>{JSON.stringify({ dirty, restored, theirs, failure: failure?.code })}</output>
      <button type="button" onClick={() => void send()()}>
        Save
      </button>
      <button type="button" onClick={discard}>
        Discard
      </button>
    </FormProvider>
  );
}

beforeEach(() => {
  vi.resetAllMocks();
  queryClient.clear();
  sessionStorage.clear();
  store.dispatch(userReady(initAnswer([org('11111111-1111-4111-8111-111111111111', 'Alder Health')])));
});
const field = (label: string) => screen.getByRole('textbox', { name: new RegExp(label) });
const type = async (label: string, text: string) => {
  await userEvent.clear(field(label));
  await userEvent.type(field(label), text);
};
const state = () => JSON.parse(screen.getByRole('status').textContent!) as Record<string, unknown>;
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const conflict = () => new AppError(409, 'conflict', 'someone else');

test('only changes are sent, with the version they are based on', async () => {
  write.mockResolvedValue(version(4, 'Heron', 'Tampa'));
  renderInApp(<Form stored={version(3, 'Egret', 'Tampa')} />);
  expect(state().dirty).toBe(false);
  await type('Name', 'Heron');
  await save();
  await waitFor(() => expect(saved).toHaveBeenCalled());
  expect(write.mock.calls).toEqual([[{ name: 'Heron' }, 3]]);
  expect(saved.mock.calls[0]).toEqual([version(4, 'Heron', 'Tampa'), version(3, 'Egret', 'Tampa'), ['name']]);
  expect(state()).toMatchObject({ dirty: false, theirs: [] });
});

test("another person's change of another field is taken over, and the change is sent again", async () => {
  write.mockRejectedValueOnce(conflict()).mockResolvedValue(version(5, 'Heron', 'Miami'));
  read.mockResolvedValue(version(4, 'Egret', 'Miami'));
  renderInApp(<Form stored={version(3, 'Egret', 'Tampa')} />);
  await type('Name', 'Heron');
  await save();
  await waitFor(() => expect(saved).toHaveBeenCalled());
  expect(write.mock.calls).toEqual([
    [{ name: 'Heron' }, 3],
    [{ name: 'Heron' }, 4],
  ]);
  expect(field('City')).toHaveValue('Miami');
});

test('for the same field, both values are shown, and sending again replaces theirs', async () => {
  write.mockRejectedValueOnce(conflict()).mockResolvedValue(version(5, 'Heron', 'Tampa'));
  read.mockResolvedValue(version(4, 'Ibis', 'Tampa'));
  renderInApp(<Form stored={version(3, 'Egret', 'Tampa')} />);
  await type('Name', 'Heron');
  await save();
  await waitFor(() =>
    expect(state().theirs).toEqual([
      { name: 'name', base: 'Egret', mine: 'Heron', theirs: 'Ibis', edited: true },
    ]),
  );
  expect([saved.mock.calls.length, field('Name')]).toEqual([0, expect.objectContaining({ value: 'Heron' })]);
  await save();
  await waitFor(() => expect(saved).toHaveBeenCalled());
  expect(write.mock.calls.at(-1)).toEqual([{ name: 'Heron' }, 4]);
});

test('a conflict without any difference is reported, and not retried forever', async () => {
  write.mockRejectedValue(conflict());
  read.mockResolvedValue(version(3, 'Egret', 'Tampa'));
  renderInApp(<Form stored={version(3, 'Egret', 'Tampa')} />);
  await type('Name', 'Heron');
  await save();
  await waitFor(() => expect(state().failure).toBe('conflict'));
  expect(write).toHaveBeenCalledTimes(1);
});

test('a draft survives a reload, on top of what others have saved since, and can be discarded', async () => {
  const first = renderInApp(<Form stored={version(3, 'Egret', 'Tampa')} />);
  await type('Name', 'Heron');
  await act(() => first.unmount());
  renderInApp(<Form stored={version(4, 'Ibis', 'Miami')} />);
  expect([field('Name'), field('City')].map((input) => (input as HTMLInputElement).value)).toEqual([
    'Heron',
    'Miami',
  ]);
  expect(state()).toMatchObject({
    restored: true,
    theirs: [{ name: 'name', base: 'Egret', mine: 'Heron', theirs: 'Ibis', edited: true }],
  });
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(field('Name')).toHaveValue('Ibis');
  expect(state()).toMatchObject({ dirty: false, theirs: [] });
});

test('the newest version is shown until editing starts', async () => {
  const versions = [version(3, 'Egret', 'Tampa'), version(4, 'Ibis', 'Tampa'), version(5, 'Heron', 'Tampa')];
  function Newer() {
    const [at, setAt] = useState(0);
    return (
      <>
        <Form stored={versions[at]!} />
        <button type="button" onClick={() => setAt(at + 1)}>
          Newer
        </button>
      </>
    );
  }
  renderInApp(<Newer />);
  const newer = () => userEvent.click(screen.getByRole('button', { name: 'Newer' }));
  await newer();
  expect(field('Name')).toHaveValue('Ibis');
  await type('City', 'Miami');
  await newer();
  expect(field('Name')).toHaveValue('Ibis');
  expect(field('City')).toHaveValue('Miami');
});

test("a new record's id is a UUID, different each time", () => {
  expect(z.uuidv7().safeParse(newId()).success).toBe(true);
  expect(newId()).not.toBe(newId());
});
