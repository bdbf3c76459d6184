import { rm } from 'node:fs/promises';
import type { InitUserAnswer, SignInAnswer, Tokens } from '@caseway/contract/session';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { buildApp } from '../server/src/app.ts';
import { parseConfig } from '../server/src/config.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import { employ } from '../server/test/crowd.ts';
import { codeFor } from '../server/test/sign-in.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, percentile } from './figure.ts';

const tokenSecret = 'signs nothing outside of this bench';
const people = 400;
/** Not counted: these compile the code and open connections. */
const first = 100;

/** What a member of staff waits for between the name and the first screen, and what it costs the server. */
export const signIn: Bench = {
  name: `Sign-in of ${people - first} people, one after the other`,
  async run() {
    const dataDir = await dataFolder();
    const log = createLog('error');
    const config = parseConfig({ DATA_DIR: dataDir, DEMO: 'off', TOKEN_SECRET: tokenSecret });
    const connection = await connectDatabase({ dataDir, log });
    const { database } = connection;
    try {
      const { demo } = await seedDemoTenants(database);
      await employ(database, demo.id, people);
      await connected(connection.ownerUrl!, 'the bench', (client) => client.query('vacuum analyze'));
      const { fastify } = await buildApp({ config, connection, log });
      const steps = {
        code: [] as number[],
        tokens: [] as number[],
        init: [] as number[],
        all: [] as number[],
      };
      let cpu = process.cpuUsage();
      for (let n = 1; n <= people; n += 1) {
        if (n === first + 1) {
          for (const samples of Object.values(steps)) samples.length = 0;
          cpu = process.cpuUsage();
        }
        // Each from its own network, because one network may request few codes.
        const remoteAddress = `198.51.${n >> 8}.${n & 255}`;
        const ask = async <T>(url: string, payload?: object, authorization?: string): Promise<T> => {
          const answer = await fastify.inject({
            method: payload ? 'POST' : 'GET',
            url,
            payload,
            remoteAddress,
            headers: authorization ? { authorization } : {},
          });
          if (answer.statusCode !== 200)
            throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
          return answer.json();
        };
        const times = [performance.now()];
        const username = `load-${n}@demo.caseway.test`;
        const { details } = await ask<SignInAnswer>('/auth/tenant/sign-in', {
          origin: 'localhost',
          username,
          challengeMethod: 'EMAIL',
        });
        times.push(performance.now());
        const secret = await codeFor(tokenSecret, details);
        const { accessToken } = await ask<Tokens>('/auth/tenant/challenge', { details, secret });
        times.push(performance.now());
        await ask<InitUserAnswer>('/api/auth/initUser', undefined, `Bearer ${accessToken}`);
        times.push(performance.now());
        const [since, coded, entered, begun] = times as [number, number, number, number];
        steps.code.push(coded - since);
        steps.tokens.push(entered - coded);
        steps.init.push(begun - entered);
        steps.all.push(begun - since);
      }
      const used = process.cpuUsage(cpu);
      await fastify.close();
      const alone = percentile(steps.init, 0.5);
      const figure = (what: string, samples: number[], share: number) => ({
        what,
        value: percentile(samples, share),
        unit: 'ms' as const,
        against: { what: 'what they get at the start alone', ratio: percentile(samples, share) / alone },
      });
      return [
        figure('from the name to the first screen, median', steps.all, 0.5),
        figure('… p95', steps.all, 0.95),
        figure('asking for a code, median', steps.code, 0.5),
        figure('giving the code, median', steps.tokens, 0.5),
        { what: 'what they get at the start, median', value: alone, unit: 'ms' },
        {
          what: 'of the server, each',
          value: (used.user + used.system) / 1000 / (people - first),
          unit: 'ms',
        },
      ];
    } finally {
      await connection.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
