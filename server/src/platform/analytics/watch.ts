import { Gauge } from 'prom-client';
import type { App } from '../http/app.ts';
import type { Crew } from '../workers/crew.ts';
import type { Analytics } from './engine.ts';
import type { ReplicaLag } from './tenant-replicas.ts';

/** A replica that fails to follow for longer than this is a fault of the server. */
const lateSeconds = 60;

/**
 * Shows operators how fresh the numbers are: /health/ready covers the replicas of every process of the server,
 * /metrics those of its own process. [S10.7]
 */
export function watchAnalytics(app: App, analytics: Analytics, crew: Pick<Crew, 'offer' | 'gather'>): void {
  crew.offer('replica lag', () => analytics.lag());
  // A replica that is being made is not a fault: PostgreSQL answers until it is ready. Nor is one whose tenant is on
  // a database server that is away, because other tenants still need this server.
  app.readiness.set('analytics', async () => {
    const late = (await crew.gather<ReplicaLag[]>('replica lag'))
      .flat()
      .filter(({ seconds, failing, away }) => failing && !away && (seconds ?? lateSeconds) >= lateSeconds);
    if (late.length > 0) throw new Error(`${late.length} analytics replicas do not follow`);
  });
  new Gauge({
    name: 'caseway_analytics_lag_seconds',
    help: 'Seconds since the state that the furthest-behind analytics replica holds',
    registers: [app.metrics],
    collect() {
      this.set(Math.max(0, ...analytics.lag().map(({ seconds }) => seconds ?? 0)));
    },
  });
  new Gauge({
    name: 'caseway_analytics_replicas',
    help: 'Analytics replicas by state',
    labelNames: ['state'],
    registers: [app.metrics],
    collect() {
      const lag = analytics.lag();
      const count = (state: string, holds: (one: (typeof lag)[number]) => boolean) =>
        this.set({ state }, lag.filter(holds).length);
      count('following', ({ seconds, failing }) => seconds !== null && !failing);
      count('being made', ({ seconds, failing }) => seconds === null && !failing);
      count('failing', ({ failing }) => failing);
    },
  });
}
