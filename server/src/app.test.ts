import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { testApp } from '../test/app.ts';
import { openApiFaults } from '../test/openapi-document.ts';

const { app } = await testApp();

describe('the application', () => {
  it('describes every endpoint as OpenAPI 3.1 [S10.7]', async () => {
    const answer = await app.fastify.inject('/api/openapi.json');
    expect(openApiFaults(answer.json())).toEqual([]);
    const { paths } = answer.json() as { paths: Record<string, object> };
    expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(
      app.endpoints.length,
    );
  });

  it('shows the description as a page that loads nothing from other hosts [P20]', async () => {
    const answer = await app.fastify.inject('/api/docs');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(
      String(answer.headers['content-security-policy']),
    )![1];
    expect(answer.body).toContain(`<style nonce="${nonce}">`);
    expect(answer.body).not.toMatch(/<script|src=|https?:\/\//);
  });

  it('says whether it is alive and whether it is ready [S10.7]', async () => {
    expect((await app.fastify.inject('/health/live')).json()).toEqual({ status: 'live' });
    expect((await app.fastify.inject('/health/ready')).json()).toMatchObject({
      status: 'ready',
      checks: { database: 'ready' },
    });
    app.readiness.set('broken', () => Promise.reject(new Error('Canary')));
    const answer = await app.fastify.inject('/health/ready');
    app.readiness.delete('broken');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      status: 'not ready',
      checks: { database: 'ready', broken: 'not ready' },
    });
  });

  it('gives its metrics to the same machine and to callers with the token [S10.7]', async () => {
    const local = await app.fastify.inject('/metrics');
    expect(local.body).toContain('caseway_http_request_seconds_bucket');
    expect(local.body).toContain('caseway_database_connections{state="idle"}');
    expect((await app.fastify.inject({ url: '/metrics', remoteAddress: '10.0.0.7' })).statusCode).toBe(403);
    expect(
      (await app.fastify.inject({ url: '/metrics', headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode,
    ).toBe(403);
  });

  it('declares every variable in .env.example [S10.2]', async () => {
    const example = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
    const config = await readFile(new URL('./config.ts', import.meta.url), 'utf8');
    const declared = [...config.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
    const explained = [...example.matchAll(/^# ?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(declared.sort());
    expect(declared).toContain('DATABASE_URL');
  });
});
