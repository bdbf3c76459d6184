import { listMappings, mappingStates } from '@caseway/contract/imports';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { Inbox } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient, useApi } from '../../data/api.ts';
import { useSingleKeys } from '../../data/use-preferences.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { isTyping } from '../../ui/Key.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useAddressChoices } from '../../view/address-choices.ts';
import { CodeTable } from './CodeTable.tsx';
import { useCodeDecisions } from './code-decisions.ts';
import {
  type ImportProgress,
  ImportsNavigation,
  NeedsPermission,
  Pager,
  useImportProgress,
  useSenderCounts,
} from './parts.tsx';

/** Laboratory codes that no one has mapped yet: each is mapped once for its sender. */
export default function Codes() {
  const { t } = useTranslation('imports');
  const may = useMay();
  const singleKeys = useSingleKeys();
  const place = useRef<HTMLDivElement>(null);
  const {
    chosen: { state, sender },
    choose,
    page,
    setPage,
  } = useAddressChoices({ state: mappingStates, sender: null });
  const [words, setWords] = useState('');
  const [running, setRunning] = useState<ReadonlyMap<string, ImportProgress>>(new Map());
  const query = useApi(listMappings, {
    query: { state, words, page: String(page), ...(sender !== null && { sender }) },
  });
  const { isHidden, decide, undoLast } = useCodeDecisions(query.data?.rows);
  const steady = useSteady(query.data?.rows ?? [], `${state} ${sender} ${words} ${page}`);
  useImportProgress({
    onProgress: (event) =>
      setRunning((before) => {
        const next = new Map(before);
        if (event.state === 'running' || event.state === 'queued') next.set(event.importId, event);
        else next.delete(event.importId);
        return next;
      }),
    refresh: () => void queryClient.invalidateQueries({ queryKey: [listMappings.path] }),
  });
  const writes = may('mappings/write');
  const shares = [...running.values()].map(({ progress }) => progress);
  // If the reader may not know a file's size, the share is also unknown.
  const known = shares.filter((share) => share !== null);
  const countsOf = useSenderCounts(state);
  const senders = (query.data?.senders ?? []).map((one) => ({
    id: one.sender,
    label: one.sender || t('codes.noSender'),
    detail: countsOf(one),
  }));
  return (
    <Page title={t('common:screen.importCodes')} lead={t('codes.lead')}>
      <ImportsNavigation />
      <Box sx={{ maxWidth: 480 }}>
        <Segments
          label={t('codes.state')}
          hideLabel
          value={state}
          options={mappingStates.map((value) => ({ value, label: t(`codeState.${value}`) }))}
          onChange={(next) => choose({ state: next, sender: null })}
        />
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 320px) minmax(0, 320px)' },
        }}
      >
        <SearchField
          label={t('codes.find')}
          onSearch={(next) => {
            setWords(next);
            setPage(0);
          }}
        />
        <ChoiceField
          label={t('codes.sender')}
          placeholder={t('codes.everySender')}
          value={
            sender === null
              ? null
              : (senders.find(({ id }) => id === sender) ?? {
                  id: sender,
                  label: sender || t('codes.noSender'),
                })
          }
          options={senders}
          onChange={(next) => choose({ sender: next?.id ?? null })}
        />
      </Box>
      {writes ? null : <NeedsPermission permission="mappings/write" deed={t('access.codes')} />}
      {shares.length > 0 ? (
        <Progress
          label={t('codes.running', { count: shares.length })}
          value={
            known.length === shares.length
              ? known.reduce((sum, share) => sum + share, 0) / known.length
              : null
          }
        />
      ) : null}
      <Box
        ref={place}
        tabIndex={-1}
        sx={{ outline: 'none' }}
        onKeyDown={(event) => {
          if (event.key !== 'z' || !singleKeys || isTyping(event.target)) return;
          if (!event.ctrlKey && !event.metaKey && !event.altKey) undoLast();
        }}
      >
        <Answered query={query} height={320}>
          {({ rowCount }) => {
            const shown = steady.filter((row) => !isHidden(row));
            if (shown.length === 0 && rowCount <= steady.length)
              return (
                <Message
                  icon={Inbox}
                  title={words === '' && sender === null ? t(`codes.none.${state}`) : t('codes.noneFound')}
                >
                  {state === 'open' && words === '' && sender === null ? t('codes.noneText') : null}
                </Message>
              );
            return (
              <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
                {state === 'open' && shown.some(({ waiting }) => waiting === 0) ? (
                  <Alert severity="info">{t('codes.waitingNone')}</Alert>
                ) : null}
                <CodeTable
                  key={`${state} ${sender} ${page}`}
                  rows={shown}
                  senders={query.data?.senders ?? []}
                  writes={writes}
                  decide={(to, codes) => {
                    // With the last code the table disappears, and the focus would be lost with it.
                    if (codes.length === shown.length) place.current?.focus();
                    void decide(to, codes);
                  }}
                />
                <Pager page={page} rowCount={rowCount} onPage={setPage} />
              </Box>
            );
          }}
        </Answered>
      </Box>
    </Page>
  );
}

/**
 * Rows by sender in the order they were first shown, later ones last: each decision changes how much waits,
 * and re-sorting would move the list under the user.
 */
function useSteady<Row extends { id: string; sender: string }>(rows: readonly Row[], asked: string): Row[] {
  const seen = useRef({ asked, senders: [] as string[], ids: [] as string[] });
  if (seen.current.asked !== asked) seen.current = { asked, senders: [], ids: [] };
  const { senders, ids } = seen.current;
  for (const { id, sender } of rows) {
    if (!ids.includes(id)) ids.push(id);
    if (!senders.includes(sender)) senders.push(sender);
  }
  return rows.toSorted(
    (a, b) => senders.indexOf(a.sender) - senders.indexOf(b.sender) || ids.indexOf(a.id) - ids.indexOf(b.id),
  );
}
