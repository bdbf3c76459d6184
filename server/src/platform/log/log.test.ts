import { PassThrough } from 'node:stream';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse';
import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

function logged(entry: Record<string, unknown>): Record<string, Record<string, unknown>> {
  const out = new PassThrough();
  createLog('info', out).error(entry, 'x');
  return JSON.parse(String(out.read()));
}

describe('the log [P16]', () => {
  it('censors codes, tokens and passwords at any depth that is logged', () => {
    const secrets = {
      authorization: 'Canary',
      'x-org-token': 'Canary',
      refreshToken: 'Canary',
      password: 'Canary',
      kept: 'yes',
    };
    const entry = logged({ ...secrets, headers: secrets, request: { headers: secrets } });
    expect(JSON.stringify(entry)).not.toContain('Canary');
    expect([entry.kept, entry.headers!.kept]).toEqual(['yes', 'yes']);
  });

  it('keeps the code and names of a database error, and only the place of a parse error', () => {
    const error = Object.assign(new Error('duplicate key: (name)=(Canary)'), {
      code: '23505',
      severity: 'ERROR',
      detail: 'Key (name)=(Canary) already exists.',
      table: 'patient',
      constraint: 'patient_pkey',
    });
    const { err } = logged({ err: new Error('could not be stored', { cause: error }) });
    expect(err).toMatchObject({
      message: 'could not be stored',
      cause: { code: '23505', table: 'patient', constraint: 'patient_pkey' },
    });
    expect(JSON.stringify(err)).not.toContain('Canary');
    let unreadable: unknown;
    try {
      JSON.parse('Canary');
    } catch (thrown) {
      unreadable = thrown;
    }
    const { err: syntax } = logged({ err: unreadable });
    expect(syntax!.type).toBe('SyntaxError');
    expect(JSON.stringify(syntax)).not.toContain('Canary');
  });

  it('keeps nothing that DuckDB and the CSV parser quote', async () => {
    const duck = await DuckDBInstance.create();
    const connection = await duck.connect();
    const failed = await connection.run("select cast('Canary' as date)").catch((error) => error);
    connection.closeSync();
    duck.closeSync();
    expect(failed.message).toContain('Canary');
    const unread = await new Promise((resolve) => parse('a,b\nCanary"x,2\n', resolve));
    expect((unread as Error).message).toContain('Canary');
    for (const error of [failed, unread])
      expect(JSON.stringify(logged({ err: error }))).not.toContain('Canary');
  });

  it('writes the time in ISO 8601', () => {
    expect(logged({}).time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  });
});
