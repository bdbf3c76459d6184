import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig, usualWorkers, warnings } from './config.ts';

describe('the configuration [S10.2]', () => {
  it('needs no variable at all', () => {
    expect(parseConfig({})).toEqual({
      port: 8080,
      host: 'localhost',
      dataDir: resolve(import.meta.dirname, '../../data'),
      demo: true,
      analyticsEngine: 'duckdb',
      logLevel: 'info',
      publicUrl: 'http://localhost:8080',
      behindProxy: false,
      stopSeconds: 25,
      minFreeDiskBytes: 512_000_000,
      sessionDays: 90,
      outboxDays: 7,
      recoveryWaitMinutes: 60,
      workers: expect.any(Number),
      anonymousPerMinute: 60,
    });
  });

  it('reads every variable', () => {
    const config = parseConfig({
      PORT: '9000',
      HOST: '0.0.0.0',
      DATA_DIR: '/srv/caseway',
      DATABASE_URL: 'postgres://app@db/caseway',
      DATABASE_OWNER_URL: 'postgresql://owner@db/caseway',
      DEMO: 'on',
      SMTP_URL: 'smtp://mail:25',
      SMS_URL: 'https://sms.example.test/send',
      VIDEO_URL: 'https://meet.example.test',
      TOKEN_SECRET: 's'.repeat(32),
      ANALYTICS_ENGINE: 'postgres',
      UI_LICENSE_KEY: 'key',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'pretty',
      PUBLIC_URL: 'https://caseway.example.test/',
      STOP_SECONDS: '90',
      METRICS_TOKEN: 'm'.repeat(16),
      MIN_FREE_DISK_MB: '2000',
      SESSION_DAYS: '0',
      OUTBOX_DAYS: '30',
      RECOVERY_WAIT_MINUTES: '240',
      WORKERS: '3',
      SERVER_ADDRESS: '[fd00::5]:8100',
      ANONYMOUS_PER_MINUTE: '300',
      LIST_SECONDS: '30',
    });
    expect(config).toEqual({
      port: 9000,
      host: '0.0.0.0',
      dataDir: '/srv/caseway',
      databaseUrl: 'postgres://app@db/caseway',
      databaseOwnerUrl: 'postgresql://owner@db/caseway',
      demo: true,
      smtpUrl: 'smtp://mail:25',
      smsUrl: 'https://sms.example.test/send',
      videoUrl: 'https://meet.example.test',
      tokenSecret: 's'.repeat(32),
      analyticsEngine: 'postgres',
      uiLicenseKey: 'key',
      logLevel: 'debug',
      logFormat: 'pretty',
      publicUrl: 'https://caseway.example.test',
      behindProxy: true,
      stopSeconds: 90,
      metricsToken: 'm'.repeat(16),
      minFreeDiskBytes: 2_000_000_000,
      sessionDays: null,
      outboxDays: 30,
      recoveryWaitMinutes: 240,
      workers: 3,
      serverAddress: { host: 'fd00::5', port: 8100 },
      anonymousPerMinute: 300,
      listMs: 30_000,
    });
  });

  it('has the demo off if a database is named, and treats an empty variable as absent', () => {
    expect(parseConfig({ DATABASE_URL: 'postgres://app@db/caseway', PORT: '' })).toMatchObject({
      demo: false,
      port: 8080,
    });
    expect(parseConfig({ DEMO: 'off' }).demo).toBe(false);
  });

  it('lists all faults together, by name and without the values', () => {
    const faulty = {
      PORT: '70000',
      DEMO: 'perhaps',
      DATABASE_URL: 'mysql://secret@db',
      TOKEN_SECRET: 'short',
      LOG_LEVEL: 'loud',
      SESSION_DAYS: '29',
    };
    expect(() => parseConfig(faulty)).toThrow(
      'The configuration has faults: PORT must be a port, 1 to 65535; ' +
        'DATABASE_URL must be an address that begins with postgres:// or postgresql://; DEMO must be on or off; ' +
        'TOKEN_SECRET must have at least 32 characters; LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent; ' +
        'SESSION_DAYS must be days, 30 or more, or 0 for ever.',
    );
    expect(() => parseConfig({ DATABASE_OWNER_URL: 'postgres://owner@db/caseway' })).toThrow(
      'The configuration has a fault: DATABASE_OWNER_URL needs DATABASE_URL beside it.',
    );
  });

  it('cannot be changed', () => {
    const config = parseConfig({});
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });
});

describe('warnings before strangers can reach the server', () => {
  it.each([
    [{}, 0],
    [{ HOST: '127.0.0.1' }, 0],
    [{ HOST: '::1' }, 0],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://caseway.example.test' }, 0],
    [{ HOST: '0.0.0.0' }, 1],
    [{ HOST: '::', DEMO: 'off' }, 1],
    [{ HOST: '192.0.2.7', PUBLIC_URL: 'http://caseway.example.test' }, 1],
  ])('%j gives %i', (given, count) => {
    const said = warnings(parseConfig(given));
    expect(said).toHaveLength(count);
    expect(said.join()).toContain(count > 0 ? 'plain HTTP' : '');
  });

  it('say that the demo names its accounts to everyone', () => {
    expect(warnings(parseConfig({ HOST: '0.0.0.0' })).join()).toContain('DEMO=off');
    expect(warnings(parseConfig({ HOST: '0.0.0.0', DEMO: 'off' })).join()).not.toContain('DEMO=off');
  });
});

describe('how many processes answer requests by default [P22]', () => {
  const elsewhere = 'postgres://app@db.example.test/caseway';
  it.each([
    ['one core', 1, 8e9, undefined, 1],
    ['two cores that PostgreSQL uses too', 2, 8e9, undefined, 1],
    ['two cores with a PostgreSQL of your own on them', 2, 8e9, 'postgres://app@localhost:5432/caseway', 1],
    ['two cores with a PostgreSQL at a socket', 2, 8e9, 'postgres:///caseway?host=/run/postgresql', 1],
    ['two cores, and PostgreSQL on another machine', 2, 8e9, elsewhere, 2],
    ['four cores', 4, 8e9, undefined, 4],
    ['four cores with memory for two', 4, 2.5e9, undefined, 2],
    ['less than a gigabyte', 4, 9e8, elsewhere, 1],
    ['more cores than anyone needs processes', 128, 512e9, undefined, 64],
  ])('%s', (_, cores, bytes, databaseUrl, processes) => {
    expect(usualWorkers(cores, bytes, databaseUrl)).toBe(processes);
  });
});
