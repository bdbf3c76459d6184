import {
  correctionLimit,
  correctMessage,
  importMessages,
  type MessageText,
  readImport,
  readMessage,
} from '@caseway/contract/imports';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Pencil, RotateCw } from 'lucide-react';
import { Fragment, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { useFormats } from '../../words/formats.ts';
import { cellsOfRow, stretchesOf, withLineEnds } from './message-places.ts';
import { NeedsPermission, Place, SenderCode, StateMark } from './parts.tsx';
import { useImportWords } from './words.ts';

/** One message: its faults and their places, its text as received, and its correction. */
export function MessagePanel({
  importId,
  messageId,
  onOpen,
  onClose,
}: {
  importId: string;
  messageId: string;
  onOpen: (messageId: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const query = useApi(readMessage, { params: { id: importId, messageId } }, { keepPrevious: false });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <Box
      ref={box}
      tabIndex={-1}
      sx={{
        flex: 'none',
        display: { xs: 'contents', md: 'flex' },
        position: 'sticky',
        top: 16,
        maxHeight: 'calc(100dvh - 96px)',
        outline: 'none',
      }}
    >
      <SidePanel
        title={
          query.data && query.data.line !== null
            ? t('message.title', { line: formats.count(query.data.line) })
            : t('message.titlePending')
        }
        onClose={onClose}
      >
        <Answered query={query} height={280}>
          {(message) => <MessageBody importId={importId} message={message} onOpen={onOpen} />}
        </Answered>
      </SidePanel>
    </Box>
  );
}

function MessageBody({
  importId,
  message,
  onOpen,
}: {
  importId: string;
  message: MessageText;
  onOpen: (messageId: string) => void;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const words = useImportWords();
  const may = useMay();
  const id = useId();
  const { text, header, faults } = message;
  // A browser ends lines by \n; the places refer to the text as shown.
  const shown = useMemo(() => (text === null ? null : text.replaceAll(/\r\n|\r/g, '\n')), [text]);
  const stretches = useMemo(
    () => (shown === null ? [] : stretchesOf(shown, faults, header)),
    [shown, faults, header],
  );
  const correctable =
    shown !== null &&
    message.correctedBy === null &&
    (message.state === 'refused' || message.state === 'waiting');
  const draftName = `imports/${importId}/${message.id}`;
  const [draft, setDraft] = useState(() => readDraft(draftName, z.string()));
  useUnsaved(draft !== null && draft !== shown);
  const correct = useCall(correctMessage, { invalidates: [importMessages, readImport, readMessage] });
  const editor = useRef<HTMLTextAreaElement>(null);
  const editing = draft !== null;
  // The place of the first fault is chosen in the editor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when editing begins.
  useEffect(() => {
    if (!editing || !editor.current) return;
    editor.current.focus();
    const [first] = stretches;
    if (first && draft === shown) editor.current.setSelectionRange(first.from, first.to);
  }, [editing]);
  const change = (next: string | null) => {
    setDraft(next);
    if (next === null || next === shown) removeDraft(draftName);
    else saveDraft(draftName, next);
  };
  const run = (edited: string) =>
    correct.mutate(
      {
        params: { id: importId, messageId: message.id },
        body: { text: withLineEnds(edited, text ?? '') },
      },
      {
        onSuccess: (now) => {
          removeDraft(draftName);
          setDraft(null);
          notify(
            now.state === 'taken' || now.state === 'duplicate' ? 'success' : 'warning',
            `imports:message.now.${now.state}`,
          );
          onOpen(now.id);
        },
      },
    );
  const tooLong = draft !== null && draft.length > correctionLimit;

  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px' }}>
          <StateMark state={message.state} />
          {message.messageType && message.messageType !== 'row' ? (
            <Typography variant="mono">{message.messageType}</Typography>
          ) : null}
          {message.controlId ? <Typography variant="mono">{message.controlId}</Typography> : null}
        </Box>
        {message.sender ? (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {message.sender}
          </Typography>
        ) : null}
        {message.reason ? <Typography variant="body1">{words.reason(message.reason)}</Typography> : null}
        {message.duplicateOf ? <Typography variant="body2">{t('message.duplicate')}</Typography> : null}
        {message.correctedBy ? (
          <Link
            component="button"
            type="button"
            onClick={() => onOpen(message.correctedBy!)}
            sx={{ justifySelf: 'start' }}
          >
            {t('message.correctedBy')}
          </Link>
        ) : null}
        {message.corrects ? (
          <Link
            component="button"
            type="button"
            onClick={() => onOpen(message.corrects!)}
            sx={{ justifySelf: 'start' }}
          >
            {t('message.corrects')}
          </Link>
        ) : null}
      </Box>
      {message.waitingFor.length > 0 ? (
        <Box>
          <Typography variant="body2" sx={{ fontWeight: 550 }}>
            {t('message.waitingFor')}
          </Typography>
          <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
            {message.waitingFor.map((code) => (
              <li key={code.id}>
                <SenderCode {...code} />
              </li>
            ))}
          </Box>
        </Box>
      ) : null}
      {faults.length > 0 ? (
        <Box>
          <Typography variant="body2" component="h3" sx={{ fontWeight: 550, marginBottom: 1 }}>
            {t('message.faults')}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1.5 }}>
            {faults.map((fault, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: faults have no id and stay in their order.
              <Box component="li" key={index} sx={{ fontSize: '0.8125rem', lineHeight: 20 / 13 }}>
                <Box
                  component="span"
                  sx={{ fontWeight: 550, color: fault.severity === 'error' ? 'error.main' : 'warning.main' }}
                >
                  {t(`severity.${fault.severity}`)}
                </Box>{' '}
                <Place of={fault} />
                {words.fault(fault)}
              </Box>
            ))}
          </Box>
        </Box>
      ) : null}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="body2" component="h3" id={id} sx={{ fontWeight: 550 }}>
          {editing
            ? t('message.edit')
            : t(message.revision > 0 ? 'message.correctedText' : 'message.text', {
                charset: message.charset,
              })}
        </Typography>
        {shown === null ? (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {message.textDeletedAt === null
              ? t('message.noText')
              : t('message.textDeleted', { day: formats.day(message.textDeletedAt.slice(0, 10)) })}
          </Typography>
        ) : draft !== null ? (
          <OutlinedInput
            multiline
            minRows={8}
            maxRows={24}
            value={draft}
            error={tooLong}
            onChange={(event) => change(event.target.value)}
            inputRef={editor}
            inputProps={{
              'aria-labelledby': id,
              spellCheck: false,
              style: {
                padding: 10,
                fontFamily: '"IBM Plex Mono", ui-monospace, monospace',
                fontSize: '0.8125rem',
              },
            }}
          />
        ) : (
          <Box
            component="pre"
            // A region that scrolls can be scrolled from the keyboard.
            tabIndex={0}
            aria-labelledby={id}
            sx={{
              margin: 0,
              padding: 3,
              maxHeight: 420,
              overflow: 'auto',
              borderRadius: '6px',
              backgroundColor: 'raised',
              typography: 'mono',
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
            }}
          >
            <Marked text={shown} stretches={stretches} />
          </Box>
        )}
        {header && shown !== null && draft === null ? (
          <Cells text={shown} header={header} places={faults.map(({ place }) => place)} />
        ) : null}
        {correct.error ? <Alert severity="error">{t(`common:error.${correct.error.code}`)}</Alert> : null}
        {!correctable ? null : !may('imports/write') ? (
          <NeedsPermission permission="imports/write" deed={t('access.correct')} />
        ) : (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {draft === null ? (
              <>
                <Button
                  variant="contained"
                  size="small"
                  startIcon={<Pencil size={14} aria-hidden />}
                  onClick={() => change(shown)}
                >
                  {t('message.correct')}
                </Button>
                <Button
                  variant="outlined"
                  size="small"
                  startIcon={<RotateCw size={14} aria-hidden />}
                  loading={correct.isPending}
                  onClick={() => run(shown ?? '')}
                >
                  {t('message.again')}
                </Button>
              </>
            ) : (
              <>
                <Button
                  variant="contained"
                  size="small"
                  loading={correct.isPending}
                  disabled={draft.trim() === '' || tooLong}
                  onClick={() => run(draft)}
                >
                  {t('message.run')}
                </Button>
                <Button
                  variant="outlined"
                  size="small"
                  disabled={correct.isPending}
                  onClick={() => change(null)}
                >
                  {t('message.discard')}
                </Button>
              </>
            )}
          </Box>
        )}
        {editing ? (
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {t('message.editHelp')}
          </Typography>
        ) : null}
      </Box>
    </Box>
  );
}

/** A text with the places of its faults marked. */
function Marked({ text, stretches }: { text: string; stretches: ReturnType<typeof stretchesOf> }) {
  return (
    <>
      {stretches.map(({ from, to, severity }, index) => (
        <Fragment key={from}>
          {text.slice(stretches[index - 1]?.to ?? 0, from)}
          <Box
            component="mark"
            sx={{
              color: 'inherit',
              backgroundColor: 'tint',
              borderBottom: 2,
              borderColor: severity === 'error' ? 'error.main' : 'warning.main',
              // A place where something is missing has no width.
              ...(from === to ? { paddingX: '3px' } : {}),
            }}
          >
            {text.slice(from, to)}
          </Box>
        </Fragment>
      ))}
      {text.slice(stretches.at(-1)?.to ?? 0)}
    </>
  );
}

/** The row of a table under its header. */
function Cells({
  text,
  header,
  places,
}: {
  text: string;
  header: readonly string[];
  places: readonly string[];
}) {
  const cells = cellsOfRow(text, header.length);
  return (
    <Box
      component="dl"
      sx={{
        margin: 0,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
        fontSize: '0.8125rem',
        lineHeight: 20 / 13,
        '& > *': { padding: '3px 8px', margin: 0, overflowWrap: 'anywhere' },
      }}
    >
      {header.map((name, column) => {
        const faulty = places.includes(name);
        if (!faulty && !cells[column]?.value) return null;
        const colour = faulty ? { backgroundColor: 'tint', fontWeight: 550 } : {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name.
          <Fragment key={column}>
            <Box component="dt" sx={{ color: 'text.secondary', ...colour }}>
              {name}
            </Box>
            <Box component="dd" sx={colour}>
              {cells[column]?.value || '–'}
            </Box>
          </Fragment>
        );
      })}
    </Box>
  );
}
