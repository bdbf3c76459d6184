import type { PatientDocument } from '@caseway/contract/documents';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { serve } from '../../test/server.ts';
import { begin, end, lookups, signIn } from '../patients/test-person.ts';
import { DocumentsOf } from './DocumentsOf.tsx';

await startTestLocales('documents');
/** Uploads report their progress, which fetch cannot; here the replaced server answers them too. */
class Upload {
  upload = {};
  status = 0;
  responseText = '';
  onload = () => {};
  #to: [address: string, method: string] = ['', ''];
  open(method: string, address: string) {
    this.#to = [address, method];
  }
  setRequestHeader() {}
  abort() {}
  async send() {
    const [address, method] = this.#to;
    const answer = await fetch(address, { method });
    this.status = answer.status;
    this.responseText = await answer.text();
    this.onload();
  }
}
beforeEach(() => {
  begin();
  vi.stubGlobal('XMLHttpRequest', Upload);
});
afterEach(end);

const patientId = '11111111-1111-4111-8111-111111111111';
const caseId = '33333333-3333-4333-8333-333333333333';
const one: PatientDocument = {
  id: '22222222-2222-4222-8222-222222222222',
  version: 1,
  active: true,
  patient: patientId,
  caseRecord: caseId,
  file: '44444444-4444-4444-8444-444444444444',
  category: 'letter',
  title: 'Discharge letter',
  documentedOn: '2026-03-07',
  note: 'Two pages.',
  state: 'filed',
  retractReason: null,
  fileType: 'pdf',
  byteSize: 2_400_000,
  createdOn: '2026-03-08',
  lastName: 'Okafor',
  firstName: 'Ada',
  birthDate: '1990-05-01',
  caseId: '2026-000123',
};
const all = ['documents/read', 'documents/write', 'case-reports/read'] as const;
const uploadPath = `POST /api/web/patients/${patientId}/document-files`;
function show(documents: PatientDocument[], more: Parameters<typeof serve>[0] = {}) {
  const sent = serve({
    ...lookups,
    [`GET /api/web/patients/${patientId}/documents`]: { body: { documents } },
    [`GET /api/web/case-reports/${caseId}/documents`]: { body: { documents } },
    ...more,
  });
  return sent;
}
const bodiesOf = (sent: ReturnType<typeof serve>, method: string) =>
  sent.filter((request) => request.method === method).map(({ body }) => body);
const choose = (name: string, bytes: BlobPart) =>
  userEvent.upload(screen.getByTestId('file-input'), new File([bytes], name), { applyAccept: false });

test('documents are shown with kind, file and case; users who may not write can only download', async () => {
  signIn(['documents/read', 'case-reports/read']);
  show([one]);
  renderInApp(<DocumentsOf about={{ patientId }} />);
  const item = await screen.findByRole('listitem');
  for (const text of ['Referral or discharge letter', 'PDF, 2.4 MB', '2026-000123', 'Two pages.'])
    expect(item).toHaveTextContent(text);
  expect(screen.getByRole('link', { name: '2026-000123' })).toHaveAttribute(
    'href',
    `/case-reports/${caseId}`,
  );
  expect(screen.getByRole('button', { name: 'Download: Discharge letter' })).toBeVisible();
  for (const name of ['Add document', /^Edit/, /^Retract/])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('a file is uploaded first, gives the title, and is then filed with the case', async () => {
  signIn([...all]);
  const sent = show([], {
    [uploadPath]: { body: { id: one.file, type: 'pdf', size: 5, earlier: null } },
    'POST /api/web/documents': { body: one },
  });
  renderInApp(<DocumentsOf about={{ patientId, caseId }} />);
  await screen.findByText('No document of this case has been added.');
  await userEvent.click(screen.getByRole('button', { name: 'Add document' }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.click(form.getByRole('button', { name: 'Add document' }));
  expect(form.getAllByText('Fill this in.').length).toBeGreaterThan(0);
  await choose('Discharge letter.pdf', '%PDF-');
  expect(await form.findByRole('status')).toHaveTextContent('Discharge letter.pdf is uploaded (0 kB).');
  expect(form.getByLabelText(/^Title/)).toHaveValue('Discharge letter');
  await userEvent.selectOptions(form.getByLabelText(/^Kind/), 'letter');
  await userEvent.click(form.getByRole('button', { name: 'Add document' }));
  await waitFor(() =>
    expect(bodiesOf(sent, 'POST').at(-1)).toMatchObject({
      ...{ patient: patientId, caseRecord: caseId, file: one.file, category: 'letter' },
      ...{ title: 'Discharge letter', documentedOn: null, state: 'filed' },
    }),
  );
});

test('on the record of a person, one of their cases can be chosen', async () => {
  signIn([...all]);
  const entry = { at: '2026-03-01', shows: { condition: 'measles' } };
  const sent = show([], {
    [uploadPath]: { body: { id: one.file, type: 'pdf', size: 5, earlier: null } },
    'POST /api/web/documents': { body: one },
    'GET /api/web/list/options/conditions': {
      body: { options: [{ id: 'measles', label: 'Measles' }] },
    },
    [`GET /api/web/patients/${patientId}/timeline`]: {
      body: {
        entries: [
          { ...entry, record: 'case-reports', id: caseId, name: { label: '2026-000123' } },
          { ...entry, record: 'results', id: one.id, name: { label: 'Measles RNA' } },
        ],
        more: false,
      },
    },
  });
  renderInApp(<DocumentsOf about={{ patientId }} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add document' }));
  const form = within(await screen.findByRole('dialog'));
  const cases = await form.findByLabelText(/^Case/);
  expect(
    within(cases)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['About the person, without a case', '2026-000123, Measles, 03/01/2026']);
  await userEvent.selectOptions(cases, caseId);
  await choose('Letter.pdf', '%PDF-');
  await userEvent.selectOptions(form.getByLabelText(/^Kind/), 'letter');
  await userEvent.click(form.getByRole('button', { name: 'Add document' }));
  await waitFor(() =>
    expect(bodiesOf(sent, 'POST').at(-1)).toMatchObject({ patient: patientId, caseRecord: caseId }),
  );
});

test('a file is refused in words: too large before it is sent, of another type or known already after', async () => {
  signIn([...all]);
  let answer: { status?: number; body: object } = {
    status: 422,
    body: {
      code: 'validation-failed',
      message: '',
      faults: [{ path: 'file', code: 'unknown-type', message: '' }],
    },
  };
  const sent = show([], { [uploadPath]: () => answer });
  renderInApp(<DocumentsOf about={{ patientId }} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add document' }));
  await screen.findByRole('dialog');
  await choose('scan.pdf', new Uint8Array(10 * 2 ** 20 + 1));
  expect(await screen.findByRole('alert')).toHaveTextContent('larger than 10 MB');
  expect(bodiesOf(sent, 'POST')).toEqual([]);
  await choose('letter.docx', 'PK');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This is not a PDF'));
  answer = { body: { id: one.file, type: 'pdf', size: 5, earlier: one } };
  await choose('letter.pdf', '%PDF-');
  await waitFor(() =>
    expect(screen.getByRole('alert')).toHaveTextContent(
      'This person already has this file: “Discharge letter” of 03/07/2026.',
    ),
  );
  expect(screen.queryByText(/is uploaded/)).toBeNull();
});

test('one is retracted with a reason, and has no download then', async () => {
  signIn([...all]);
  const retracted = {
    ...one,
    version: 2,
    active: false,
    state: 'retracted',
    retractReason: 'Of her sister.',
  };
  const sent = show([one, { ...retracted, id: patientId, title: 'Old letter' }], {
    [`PATCH /api/web/documents/${one.id}`]: { body: retracted },
  });
  renderInApp(<DocumentsOf about={{ patientId }} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Retract: Discharge letter' }));
  expect(screen.queryByRole('button', { name: 'Download: Old letter', hidden: true })).toBeNull();
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Retract' }));
  expect(dialog.getByText('Fill this in.')).toBeVisible();
  await userEvent.type(dialog.getByLabelText(/^Why it is retracted/), 'Of her sister.');
  await userEvent.click(dialog.getByRole('button', { name: 'Retract' }));
  await waitFor(() =>
    expect(bodiesOf(sent, 'PATCH')).toEqual([
      { version: 1, state: 'retracted', retractReason: 'Of her sister.' },
    ]),
  );
});
