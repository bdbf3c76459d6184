import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';
import type { Database } from '../db/database.ts';
import { type Crew, crewOf } from '../workers/crew.ts';
import type { App } from './app.ts';
import { AppError } from './app-error.ts';

/** Measures every answer and the pool. Labels are route patterns, so that they contain no address or id. */
export function measure(instance: FastifyInstance, registry: Registry, database: Database): void {
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'caseway_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  instance.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'no route';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  new Gauge({
    name: 'caseway_database_connections',
    help: 'Connections of the pool by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = database.usage();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Counter({
    name: 'caseway_tenant_reads_total',
    help: 'On several database servers: transactions that only read one tenant, by the server that was asked',
    labelNames: ['way'],
    registers: [registry],
    collect() {
      const { near, through } = database.reads();
      this.reset();
      this.inc({ way: 'worker' }, near);
      this.inc({ way: 'coordinator' }, through);
    },
  });
}

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/**
 * GET /metrics, for requests with the token, or without a token from this machine. Each process shows its own
 * metrics, with the label `worker`. [S10.7]
 */
export function serveMetrics(
  app: App,
  token: string | undefined,
  { crew, number }: { crew: Pick<Crew, 'of' | 'offer' | 'gather'>; number: number } = {
    crew: crewOf(),
    number: 1,
  },
): void {
  crew.offer('metrics', async (): Promise<Metrics> => {
    const metrics = (await app.metrics.getMetricsAsJSON()) as Metrics;
    const worker = String(number);
    return metrics.map(({ values, ...metric }) => ({
      ...metric,
      // The label makes all metrics distinct, so nothing is left out or added up.
      aggregator: 'sum',
      values: values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    }));
  });
  const ofAll = async () => {
    if (crew.of === 1) return app.metrics.metrics();
    return AggregatorRegistry.aggregate(await crew.gather<Metrics>('metrics')).metrics();
  };
  app.fastify.get('/metrics', async (request, reply) => {
    const { authorization = '', 'x-forwarded-for': forwarded } = request.headers;
    const local =
      /^(127\.|::1$|::ffff:127\.)/.test(request.raw.socket.remoteAddress ?? '') && forwarded === undefined;
    const allowed = token === undefined ? local : sameText(authorization, `Bearer ${token}`);
    if (!allowed) throw new AppError('forbidden');
    return reply.type(app.metrics.contentType).send(await ofAll());
  });
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
