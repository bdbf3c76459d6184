import { auditGrid, exportAudit, findAuditedRecords, listAuditArchives } from '@caseway/contract/audit';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi, useCall } from '../../data/api.ts';
import { useExport } from '../../data/use-export.ts';
import { useAppSelector } from '../../session/store.ts';
import { DateRangeField } from '../../ui/DateRangeField.tsx';
import { FilterChip } from '../../ui/FilterChip.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { ExportButton } from '../../ui/grid/ExportButton.tsx';
import { Page } from '../../ui/Page.tsx';
import { WithPanel } from '../../ui/WithPanel.tsx';
import { type GridState, useGrid } from '../../view/use-grid.ts';
import { useFormats } from '../../words/formats.ts';
import { AuditPanel } from './AuditPanel.tsx';
import { VerifyLog } from './VerifyLog.tsx';
import { useAuditWords } from './words.ts';

/** Who did what, with whose record, when, from where, for which organization and why. [P15] */
export default function Audit() {
  const { t } = useTranslation('audit');
  const state = useGrid(auditGrid);
  const words = useAuditWords(state.rows?.some(({ filteredBy }) => filteredBy.length > 0));
  const { view } = state;
  const [openId, setOpenId] = useState<string | null>(null);
  const whole = useAppSelector((root) => root.authentication.selectedTenantOrg?.orgType === 'T');
  const filter = (name: string): string[] => view.filters[name] ?? [];
  const only = (name: 'accountFilter' | 'recordFilter', ids: string[]) =>
    state.setFilters({ ...view.filters, [name]: ids });
  return (
    <Page
      fill
      title={t('common:screen.audit')}
      lead={t('screen.lead')}
      actions={whole ? <VerifyLog /> : null}
    >
      <Archives />
      <WithPanel
        onClose={() => setOpenId(null)}
        panel={
          openId === null ? null : (
            <AuditPanel
              id={openId}
              onRecord={(id) => only('recordFilter', [id])}
              onAccount={(id) => only('accountFilter', [id])}
              onClose={() => setOpenId(null)}
            />
          )
        }
      >
        <DataGrid
          grid={auditGrid}
          state={state}
          label={t('list.title')}
          words={{
            column: (field) => t(`column.${field}`),
            choice: (field, code) =>
              field === 'action'
                ? t(`action.${code}`)
                : field === 'recordKind'
                  ? t(`kind.${code}`, { defaultValue: t('common:label.unknown.other') })
                  : t(`deed.${code}`, { defaultValue: t('common:label.unknown.other') }),
          }}
          onOpen={(row) => setOpenId(row.id)}
          openId={openId}
          cells={{
            who: (row) => row.who ?? t('who.system'),
            action: (row) => words.sentence(row),
            recordKind: (row) => words.record(row),
            records: (row) => words.records(row),
            reason: (row) => (row.withheld ? t('panel.withheld') : row.reason),
          }}
          filters={
            <>
              <DateRangeField
                allDays
                value={view.range}
                defaultRange={auditGrid.defaultRange}
                today={state.today}
                onChange={state.setRange}
              />
              <RecordSearch onFound={(ids) => only('recordFilter', ids)} />
              {filter('recordFilter').length > 0 ? (
                <FilterChip
                  name={t('record.label')}
                  value={t('record.found', { count: filter('recordFilter').length })}
                  onRemove={() => only('recordFilter', [])}
                />
              ) : null}
              {filter('accountFilter').length > 0 ? (
                <FilterChip
                  name={t('column.who')}
                  value={t('account.only')}
                  onRemove={() => only('accountFilter', [])}
                />
              ) : null}
            </>
          }
          actions={<ExportEvents state={state} />}
          empty={{ title: t('list.empty') }}
        />
      </WithPanel>
    </Page>
  );
}

/** Says that older months are in archive files, so that no one thinks that nothing happened. */
function Archives() {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const { data } = useApi(listAuditArchives, undefined, { staleTime: cacheMs });
  const latest = data?.months[0]?.month;
  if (latest === undefined) return null;
  const [year, month] = latest.split('-').map(Number) as [number, number];
  const day = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  return (
    <Alert severity="info">
      {t('archives.summary', { count: data!.months.length, day: formats.day(day) })}
    </Alert>
  );
}

/**
 * Finds a record by its number and shows everything that happened to it. The number never enters the address.
 * [P16]
 */
function RecordSearch({ onFound }: { onFound: (ids: string[]) => void }) {
  const { t } = useTranslation('audit');
  const id = useId();
  const [text, setText] = useState('');
  const find = useCall(findAuditedRecords);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    find.mutate(
      { body: { text } },
      {
        onSuccess: ({ records }) => {
          if (records.length > 0) onFound(records.map((record) => record.id));
        },
      },
    );
  };
  return (
    <Box component="form" onSubmit={submit} sx={{ display: 'grid', gap: 1 }}>
      <Typography component="label" htmlFor={id} variant="body2" sx={{ fontWeight: 550 }}>
        {t('record.label')}
      </Typography>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <OutlinedInput
          id={id}
          size="small"
          value={text}
          placeholder={t('record.help')}
          onChange={(event) => setText(event.target.value)}
          inputProps={{ 'aria-describedby': `${id}-said`, autoComplete: 'off', spellCheck: false }}
          sx={{ width: { xs: '100%', sm: 440 } }}
        />
        <Button type="submit" variant="outlined" size="small" loading={find.isPending}>
          {t('record.find')}
        </Button>
      </Box>
      <Typography
        id={`${id}-said`}
        role="status"
        variant="caption"
        sx={{ color: find.error ? 'error.main' : 'text.secondary', '&:empty': { display: 'none' } }}
      >
        {find.error
          ? t(`common:error.${find.error.code}`)
          : find.data?.records.length === 0
            ? t('record.none')
            : null}
      </Typography>
    </Box>
  );
}

/** All matching events on all pages, as a file. */
function ExportEvents({ state }: { state: GridState<unknown> }) {
  const events = useExport(exportAudit, 'audit.csv');
  return (
    <ExportButton
      size="small"
      isRunning={events.isRunning}
      disabled={!state.rowCount}
      onStart={() => events.start({ body: { query: state.request } })}
      onCancel={events.cancel}
    />
  );
}
