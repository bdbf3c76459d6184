import { filled, type MailKind, mailFaults, mailKinds, mailShapes } from '@caseway/contract/mail-text';
import { type Language, languages } from '@caseway/contract/session';
import { changeMessage, type Message, readMessages } from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { queryClient, useApi, useCall } from '../../data/api.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { useAppSelector } from '../../session/store.ts';
import { mayLeave, useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { FaultSummary, focusOn } from '../../ui/FaultSummary.tsx';
import { Field } from '../../ui/Field.tsx';
import { Section } from '../../ui/Section.tsx';
import { languageNames, languageOf } from '../../words/i18n.ts';

/** The product's messages in the tenant's words: one message in one language at a time. */
export function Messages() {
  const { t, i18n } = useTranslation('settings');
  const id = useId();
  const query = useApi(readMessages);
  const [kind, setKind] = useState<MailKind>('invitation');
  const [language, setLanguage] = useState<Language>(languageOf(i18n.language) ?? 'en');
  const choose = (next: () => void) =>
    void mayLeave('screen').then((agreed) => {
      if (agreed) next();
    });
  return (
    <Section title={t('section.messages')}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('messages.lead')}
      </Typography>
      <Answered query={query} height={480}>
        {({ messages, address }) => {
          const changed = (one: MailKind) =>
            messages.some((message) => message.kind === one && message.own !== null);
          const message = messages.find((one) => one.kind === kind && one.language === language)!;
          return (
            <>
              <Box
                sx={{
                  display: 'grid',
                  gap: 4,
                  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
                  maxWidth: 720,
                }}
              >
                <Field id={`${id}-kind`} label={t('messages.kind')} required>
                  {() => (
                    <NativeSelect
                      value={kind}
                      onChange={({ target: { value } }) => choose(() => setKind(value as MailKind))}
                      input={<OutlinedInput fullWidth />}
                      inputProps={{ id: `${id}-kind` }}
                    >
                      {mailKinds.map((one) => (
                        <option key={one} value={one}>
                          {changed(one)
                            ? t('messages.changed', { message: t(`message.${one}`) })
                            : t(`message.${one}`)}
                        </option>
                      ))}
                    </NativeSelect>
                  )}
                </Field>
                <Field id={`${id}-language`} label={t('labels.language')} required>
                  {() => (
                    <NativeSelect
                      value={language}
                      onChange={({ target: { value } }) => choose(() => setLanguage(value as Language))}
                      input={<OutlinedInput fullWidth />}
                      inputProps={{ id: `${id}-language` }}
                    >
                      {languages.map((one) => (
                        <option key={one} value={one}>
                          {languageNames[one]}
                        </option>
                      ))}
                    </NativeSelect>
                  )}
                </Field>
              </Box>
              <EditMessage key={`${kind} ${language}`} message={message} address={address} />
            </>
          );
        }}
      </Answered>
    </Section>
  );
}

const words = z.object({ subject: z.string(), body: z.string() });
/** The draft, and the words it is based on: on others it would undo what someone else has written. */
const kept = z.object({ text: words, before: words.nullable() });

function EditMessage({ message, address }: { message: Message; address: string }) {
  const { t } = useTranslation('settings');
  const id = useId();
  const { kind, language, builtIn } = message;
  const shape = mailShapes[kind];
  const draftName = `settings/message/${kind}/${language}`;
  /** The tenant's words when the draft was begun. */
  const [draft] = useState(() => readDraft(draftName, kept));
  const [before, setBefore] = useState(draft ? draft.before : message.own);
  const said = before ?? builtIn;
  const [text, setText] = useState(draft?.text ?? said);
  /** How often it was sent since it was last saved. */
  const [tries, setTries] = useState(0);
  const body = useRef<HTMLTextAreaElement>(null);
  const call = useCall(changeMessage, { invalidates: [readMessages] });
  const dirty = text.subject !== said.subject || text.body !== said.body;
  useUnsaved(dirty);
  useEffect(() => {
    if (dirty) saveDraft(draftName, { text, before });
    else removeDraft(draftName);
  }, [dirty, text, before, draftName]);
  const trimmed = { subject: text.subject.trim(), body: text.body.trim() };
  const faults = mailFaults(kind, trimmed);
  const faultOf = (path: 'subject' | 'body') => {
    const fault =
      path === 'body' && trimmed.body === '' ? { code: 'required' } : faults.find((one) => one.path === path);
    return tries > 0 && fault ? t(`common:fault.${fault.code}`) : undefined;
  };
  const send = (next: typeof text | null) =>
    call.mutate(
      { body: { kind, language, text: next, before } },
      {
        onSuccess: ({ own }) => {
          setBefore(own);
          // Over a slow line the person may have gone on typing.
          setText((typed) => (typed === text ? (own ?? builtIn) : typed));
          setTries(0);
          notify('success', next === null ? 'settings:done.putBack' : 'settings:done.saved');
        },
        onError: ({ code }) => {
          if (code === 'conflict') void queryClient.invalidateQueries({ queryKey: [readMessages.path] });
        },
      },
    );
  const insert = (name: string) => {
    const field = body.current;
    const at = field?.selectionStart ?? text.body.length;
    const value = `{{${name}}}`;
    setText({ ...text, body: text.body.slice(0, at) + value + text.body.slice(field?.selectionEnd ?? at) });
    // Once the new text is in the field.
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(at + value.length, at + value.length);
    });
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTries(tries + 1);
        if (faults.length === 0) send(trimmed);
      }}
      sx={{
        display: 'grid',
        gap: 5,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t(`messageText.${kind}`)}
        </Typography>
        {call.error ? (
          <Alert
            severity={call.error.code === 'conflict' ? 'warning' : 'error'}
            action={
              call.error.code === 'conflict' ? (
                <Button
                  variant="text"
                  size="small"
                  onClick={() => {
                    // The typed text stays; someone else's text is shown below and overwritten only knowingly.
                    setBefore(message.own);
                    call.reset();
                  }}
                >
                  {t('messages.seen')}
                </Button>
              ) : null
            }
          >
            {t(`common:error.${call.error.code}`)}
            {call.error.code === 'conflict' ? (
              <Box component="blockquote" translate="no" sx={{ margin: 0, whiteSpace: 'pre-wrap' }}>
                {(message.own ?? builtIn).body}
              </Box>
            ) : null}
          </Alert>
        ) : null}
        <FaultSummary
          faults={(['subject', 'body'] as const)
            .map((path) => ({ name: `${id}-${path}`, label: t(`messages.${path}`), fault: faultOf(path) }))
            .filter(({ fault }) => fault !== undefined)}
          sent={tries}
          focus={focusOn}
        />
        {shape.subject ? (
          <Field id={`${id}-subject`} label={t('messages.subject')} required fault={faultOf('subject')}>
            {({ describedBy, invalid }) => (
              <OutlinedInput
                id={`${id}-subject`}
                value={text.subject}
                error={invalid}
                onChange={(event) => setText({ ...text, subject: event.target.value })}
                inputProps={{
                  lang: language,
                  maxLength: 200,
                  'aria-describedby': describedBy,
                  'aria-invalid': invalid,
                }}
              />
            )}
          </Field>
        ) : null}
        <Field id={`${id}-body`} label={t('messages.body')} required fault={faultOf('body')}>
          {({ describedBy, invalid }) => (
            <OutlinedInput
              id={`${id}-body`}
              value={text.body}
              multiline
              minRows={8}
              maxRows={24}
              error={invalid}
              inputRef={body}
              onChange={(event) => setText({ ...text, body: event.target.value })}
              inputProps={{
                lang: language,
                translate: 'no',
                maxLength: 4000,
                'aria-describedby': describedBy,
                'aria-invalid': invalid,
              }}
            />
          )}
        </Field>
        <Box role="group" aria-label={t('messages.values')} sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {t('messages.valuesHelp')}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {shape.placeholders.map((name) => (
              <Button key={name} variant="outlined" size="small" onClick={() => insert(name)}>
                {(shape.required as readonly string[]).includes(name)
                  ? t('messages.needed', { value: t(`value.${name}`) })
                  : t(`value.${name}`)}
              </Button>
            ))}
          </Box>
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button type="submit" variant="contained" disabled={!dirty} loading={call.isPending}>
            {t('action.save')}
          </Button>
          <Button
            variant="outlined"
            disabled={!dirty || call.isPending}
            onClick={() => {
              setText(said);
              setTries(0);
            }}
          >
            {t('action.discard')}
          </Button>
          {before ? (
            <Button variant="outlined" disabled={call.isPending} onClick={() => send(null)}>
              {t('action.putBack')}
            </Button>
          ) : null}
        </Box>
      </Box>
      <Preview kind={kind} language={language} text={text} address={address} />
    </Box>
  );
}

/** The message as someone would get it, with sample values. */
function Preview({
  kind,
  language,
  text,
  address,
}: {
  kind: MailKind;
  language: Language;
  text: { subject: string; body: string };
  address: string;
}) {
  const { t, i18n } = useTranslation('settings');
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  const inLanguage = i18n.getFixedT(language, 'settings');
  const values = {
    code: '204816',
    minutes: kind.includes('contact') ? '15' : '5',
    host: new URL(address).host,
    address: kind.startsWith('patient-') ? `${address}/patient/sign-in` : address,
    name: 'Ana',
    email: 'ana@example.org',
    organizations: `  ${org?.name ?? ''}`,
    tenant: org?.name ?? '',
    number: 'ABCD-2345',
    what: inLanguage('sample.what'),
  };
  return (
    <Box
      component="section"
      aria-label={t('messages.preview')}
      sx={{ display: 'grid', gap: 2, padding: 4, borderRadius: '10px', backgroundColor: 'raised' }}
    >
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t('messages.preview')}
      </Typography>
      <Box lang={language} translate="no" sx={{ display: 'grid', gap: 2 }}>
        {mailShapes[kind].subject ? (
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {filled(text.subject, values)}
          </Typography>
        ) : null}
        <Typography variant="body1" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {filled(text.body, values)}
        </Typography>
      </Box>
    </Box>
  );
}
