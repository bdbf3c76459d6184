import { Readable } from 'node:stream';
import { endpoint } from '@caseway/contract/endpoint';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asSuperuser } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { AuditEvent, Auditor } from './access.ts';
import type { App } from './app.ts';
import { AppError } from './app-error.ts';
import { serve } from './serve.ts';
import { audited, database, makeApp, patient, reader, superuserUrl, tenant } from './test-app.ts';

describe('no audit, no data [P15]', () => {
  const read = endpoint({
    method: 'GET',
    path: '/api/patient',
    access: 'patients/read',
    deed: 'read',
    summary: 'x',
    patientData: true,
    response: z.object({ names: z.array(z.string()) }),
  });
  const names = async (call: Parameters<Parameters<typeof serve>[2]>[0]) =>
    call.withScope(async (tx) => {
      const rows = await tx.rows<{ id: string; last_name: string }>('select id, last_name from patient');
      call.audit({ recordKind: 'patient', recordIds: rows.map(({ id }) => id) });
      return { names: rows.map(({ last_name }) => last_name) };
    });
  const ask = (app: App) => app.fastify.inject({ url: '/api/patient', headers: reader });

  it('writes who read what in the transaction that read it', async () => {
    const app = await makeApp();
    serve(app, read, names);
    expect((await ask(app)).json()).toEqual({ names: ['Canary'] });
    expect(await audited()).toEqual([
      {
        action: 'GET /api/patient',
        record_ids: [patient.id],
        account_id: '00000000-0000-4000-8000-00000000000a',
      },
    ]);
  });

  it('answers nothing when the row cannot be written', async () => {
    const broken: Auditor = {
      async write(tx) {
        await tx.rows('insert into no_such_table values (1)');
      },
    };
    const app = await makeApp({ auditor: broken });
    serve(app, read, names);
    const answer = await ask(app);
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
    expect(answer.body).not.toContain('Canary');
  });

  it('stores no change whose row cannot be written', async () => {
    const broken: Auditor = {
      async write() {
        throw new Error('the log is full');
      },
    };
    const app = await makeApp({ auditor: broken });
    serve(app, { ...read, method: 'POST' }, (call) =>
      call.withScope(async (tx) => {
        await tx.run("update patient set last_name = 'Changed'");
        return { names: [] };
      }),
    );
    expect(
      (await app.fastify.inject({ method: 'POST', url: '/api/patient', headers: reader })).statusCode,
    ).toBe(500);
    expect(await asSuperuser('select last_name from patient', [], superuserUrl)).toEqual([
      { last_name: 'Canary' },
    ]);
  });

  it('writes a row even if the handler opened no transaction, and before a stream begins', async () => {
    const app = await makeApp();
    serve(app, { ...read, response: undefined, produces: 'text/csv' } as never, () =>
      Readable.from(['Canary\n']),
    );
    expect((await ask(app)).body).toBe('Canary\n');
    expect(await audited()).toMatchObject([{ action: 'GET /api/patient', record_ids: [] }]);
  });

  it('writes no event for a refused request, and without a patient only on request', async () => {
    const app = await makeApp();
    serve(app, read, () => {
      throw new AppError('not-found');
    });
    const plain = { ...read, path: '/api/plain', patientData: false };
    serve(app, plain, (call) => call.withScope(async () => ({ names: [] })));
    const told = { ...read, path: '/api/told', patientData: false };
    serve(app, told, (call) => {
      call.audit({ action: 'role/changed' });
      return call.withScope(async () => ({ names: [] }));
    });
    expect((await ask(app)).statusCode).toBe(404);
    await app.fastify.inject({ url: '/api/plain', headers: reader });
    expect(await audited()).toEqual([]);
    await app.fastify.inject({ url: '/api/told', headers: reader });
    expect((await audited()).map(({ action }) => action)).toEqual(['role/changed']);
  });

  it('is in every tenant whose data was queried, with the records in the tenant that has them', async () => {
    const [second, third] = [await makeTenant(database), await makeTenant(database)];
    const readsThree = { ...reader, 'x-reads': [tenant.id, second.id, third.id].join(',') };
    const app = await makeApp();
    // Looks for a record in one tenant after the other, like a jurisdiction's request.
    serve(app, read, async (call) => {
      for (const tenantId of [second.id, tenant.id]) {
        call.audit({ recordKind: 'patient', recordIds: [patient.id], detail: { looked: true } });
        const found = await call
          .withScope(
            async (tx) => {
              const rows = await tx.rows('select from patient where id = $1', [patient.id]);
              if (rows.length === 0) throw new AppError('not-found');
            },
            { tenantId },
          )
          .then(
            () => true,
            () => false,
          );
        if (found) break;
      }
      return { names: [] };
    });
    // Counts in each tenant without a transaction of the request itself.
    serve(app, { ...read, path: '/api/counts' }, (call) => {
      call.audit({ action: 'export' });
      for (const tenantId of call.org.tenantIds) call.scopeIn(tenantId);
      return { names: [] };
    });
    const rows = async (url: string, headers: Record<string, string>) => {
      await asSuperuser('delete from audit_event', [], superuserUrl);
      expect((await app.fastify.inject({ url, headers })).statusCode).toBe(200);
      const events = await asSuperuser<{ tenant_id: string; action: string; record_ids: string[] }>(
        'select tenant_id, action, record_ids from audit_event',
        [],
        superuserUrl,
      );
      return Object.fromEntries(events.map((row) => [row.tenant_id, `${row.action} ${row.record_ids}`]));
    };
    expect(await rows('/api/patient', readsThree)).toEqual({
      [second.id]: 'GET /api/patient ',
      [tenant.id]: `GET /api/patient ${patient.id}`,
    });
    expect(await rows('/api/counts', readsThree)).toEqual({
      [tenant.id]: 'export ',
      [second.id]: 'export ',
      [third.id]: 'export ',
    });
  });

  it('gives the log the details of the request', async () => {
    const events: AuditEvent[] = [];
    const app = await makeApp({ auditor: { write: async (_, event) => void events.push(event) } });
    serve(app, read, names);
    const answer = await ask(app);
    expect(events).toEqual([
      {
        tenantId: tenant.id,
        accountId: '00000000-0000-4000-8000-00000000000a',
        orgType: 'T',
        orgId: tenant.id,
        action: 'GET /api/patient',
        deed: 'read',
        recordKind: 'patient',
        recordIds: [patient.id],
        detail: {},
        requestId: answer.headers['x-request-id'],
        address: '127.0.0.1',
      },
    ]);
  });
});
