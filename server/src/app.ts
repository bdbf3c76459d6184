import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { NIL } from 'uuid';
import { bulkServers } from './bulk-servers.ts';
import type { Config } from './config.ts';
import { facts } from './facts.ts';
import { serveAudit } from './features/audit/routes.ts';
import { officersWork } from './features/break-glass/officers.ts';
import { serveBreakGlass } from './features/break-glass/routes.ts';
import { serveCaseReportAnalytics } from './features/case-report-analytics/routes.ts';
import { caseOnTimeline } from './features/case-reports/case-server.ts';
import { serveInvestigations } from './features/case-reports/investigation.ts';
import { serveCaseReports } from './features/case-reports/routes.ts';
import { serveCaseFollowUps } from './features/contacts/case-follow-ups.ts';
import { serveContacts } from './features/contacts/routes.ts';
import { serveDemo, showsMessages } from './features/demo/routes.ts';
import { documentWork } from './features/documents/document-files.ts';
import { serveDocuments } from './features/documents/routes.ts';
import { notBackWork } from './features/field-visits/not-back.ts';
import { serveFieldVisits } from './features/field-visits/routes.ts';
import { serveHivAnalytics } from './features/hiv-analytics/routes.ts';
import { importHearing } from './features/imports/heard.ts';
import { serveImports } from './features/imports/routes.ts';
import { importWorks } from './features/imports/running/import-job.ts';
import { dailyWork } from './features/inbox/daily.ts';
import { inboxHearing } from './features/inbox/heard.ts';
import { mailWork } from './features/inbox/mail-job.ts';
import { notifiedSources as notified } from './features/inbox/notified.ts';
import { serveInbox } from './features/inbox/routes.ts';
import { tellWork } from './features/inbox/tell-work.ts';
import { serveIncidentAnalytics } from './features/incident-analytics/routes.ts';
import { serveIncidentReports } from './features/incident-reports/routes.ts';
import { optionsOf } from './features/lookups/options.ts';
import { serveLookups } from './features/lookups/routes.ts';
import { serveMatches } from './features/matches/routes.ts';
import { serveOperationsAnalytics } from './features/operations-analytics/routes.ts';
import { servePartnerAnalytics, servePartnerServices } from './features/partner-services/routes.ts';
import { servePatients } from './features/patients/routes.ts';
import { servePlaces } from './features/places/routes.ts';
import { serveGuardians } from './features/portal/guardian-routes.ts';
import { portalInvitationWork } from './features/portal/invitation.ts';
import { serveInvitations } from './features/portal/invitation-routes.ts';
import { newResultsWork, tellPatientWork } from './features/portal/new-results.ts';
import { serveOwnChildren } from './features/portal/own-children.ts';
import { servePortal } from './features/portal/routes.ts';
import { servePortalToStaff } from './features/portal/staff-routes.ts';
import { serveProfile } from './features/profile/routes.ts';
import { recoveryMailWorks } from './features/recovery/mail.ts';
import { requestWorks } from './features/recovery/requests.ts';
import { serveRecovery } from './features/recovery/routes.ts';
import { alwaysRestricted, sensitiveForGuardians } from './features/reference/catalog.ts';
import { resultOnTimeline } from './features/results/result-timeline.ts';
import { serveRoles } from './features/roles/routes.ts';
import { serveSampleShipments } from './features/sample-shipments/routes.ts';
import { serveSearch } from './features/search/routes.ts';
import { serveSession } from './features/session/routes.ts';
import { serveFormSettings } from './features/settings/forms.ts';
import { serveLogo } from './features/settings/logo.ts';
import { servePopulation } from './features/settings/population.ts';
import { shorteningWork } from './features/settings/retention.ts';
import { serveSettings } from './features/settings/routes.ts';
import { serveStiAnalytics } from './features/sti-analytics/routes.ts';
import { serveSystem } from './features/system/routes.ts';
import { missingRemindersWork, reminderWork } from './features/telemedicine/reminders.ts';
import { serveTelemedicine } from './features/telemedicine/routes.ts';
import { toldChangesWork } from './features/telemedicine/told-changes.ts';
import { serveTestingAnalytics } from './features/testing-analytics/routes.ts';
import { serveTreatments } from './features/treatments/routes.ts';
import { invitationWork } from './features/users/invitation.ts';
import { serveUsers } from './features/users/routes.ts';
import { serveVaccinations } from './features/vaccinations/routes.ts';
import { serveVisitAnalytics } from './features/visit-analytics/routes.ts';
import { serveWaiting } from './features/waiting/routes.ts';
import { serveWeeklyCases } from './features/weekly-cases/routes.ts';
import { serveWorkTasks } from './features/work-tasks/routes.ts';
import { type AnalyticsOptions, startAnalytics } from './platform/analytics/engine.ts';
import { type Sharing, startSharedAnalytics } from './platform/analytics/shared-replicas.ts';
import { watchAnalytics } from './platform/analytics/watch.ts';
import { auditor } from './platform/audit/auditor.ts';
import { logHeads } from './platform/audit/heads.ts';
import { auditPartitionsWork } from './platform/audit/partitions.ts';
import { readDevice } from './platform/auth/device.ts';
import { createIdentity } from './platform/auth/identity.ts';
import { tokenSecret } from './platform/auth/token-secret.ts';
import type { ConnectedDatabase } from './platform/db/connect.ts';
import { openDatabase } from './platform/db/database.ts';
import { tellFreshness } from './platform/events/freshness.ts';
import { createEventHub } from './platform/events/hub.ts';
import { serveEvents } from './platform/events/stream.ts';
import { exportWorks } from './platform/exports/export-job.ts';
import { serveExportedFiles } from './platform/exports/serve-files.ts';
import { Lookups, lookupsOutdated } from './platform/grid/lookups.ts';
import { anonymousPlaces } from './platform/http/anonymous.ts';
import { type App, createApp } from './platform/http/app.ts';
import { serveHealth } from './platform/http/health.ts';
import { serveMetrics } from './platform/http/metrics.ts';
import { serveDescription } from './platform/http/openapi.ts';
import { serveWebClient } from './platform/http/web-client.ts';
import { type Jobs, startJobs } from './platform/jobs/jobs.ts';
import { keepOutboxSwept } from './platform/mail/outbox.ts';
import { diskOf } from './platform/operations/disk.ts';
import { watchOperations } from './platform/operations/watch.ts';
import { bulkWork } from './platform/records/bulk-job.ts';
import { serveTimeline } from './platform/records/timeline.ts';
import { type Crew, crewOf } from './platform/workers/crew.ts';
import type { Place } from './platform/workers/place.ts';

export interface BuildOptions {
  config: Config;
  connection: Pick<ConnectedDatabase, 'database' | 'appUrl' | 'ownerUrl' | 'databaseElsewhere'>;
  log: Logger;
  /** Folder of the built web client; without it the server serves only its API. */
  webRoot?: string;
  /** Checks each answer against its declaration; for tests and development. */
  checkAnswers?: boolean;
  /** Milliseconds that a list may take; for tests about other things. */
  listMs?: number;
  /** Milliseconds that a signed-out person waits for a turn; for tests about other things. */
  turnMs?: number;
  /** Which process of the server it is; by default the only one. */
  place?: Place;
  /** The other processes of the server. */
  crew?: Crew;
  /**
   * Called at the end, when all requests of this process are answered. Resolves when those of the others are, too:
   * until then they may ask for a replica.
   */
  drained?: () => Promise<void>;
  /** The present moment, by which guardians see the records of children; for tests. */
  now?: () => Date;
  /** Runs queued jobs, from when the server is ready until it closes. */
  background?: boolean;
}

/** Assembles the server: the platform and every feature. The only place that knows all of them. */
export async function buildApp({
  config,
  connection,
  log,
  webRoot,
  checkAnswers,
  listMs,
  turnMs,
  place = { number: 1, of: 1, server: randomUUID(), id: randomUUID() },
  crew = crewOf(),
  drained,
  now = () => new Date(),
  background = false,
}: BuildOptions): Promise<App> {
  const { database } = connection;
  const secret = await tokenSecret(config);
  const anonymousDatabase = await openDatabase({
    url: connection.appUrl,
    log,
    poolSize: anonymousPlaces(place.of),
  });
  const guardianship = { database, sensitiveFamilies: sensitiveForGuardians, now };
  const identity = createIdentity({
    database,
    anonymousDatabase,
    secret,
    restrictedFamilies: alwaysRestricted,
    guardianship,
    publicUrl: config.publicUrl,
    smtpUrl: config.smtpUrl,
    smsUrl: config.smsUrl,
    dataDir: config.dataDir,
    sessionDays: config.sessionDays,
  });
  const app = await createApp({
    database,
    authorizer: identity.authorizer,
    auditor,
    log,
    publicUrl: config.publicUrl,
    behindProxy: config.behindProxy,
    checkAnswers,
    listMs: listMs ?? config.listMs,
    anonymousDatabase,
    anonymous: {
      perMinute: config.anonymousPerMinute,
      readDevice: (cookies) => readDevice(identity.signing, cookies),
      crew,
      turnMs,
    },
  });
  app.fastify.addHook('onClose', () => anonymousDatabase.close());
  const sharing = sharingOf(config, place, secret);
  const analyticsOptions: AnalyticsOptions = {
    database,
    log,
    facts,
    folder: join(config.dataDir, 'analytics'),
    engine: config.analyticsEngine,
    ...(place.of > 1 && { place: String(place.number), memory: memoryOfReplicas(place.of) }),
  };
  const analytics = sharing
    ? await startSharedAnalytics({ ...analyticsOptions, sharing })
    : await startAnalytics(analyticsOptions);
  app.fastify.addHook('onClose', async () => {
    await drained?.();
    await analytics.close();
  });
  crew.onEnded((id) => analytics.ended(id));
  watchAnalytics(app, analytics, crew);
  const readDisk = diskOf([config.dataDir, connection.databaseElsewhere].filter((one) => one !== undefined));
  watchOperations(app, {
    ...identity,
    readDisk,
    minFreeBytes: config.minFreeDiskBytes,
    isFirst: place.number === 1,
  });
  serveHealth(app);
  serveMetrics(app, config.metricsToken, { crew, number: place.number });
  serveDescription(app);
  serveSession(app, identity, config);
  serveDemo(app, config);
  serveProfile(app, identity);
  servePortal(app, identity);
  servePortalToStaff(app);
  serveInvitations(app, now);
  serveGuardians(app, guardianship);
  serveOwnChildren(app, guardianship);
  serveCaseReports(app, analytics, optionsOf, identity.authorizer);
  servePatients(app, analytics, optionsOf);
  serveTimeline(app, { 'case-reports': caseOnTimeline, results: resultOnTimeline });
  serveInvestigations(app);
  serveTestingAnalytics(app, analytics, optionsOf);
  serveStiAnalytics(app, analytics);
  serveCaseReportAnalytics(app, analytics);
  serveTreatments(app, analytics, optionsOf);
  serveVaccinations(app, optionsOf);
  serveDocuments(app, optionsOf);
  serveIncidentReports(app, optionsOf);
  serveContacts(app, optionsOf);
  serveCaseFollowUps(app, optionsOf);
  servePartnerServices(app, optionsOf);
  serveFieldVisits(app, optionsOf);
  serveSampleShipments(app, optionsOf);
  serveTelemedicine(app, optionsOf, config);
  serveIncidentAnalytics(app, analytics);
  serveVisitAnalytics(app, analytics);
  servePartnerAnalytics(app, analytics);
  serveOperationsAnalytics(app, analytics);
  serveHivAnalytics(app, analytics, optionsOf);
  serveWeeklyCases(app, analytics, optionsOf);
  serveImports(app);
  serveMatches(app);
  serveLookups(app, identity.authorizer, alwaysRestricted);
  serveUsers(app, optionsOf, identity);
  serveWorkTasks(app, optionsOf);
  serveInbox(app, notified);
  serveRecovery(app, identity, { waitMinutes: config.recoveryWaitMinutes });
  serveRoles(app);
  serveSettings(app, { sessions: identity.sessions, publicUrl: config.publicUrl });
  serveFormSettings(app);
  serveLogo(app);
  servePopulation(app);
  servePlaces(app, optionsOf);
  serveAudit(app);
  serveBreakGlass(app);
  serveWaiting(app);
  serveSearch(app);
  serveExportedFiles(app, secret);
  serveSystem(app, {
    crew,
    analytics,
    mailer: identity.mailer,
    readDisk,
    minFreeDiskBytes: config.minFreeDiskBytes,
  });
  const hub = await createEventHub({ database, log, fleet: sharing?.fleet });
  // Before the open streams are notified: a client that then loads again gets the current state.
  const forget = () => identity.authorizer.forgetMemberships();
  hub.subscribe((_, event) => {
    if (event.type === 'settings-changed') forget();
  }, forget);
  hub.onOutdated(({ kind, id }) => {
    if (kind === 'session') identity.authorizer.forgetSession(id);
    else lookupsOutdated(id);
  });
  serveEvents(app, identity.authorizer, hub, inboxHearing(database, notified, importHearing(database)));
  const stopFreshness = await tellFreshness({
    analytics,
    hub,
    fleet: sharing?.fleet,
    database: config.analyticsEngine === 'postgres' ? database : undefined,
  });
  if (background) {
    const jobs = { current: undefined as Jobs | undefined };
    const imports = importWorks({ database, url: connection.appUrl, dataDir: config.dataDir });
    let stopHeads = async () => {};
    let stopSweeping = () => {};
    const { publicUrl, videoUrl } = config;
    const visitMails = { database, mailer: identity.mailer, publicUrl, videoUrl };
    app.fastify.addHook('onReady', async () => {
      await imports.begin();
      stopHeads = logHeads({ database, log });
      stopSweeping = keepOutboxSwept(join(config.dataDir, 'outbox'), config.outboxDays, log);
      jobs.current = await startJobs({
        url: connection.appUrl,
        log,
        works: [
          ...identity.works,
          // A server that may not change tables leaves it to npm run migrate; until then the default partition
          // receives events.
          ...(connection.ownerUrl === undefined ? [] : [auditPartitionsWork(connection.ownerUrl)]),
          ...imports.works,
          bulkWork({
            database,
            auditor,
            authorizer: identity.authorizer,
            servers: bulkServers(new Lookups(database, optionsOf)),
          }),
          ...exportWorks(app, { database, auditor, authorizer: identity.authorizer }),
          tellWork(database),
          dailyWork(database),
          mailWork({ ...identity, database, sources: notified, publicUrl: config.publicUrl }),
          officersWork({ database, mailer: identity.mailer, publicUrl: config.publicUrl }),
          invitationWork({ database, mailer: identity.mailer, publicUrl: config.publicUrl }),
          ...requestWorks({ database }),
          ...recoveryMailWorks({ ...identity, database, publicUrl: config.publicUrl }),
          shorteningWork({ database, mailer: identity.mailer, publicUrl: config.publicUrl }),
          portalInvitationWork({ ...identity, database, publicUrl: config.publicUrl }),
          newResultsWork(guardianship),
          tellPatientWork({ ...identity, database, publicUrl: config.publicUrl }),
          reminderWork(visitMails),
          toldChangesWork(visitMails),
          missingRemindersWork(database),
          notBackWork(database),
          documentWork(database),
        ],
      });
    });
    app.fastify.addHook('onClose', async () => {
      stopSweeping();
      await stopHeads();
      await jobs.current?.stop();
      await imports.close();
    });
  }
  app.fastify.addHook('onClose', async () => {
    identity.close();
    await stopFreshness();
    await hub.close();
  });
  if (webRoot)
    await serveWebClient(app, webRoot, {
      uiLicenseKey: config.uiLicenseKey,
      demo: config.demo,
      demoMessages: showsMessages(config),
    });
  return app;
}

/**
 * DuckDB's memory per process, given the number of processes: a gigabyte in all, if that is enough for each to make
 * a replica.
 */
const memoryOfReplicas = (processes: number) => `${Math.max(512, Math.floor(1024 / processes))}MB`;

/**
 * The processes that share analytics replicas with this one: all servers that have an address, or else the other
 * processes of this server; undefined if it is alone.
 */
function sharingOf(
  { analyticsEngine, serverAddress }: Config,
  { number, of, server, id }: Place,
  secret: string,
): Sharing | undefined {
  if (analyticsEngine !== 'duckdb' || (of === 1 && !serverAddress)) return undefined;
  return {
    fleet: serverAddress ? NIL : server,
    process: id,
    processes: of,
    host: serverAddress?.host ?? '127.0.0.1',
    port: serverAddress ? serverAddress.port + number - 1 : 0,
    secret,
  };
}
