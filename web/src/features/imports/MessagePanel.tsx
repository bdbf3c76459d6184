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
import Typography from '@mui/material/Typography';
import { Pencil, RotateCw } from 'lucide-react';
import { Fragment, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { becameOld, callApi, useApi, useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { TextField } from '../../ui/Form.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { cellsOfRow, errorsFirst, stretchesOf, withLineEnds } from './message-places.ts';
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

/** A browser ends lines with \n; the places refer to the text as shown. */
const withoutReturns = ({ text }: Pick<MessageText, 'text'>) => (text ?? '').replaceAll(/\r\n|\r/g, '\n');
const correctionForm = z.object({
  text: z
    .string()
    .max(correctionLimit)
    .refine((text) => text.trim() !== '', { params: { code: 'required' } }),
});

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
  const shown = useMemo(() => (text === null ? null : withoutReturns({ text })), [text]);
  const stretches = useMemo(
    () => (shown === null ? [] : stretchesOf(shown, faults, header)),
    [shown, faults, header],
  );
  const correctable =
    shown !== null &&
    message.correctedBy === null &&
    (message.state === 'refused' || message.state === 'waiting');
  const params = { id: importId, messageId: message.id };
  const old = [importMessages, readImport, readMessage];
  const correct = useCall(correctMessage, { invalidates: old });
  const shownText = shown ?? '';
  const stored = { version: message.revision, values: { text: shownText } };
  const run = (edited: string) =>
    correct.mutateAsync({ params, body: { text: withLineEnds(edited, text ?? '') } });
  const told = (now: Pick<MessageText, 'id' | 'state'>) => {
    notify(
      now.state === 'taken' || now.state === 'duplicate' ? 'success' : 'warning',
      `imports:message.now.${now.state}`,
    );
    onOpen(now.id);
  };
  /**
   * A correction that was not accepted has stored nothing yet, so restoring the earlier text undoes it
   * completely.
   */
  const toldOfCorrection = (now: Pick<MessageText, 'id' | 'state'>) => {
    if (now.state === 'taken' || now.state === 'duplicate') return told(now);
    const back = async () => {
      const again = { id: importId, messageId: now.id };
      const body = { text: withLineEnds(shownText, text ?? '') };
      onOpen((await callApi(correctMessage, { params: again, body })).id);
    };
    offerUndo(`imports:message.now.${now.state}`, back, { kind: 'warning', old });
    onOpen(now.id);
  };
  const correction = useRecordForm<{ text: string }, Pick<MessageText, 'id' | 'state'>>(
    correctionForm,
    `imports/${importId}/${message.id}`,
    stored,
    {
      write: (changes) => run(changes.text as string),
      read: async () => {
        const now = await callApi(readMessage, { params });
        // Someone else has corrected it: their correction is linked here.
        becameOld(readMessage);
        return { version: now.revision, values: { text: withoutReturns(now) } };
      },
      // The correction is a separate message.
      versionOf: () => stored,
      onSaved: (now) => {
        setEditing(false);
        toldOfCorrection(now);
      },
    },
  );
  const [editing, setEditing] = useState(correction.restored);
  const { dirty, saving } = correction;
  /** The refusal of reprocessing it unchanged. */
  const refusal = editing ? null : correct.error;
  const box = useRef<HTMLDivElement>(null);
  // Selects the place of the first error in the editor, or else of the first warning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when editing begins.
  useEffect(() => {
    const editor = editing ? box.current?.querySelector('textarea') : null;
    if (!editor) return;
    editor.focus();
    const first = stretches.find(({ severity }) => severity === 'error') ?? stretches[0];
    if (first && !dirty) editor.setSelectionRange(first.from, first.to);
  }, [editing]);

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
      {!correctable || editing ? null : !may('imports/write') ? (
        <NeedsPermission permission="imports/write" deed={t('access.correct')} />
      ) : (
        // Above a text that can be long, and visible while it scrolls.
        <Box
          sx={{
            position: 'sticky',
            top: -16,
            zIndex: 1,
            display: 'flex',
            flexWrap: 'wrap',
            gap: 2,
            margin: '-8px -16px',
            padding: '8px 16px',
            backgroundColor: 'surface',
          }}
        >
          <Button
            variant="contained"
            size="small"
            startIcon={<Pencil size={14} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            {t('message.correct')}
          </Button>
          <Button
            variant="outlined"
            size="small"
            startIcon={<RotateCw size={14} aria-hidden />}
            loading={correct.isPending}
            onClick={() => void run(shownText).then(told, () => {})}
          >
            {t('message.again')}
          </Button>
        </Box>
      )}
      {refusal ? <Alert severity="error">{t(`common:error.${refusal.code}`)}</Alert> : null}
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
            {errorsFirst(faults).map((fault, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: faults have no id and a fixed order.
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
      <Box
        ref={box}
        component="form"
        noValidate
        onSubmit={(event) => void correction.send(() => void run(shownText).then(told, () => {}))(event)}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {editing ? null : (
          <Typography variant="body2" component="h3" id={id} sx={{ fontWeight: 550 }}>
            {t(message.revision > 0 ? 'message.correctedText' : 'message.text', { charset: message.charset })}
          </Typography>
        )}
        {shown === null ? (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {message.textDeletedAt === null
              ? t('message.noText')
              : t('message.textDeleted', { day: formats.day(message.textDeletedAt.slice(0, 10)) })}
          </Typography>
        ) : editing ? (
          <FormBody of={correction} labels={{ text: t('message.edit') }} text={(_, value) => String(value)}>
            <TextField
              name="text"
              label={t('message.edit')}
              help={t('message.editHelp')}
              multiline
              minRows={8}
              maxRows={24}
              inputProps={{
                spellCheck: false,
                style: {
                  padding: 10,
                  fontFamily: '"IBM Plex Mono", ui-monospace, monospace',
                  fontSize: '0.8125rem',
                },
              }}
            />
          </FormBody>
        ) : (
          <Box
            component="pre"
            // Keyboard users can scroll a focusable region.
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
        {header && shown !== null && !editing ? <Cells text={shown} header={header} faults={faults} /> : null}
        {editing ? (
          <StickyActions sx={{ bottom: -16, marginX: -4, paddingX: 4 }}>
            <Button type="submit" variant="contained" size="small" loading={saving}>
              {t('message.run')}
            </Button>
            <Button
              variant="outlined"
              size="small"
              disabled={saving}
              onClick={() => {
                correction.discard();
                setEditing(false);
              }}
            >
              {t('message.discard')}
            </Button>
          </StickyActions>
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

/** A table's row under its header. */
function Cells({
  text,
  header,
  faults,
}: {
  text: string;
  header: readonly string[];
  faults: MessageText['faults'];
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
        const [fault] = errorsFirst(faults.filter(({ place }) => place === name));
        if (!fault && !cells[column]?.value) return null;
        const colour = fault
          ? {
              backgroundColor: 'tint',
              fontWeight: 550,
              borderBottom: 2,
              borderColor: fault.severity === 'error' ? 'error.main' : 'warning.main',
            }
          : {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
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
