import type { AnyRecord } from '@caseway/contract/record';
import { shipmentRecord } from '@caseway/contract/sample-shipments';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { useApi } from '../data/api.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { serve } from '../test/server.ts';
import { afterTransition } from './offer-undo.ts';

await startTestLocales('sample-shipments');
const id = '11111111-1111-4111-8111-111111111111';
const read = { ...shipmentRecord.endpoints.read, response: z.any() };
const record = { endpoints: { ...shipmentRecord.endpoints, read } } as unknown as AnyRecord;

function Status() {
  const { data } = useApi(read, { params: { id } });
  return <p>{(data as { status: string } | undefined)?.status}</p>;
}

test('after a transition, the record shows its new state before it is reloaded', async () => {
  let answer = () => {};
  const before = { id, version: 1, status: 'packed' };
  const after = { id, version: 2, status: 'sent' };
  const requests = serve({
    [`GET /api/web/sample-shipments/${id}`]: () =>
      requests.length === 1
        ? { body: before }
        : new Promise<{ body: unknown }>((then) => {
            answer = () => then({ body: after });
          }),
  });
  renderInApp(<Status />);
  expect(await screen.findByText('packed')).toBeVisible();
  act(() => {
    afterTransition(record, id, { saved: 'a', old: [read] }).onDone(after);
  });
  expect(await screen.findByText('sent')).toBeVisible();
  answer();
});
