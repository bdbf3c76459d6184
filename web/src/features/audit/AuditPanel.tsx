import { type AuditEventDetail, readAuditEvent } from '@caseway/contract/audit';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { useLabelsOf } from '../../data/use-labels.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { useFormats } from '../../words/formats.ts';
import { lookupsOf, saidOf, wordsOfValues } from './event-values.ts';
import { useAuditWords } from './words.ts';

const shownRecords = 20;

/** One event: all its details, with links to everything about its records or its person. */
export function AuditPanel({
  id,
  onRecord,
  onAccount,
  onClose,
}: {
  id: string;
  onRecord: (recordId: string) => void;
  onAccount: (accountId: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('audit');
  const query = useApi(readAuditEvent, { params: { id } });
  return (
    <SidePanel title={t('panel.title')} onClose={onClose}>
      <Answered query={query} height={320}>
        {(event) => (
          <Box aria-busy={query.isPlaceholderData} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
            {/* Values use the texts of many screens. */}
            <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
              <Event event={event} onRecord={onRecord} onAccount={onAccount} />
            </Suspense>
          </Box>
        )}
      </Answered>
    </SidePanel>
  );
}

function Event({
  event,
  onRecord,
  onAccount,
}: {
  event: AuditEventDetail;
  onRecord: (recordId: string) => void;
  onAccount: (accountId: string) => void;
}) {
  const { t, i18n } = useTranslation(wordsOfValues);
  const formats = useFormats();
  const words = useAuditWords(true);
  const { recordKind } = event;
  const labels = useLabelsOf(lookupsOf(event.detail, recordKind));
  const said = (name: string, value: unknown) =>
    saidOf(name, value, {
      t: t as TFunction,
      language: i18n.language,
      formats,
      labels,
      recordKind,
      detail: words.detail,
    });
  const { changes, more } = partsOf(event.detail);
  const { accountId } = event;
  const only = event.recordIds.length === 1 ? event.recordIds[0] : undefined;
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
        {words.sentence(event)}
      </Typography>
      <Facts
        facts={[
          [t('column.at'), formats.instant(event.at)],
          [t('column.who'), event.who ?? t('who.system')],
          [t('column.account'), event.account],
          [t('column.recordKind'), words.record(event)],
          [t('column.records'), words.records(event)],
          [t('column.organization'), event.organization],
          [t('column.reason'), event.withheld ? t('panel.withheldText') : event.reason],
        ]}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {accountId === null ? null : (
          <Button variant="outlined" size="small" onClick={() => onAccount(accountId)}>
            {t('account.show')}
          </Button>
        )}
        {only === undefined ? null : (
          <Button variant="outlined" size="small" onClick={() => onRecord(only)}>
            {t('panel.history')}
          </Button>
        )}
      </Box>
      {changes ? (
        <Part title={t('panel.changes')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{t('panel.field')}</TableCell>
                <TableCell>{t('panel.before')}</TableCell>
                <TableCell>{t('panel.after')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {Object.entries(changes.after).map(([field, value]) => (
                <TableRow key={field}>
                  <TableCell>{words.detail(field)}</TableCell>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>
                    {said(field, changes.before[field])}
                  </TableCell>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>{said(field, value)}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Part>
      ) : null}
      {Object.keys(more).length > 0 ? (
        <Part title={t('panel.more')}>
          <Facts
            facts={Object.entries(more).map(
              ([name, value]) => [words.detail(name), said(name, value)] as const,
            )}
          />
        </Part>
      ) : null}
      <Technical event={event} action={words.action(event)} onRecord={onRecord} />
    </Box>
  );
}

/** How the product recorded the event, for people who study the log itself; closed by default. */
function Technical({
  event,
  action,
  onRecord,
}: {
  event: AuditEventDetail;
  action: string;
  onRecord: (recordId: string) => void;
}) {
  const { t } = useTranslation('audit');
  const [open, setOpen] = useState(false);
  const id = useId();
  const mono = (text: string | null) =>
    text && (
      <Typography component="span" variant="mono" sx={{ overflowWrap: 'anywhere' }}>
        {text}
      </Typography>
    );
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', paddingTop: 2, display: 'grid', gap: 3 }}>
      <Button
        variant="text"
        size="small"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        startIcon={open ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
        sx={{ justifySelf: 'start' }}
      >
        {t('panel.technical')}
      </Button>
      <Box
        id={id}
        hidden={!open}
        sx={{ display: open ? 'grid' : 'none', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        <Facts
          facts={[
            [t('column.action'), action],
            [t('column.recordedAs'), mono(event.action)],
            [t('column.address'), mono(event.address)],
            [t('column.requestId'), mono(event.requestId)],
            [t('column.place'), event.place && t('panel.place', event.place)],
          ]}
        />
        <RecordIds event={event} onRecord={onRecord} />
      </Box>
    </Box>
  );
}

function RecordIds({ event, onRecord }: { event: AuditEventDetail; onRecord: (recordId: string) => void }) {
  const { t } = useTranslation('audit');
  if (event.recordIds.length === 0) return null;
  return (
    <Part title={t('panel.records')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}>
        {event.recordIds.slice(0, shownRecords).map((recordId) => (
          <Box component="li" key={recordId}>
            <Button
              variant="text"
              size="small"
              aria-label={`${t('panel.history')}: ${recordId}`}
              onClick={() => onRecord(recordId)}
              sx={{ typography: 'mono', padding: '2px 4px', minHeight: 32 }}
            >
              {recordId}
            </Button>
          </Box>
        ))}
      </Box>
      {event.records > shownRecords ? (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('panel.moreRecords', { count: event.records - shownRecords })}
        </Typography>
      ) : null}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box
      component="section"
      sx={{ borderTop: 1, borderColor: 'divider', paddingTop: 3, minWidth: 0, overflowX: 'auto' }}
    >
      <Typography variant="body1" component="h3" sx={{ fontWeight: 650, marginBottom: 2 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The changes field by field, and the event's other details; a replaced list is not a set of fields. */
function partsOf(detail: AuditEventDetail['detail']) {
  const { before, after, ...more } = detail;
  return isObject(after)
    ? { changes: { before: isObject(before) ? before : {}, after }, more }
    : { changes: null, more: detail };
}
