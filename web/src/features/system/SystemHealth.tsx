import { type FailedJob, type SystemHealth as Health, readHealth, retryJob } from '@caseway/contract/system';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { CircleAlert, CircleCheck, Loader, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Page } from '../../ui/Page.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { Scrolling } from './parts.tsx';

/** The state of everything the product needs, for checks before and after someone calls. */
export default function SystemHealth() {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const query = useApi(readHealth, {});
  return (
    <Page
      title={t('common:screen.systemHealth')}
      lead={query.data ? t('health.asOf', { time: formats.instant(query.data.at) }) : t('health.lead')}
      actions={
        <Button
          variant="outlined"
          loading={query.isFetching}
          startIcon={<RefreshCw size={16} aria-hidden />}
          onClick={() => void query.refetch()}
        >
          {t('health.refresh')}
        </Button>
      }
    >
      <Answered query={query} height={640}>
        {(health) => (
          <>
            <Box
              sx={{
                display: 'grid',
                gap: 4,
                alignItems: 'start',
                gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
              }}
            >
              <Server product={health.product} parts={health.parts} audit={health.audit} />
              <Database of={health.database} />
              <Storage of={health.storage} backup={health.backup} at={health.at} />
              <Mail of={health.mail} />
            </Box>
            <Jobs jobs={health.jobs} failed={health.failedJobs} />
            <Replicas replicas={health.replicas} />
            <Imports imports={health.imports} />
          </>
        )}
      </Answered>
    </Page>
  );
}

type Mood = 'good' | 'bad' | 'busy';
const moods = {
  good: { icon: CircleCheck, color: 'success.main' },
  bad: { icon: CircleAlert, color: 'error.main' },
  busy: { icon: Loader, color: 'text.secondary' },
} as const;

/** A state, as words with a mark. */
function Mark({ mood, children }: { mood: Mood; children: string }) {
  const { icon: Icon, color } = moods[mood];
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
        <Icon size={15} />
      </Box>
      {children}
    </Box>
  );
}

/** The parts of /health/ready, and the version. */
function Server({ product, parts, audit }: Pick<Health, 'product' | 'parts' | 'audit'>) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  return (
    <Section title={t('health.server')}>
      <Facts
        facts={[
          ...parts.map(
            ({ name, ready }) =>
              [
                t(`part.${name}`, { defaultValue: t('common:label.unknown.other') }),
                <Mark key={name} mood={ready ? 'good' : 'bad'}>
                  {t(ready ? 'server.ready' : 'server.notReady')}
                </Mark>,
              ] as const,
          ),
          [
            t('server.audit'),
            <Mark key="audit" mood={audit.failed > 0 ? 'bad' : 'good'}>
              {audit.failed > 0
                ? t('server.auditFailed', { count: audit.failed, number: formats.count(audit.failed) })
                : t('server.auditWritten')}
            </Mark>,
          ],
          [t('server.version'), `${product.version} (${product.build})`],
        ]}
      />
    </Section>
  );
}

function Database({ of: database }: { of: Health['database'] }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const { connections } = database;
  return (
    <Section title={t('health.database')}>
      <Facts
        facts={[
          [
            t('database.state'),
            <Mark key="state" mood="good">
              {t('database.answers', { ms: formats.number(database.answerMs) })}
            </Mark>,
          ],
          [t('database.version'), `PostgreSQL ${database.version}`],
          [t('database.size'), formats.size(database.bytes)],
          ...database.servers.map(
            ({ address, bytes }) =>
              [
                t('database.sizeOn', { server: address }),
                bytes === null ? (
                  <Mark key={address} mood="bad">
                    {t('database.away')}
                  </Mark>
                ) : (
                  formats.size(bytes)
                ),
              ] as const,
          ),
          [t('database.since'), formats.instant(database.startedAt)],
          [
            t('database.connections'),
            t('database.connectionCount', {
              used: formats.count(connections.total - connections.idle),
              total: formats.count(connections.total),
              waiting: formats.count(connections.waiting),
            }),
          ],
          [t('database.migration'), database.migration],
        ]}
      />
    </Section>
  );
}

function roomOn(disk: Health['storage']): 'unread' | 'none' | 'scarce' | 'enough' {
  if (!disk) return 'unread';
  if (disk.freeBytes < disk.minFreeBytes) return 'none';
  // With less than a tenth free, a database soon runs out of room.
  return disk.freeBytes < disk.totalBytes / 10 ? 'scarce' : 'enough';
}

/** Backups are daily; after this many milliseconds one is missing. */
const backupIsOld = 36 * 3_600_000;

function Storage({ of: disk, backup, at }: { of: Health['storage']; backup: Health['backup']; at: string }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const state = roomOn(disk);
  return (
    <Section title={t('health.storage')}>
      <Facts
        facts={[
          [
            t('storage.state'),
            <Mark key="state" mood={state === 'enough' ? 'good' : 'bad'}>
              {t(`storage.${state}`, { limit: disk ? formats.size(disk.minFreeBytes) : '' })}
            </Mark>,
          ],
          [
            t('storage.free'),
            disk
              ? t('storage.freeOf', {
                  free: formats.size(disk.freeBytes),
                  total: formats.size(disk.totalBytes),
                  share: formats.wholeShare(disk.freeBytes / disk.totalBytes),
                })
              : null,
          ],
          [
            t('storage.backup'),
            <Mark
              key="backup"
              mood={backup && Date.parse(at) - Date.parse(backup.at) < backupIsOld ? 'good' : 'bad'}
            >
              {backup ? formats.instant(backup.at) : t('storage.noBackup')}
            </Mark>,
          ],
          [
            t('storage.backupFile'),
            backup
              ? t(backup.encrypted ? 'storage.backupEncrypted' : 'storage.backupPlain', {
                  size: formats.size(backup.bytes),
                })
              : null,
          ],
        ]}
      />
    </Section>
  );
}

function Mail({ of: mail }: { of: Health['mail'] }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const failing =
    mail.lastFailedAt !== null && (mail.lastSentAt === null || mail.lastFailedAt > mail.lastSentAt);
  return (
    <Section title={t('health.mail')}>
      <Facts
        facts={[
          [
            t('mail.state'),
            <Mark key="state" mood={failing ? 'bad' : 'good'}>
              {t(failing ? 'mail.failing' : 'mail.works')}
            </Mark>,
          ],
          [t('mail.by'), t(`mail.${mail.by}`)],
          [t('mail.sent'), formats.count(mail.sent)],
          [t('mail.failed'), formats.count(mail.failed)],
          [t('mail.lastSent'), mail.lastSentAt ? formats.instant(mail.lastSentAt) : null],
          [t('mail.lastFailed'), mail.lastFailedAt ? formats.instant(mail.lastFailedAt) : null],
          [t('mail.lastFailure'), mail.lastFailure],
        ]}
      />
    </Section>
  );
}

function Jobs({ jobs, failed }: { jobs: Health['jobs']; failed: readonly FailedJob[] }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  return (
    <Section title={t('health.jobs')}>
      {jobs.length === 0 ? (
        <Typography variant="body1" sx={{ color: 'text.secondary' }}>
          {t('jobs.none')}
        </Typography>
      ) : (
        <Scrolling label={t('health.jobs')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                {(['task', 'waiting', 'running', 'failed', 'oldest'] as const).map((column) => (
                  <TableCell key={column}>{t(`jobs.${column}`)}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {jobs.map((job) => (
                <TableRow key={job.task}>
                  <TableCell component="th" scope="row">
                    <TaskName task={job.task} />
                  </TableCell>
                  <TableCell>{formats.count(job.waiting)}</TableCell>
                  <TableCell>{formats.count(job.running)}</TableCell>
                  <TableCell>{formats.count(job.failed)}</TableCell>
                  <TableCell>{job.oldest ? formats.instant(job.oldest) : '–'}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Scrolling>
      )}
      {failed.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('jobs.noneFailed')}
        </Typography>
      ) : (
        <Box
          component="ul"
          aria-label={t('jobs.failures')}
          sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}
        >
          {failed.map((job) => (
            <Failure key={job.id} job={job} />
          ))}
        </Box>
      )}
    </Section>
  );
}

function TaskName({ task }: { task: string }) {
  const { t } = useTranslation('system');
  return (
    <>
      {t(`task.${task}`, { defaultValue: t('common:label.unknown.other') })}
      <Typography variant="mono" component="div" sx={{ color: 'text.secondary', fontSize: '0.75rem' }}>
        {task}
      </Typography>
    </>
  );
}

function Failure({ job }: { job: FailedJob }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const may = useMay();
  const retry = useCall(retryJob, { invalidates: [readHealth] });
  const name = t(`task.${job.task}`, { defaultValue: t('common:label.unknown.other') });
  return (
    <Alert
      component="li"
      severity={job.givenUp ? 'error' : 'warning'}
      action={
        may('tenants/write') ? (
          <Button
            size="small"
            variant="outlined"
            loading={retry.isPending}
            aria-label={t('jobs.retryNamed', { task: name })}
            onClick={() =>
              retry.mutate(
                { params: { id: job.id } },
                {
                  onSuccess: () => notify('success', 'system:done.retried'),
                  onError: (error) => notify('error', `error.${error.code}`),
                },
              )
            }
          >
            {t('jobs.retry')}
          </Button>
        ) : null
      }
    >
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {name}
      </Typography>
      <Typography variant="body2">
        {job.away
          ? t('jobs.away', { since: formats.instant(job.since) })
          : t('jobs.reason', {
              reason: job.reason,
              attempts: formats.count(job.attempts),
              most: formats.count(job.maxAttempts),
              since: formats.instant(job.since),
            })}{' '}
        {job.givenUp ? t('jobs.givenUp') : t('jobs.next', { time: formats.instant(job.nextAt) })}
      </Typography>
    </Alert>
  );
}

function Replicas({ replicas }: { replicas: Health['replicas'] }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  return (
    <Section title={t('health.replicas')}>
      {replicas.length === 0 ? (
        <Typography variant="body1" sx={{ color: 'text.secondary' }}>
          {t('replicas.none')}
        </Typography>
      ) : (
        <Scrolling label={t('health.replicas')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                {(['tenant', 'state', 'age', 'size'] as const).map((column) => (
                  <TableCell key={column}>{t(`replicas.${column}`)}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {replicas.map((replica) => {
                const mood = replica.failing ? 'bad' : replica.seconds === null ? 'busy' : 'good';
                return (
                  <TableRow key={replica.tenantId}>
                    <TableCell component="th" scope="row">
                      {replica.tenant}
                    </TableCell>
                    <TableCell>
                      <Mark mood={mood}>{t(`replicas.${replica.away ? 'away' : mood}`)}</Mark>
                    </TableCell>
                    <TableCell>
                      {replica.seconds === null
                        ? '–'
                        : t('replicas.seconds', {
                            count: Math.round(replica.seconds),
                            number: formats.count(Math.round(replica.seconds)),
                          })}
                    </TableCell>
                    <TableCell>{formats.size(replica.bytes)}</TableCell>
                  </TableRow>
                );
              })}
            </TableBody>
          </Table>
        </Scrolling>
      )}
    </Section>
  );
}

function Imports({ imports }: { imports: Health['imports'] }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const columns = ['done', 'running', 'queued', 'needs-mapping', 'failed', 'cancelled'] as const;
  return (
    <Section title={t('health.imports')}>
      <Scrolling label={t('health.imports')}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{t('replicas.tenant')}</TableCell>
              {columns.map((column) => (
                <TableCell key={column}>{t(`importState.${column}`)}</TableCell>
              ))}
              <TableCell>{t('imports.last')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {imports.map(({ tenantId, tenant, states, lastAt, away }) => (
              <TableRow key={tenantId}>
                <TableCell component="th" scope="row">
                  {tenant}
                </TableCell>
                {away ? (
                  <TableCell colSpan={columns.length + 1}>
                    <Mark mood="bad">{t('replicas.away')}</Mark>
                  </TableCell>
                ) : (
                  <>
                    {columns.map((column) => (
                      <TableCell key={column}>{formats.count(states[column] ?? 0)}</TableCell>
                    ))}
                    <TableCell>{lastAt ? formats.instant(lastAt) : t('imports.never')}</TableCell>
                  </>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Scrolling>
    </Section>
  );
}
