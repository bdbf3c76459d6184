import { filled, type MailKind, mailFaults, mailKinds, mailShapes } from '@caseway/contract/mail-text';
import { type Language, languages } from '@caseway/contract/session';
import { changeMessage, type Message, readMessages } from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { becameOld, callApi, useApi, useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { SaveButtons } from '../../record/SaveButtons.tsx';
import { useRecordForm } from '../../record/use-record-form.ts';
import { useAppSelector } from '../../session/store.ts';
import { mayLeave } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextField } from '../../ui/Form.tsx';
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
              <EditMessage
                key={`${kind} ${language}`}
                message={message}
                readAt={query.dataUpdatedAt}
                address={address}
              />
            </>
          );
        }}
      </Answered>
    </Section>
  );
}

/** The text of a message; `own`: the tenant's rather than the product's. */
interface Words extends Record<string, unknown> {
  subject: string;
  body: string;
  own: boolean;
}
const wordsOf = ({ own, builtIn }: Message): Words => ({ ...(own ?? builtIn), own: own !== null });
const textOf = ({ subject, body }: Words) => ({ subject, body });
const ownOf = (words: Words) => (words.own ? textOf(words) : null);

const formOf = (kind: MailKind) =>
  z
    .object({ subject: z.string().trim(), body: z.string().trim().min(1), own: z.boolean() })
    .superRefine((words, context) => {
      for (const { path, code } of mailFaults(kind, words))
        context.addIssue({ code: 'custom', path: [path], params: { code }, message: code });
    });

function EditMessage({
  message,
  readAt,
  address,
}: {
  message: Message;
  /** When it was read, because messages have no version. */
  readAt: number;
  address: string;
}) {
  const { t } = useTranslation('settings');
  const { kind, language, builtIn } = message;
  const shape = mailShapes[kind];
  const form = useRef<HTMLFormElement>(null);
  const call = useCall(changeMessage, { invalidates: [readMessages] });
  const putBack = useCall(changeMessage, { invalidates: [readMessages] });
  const schema = useMemo(() => formOf(kind), [kind]);
  const versionOf = (now: Message, at = Date.now()) => ({ version: at, values: wordsOf(now) });
  /** Replaces a text with another; undo restores the first. */
  const offerBack = (done: string, now: Words, before: Words) =>
    offerUndo(
      done,
      () => callApi(changeMessage, { body: { kind, language, text: ownOf(before), before: ownOf(now) } }),
      { old: [readMessages] },
    );
  const editing = useRecordForm<Words, Message>(
    schema,
    `settings/message/${kind}/${language}`,
    versionOf(message, readAt),
    {
      write: (changes, _, base) =>
        call.mutateAsync({
          body: { kind, language, text: textOf({ ...base, ...changes }), before: ownOf(base) },
        }),
      read: async () => {
        const { messages } = await callApi(readMessages);
        return versionOf(messages.find((one) => one.kind === kind && one.language === language)!);
      },
      versionOf,
      onSaved: (saved, before) => offerBack('settings:done.saved', wordsOf(saved), before.values),
    },
  );
  const { values, base, saving, send, discard } = editing;
  const insert = (name: string) => {
    const field = form.current!.elements.namedItem('body') as HTMLTextAreaElement;
    const at = field.selectionStart;
    const value = `{{${name}}}`;
    const { body } = values;
    editing.form.setValue('body', body.slice(0, at) + value + body.slice(field.selectionEnd));
    // Once the new text is in the field.
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(at + value.length, at + value.length);
    });
  };
  const input = { lang: language, translate: 'no' } as const;
  return (
    <Box
      ref={form}
      component="form"
      noValidate
      onSubmit={(event) => void send()(event)}
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
        <FormBody
          of={editing}
          labels={{ subject: t('messages.subject'), body: t('messages.body'), own: t('messages.words') }}
          text={(name, value) =>
            name === 'own' ? t(value ? 'messages.own' : 'messages.builtIn') : String(value)
          }
        >
          {shape.subject ? (
            <TextField
              name="subject"
              label={t('messages.subject')}
              inputProps={{ ...input, maxLength: 200 }}
            />
          ) : null}
          <TextField
            name="body"
            label={t('messages.body')}
            multiline
            minRows={8}
            maxRows={24}
            inputProps={{ ...input, maxLength: 4000 }}
          />
        </FormBody>
        {putBack.error ? <Alert severity="error">{t(`common:error.${putBack.error.code}`)}</Alert> : null}
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
        <SaveButtons of={editing}>
          {base.values.own ? (
            <Button
              variant="outlined"
              disabled={saving}
              loading={putBack.isPending}
              onClick={() =>
                putBack.mutate(
                  { body: { kind, language, text: null, before: ownOf(base.values) } },
                  {
                    onSuccess: () => {
                      discard();
                      const builtInWords = { ...builtIn, own: false };
                      offerBack('settings:done.putBack', builtInWords, base.values);
                    },
                    onError: ({ code }) => {
                      if (code === 'conflict') becameOld(readMessages);
                    },
                  },
                )
              }
            >
              {t('action.putBack')}
            </Button>
          ) : null}
        </SaveButtons>
      </Box>
      <Preview kind={kind} language={language} text={values} address={address} />
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
    when: inLanguage('sample.when'),
    how: inLanguage('sample.how'),
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
