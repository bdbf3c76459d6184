import { followUpFound, followUpSymptoms, temperatureUnits } from '@caseway/contract/follow-up';
import {
  type OwnFollowUp as Asked,
  answerOwnFollowUp,
  type OwnAnswer,
  readOwnFollowUp,
} from '@caseway/contract/own-follow-up';
import { readOwnRecord } from '@caseway/contract/portal';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { HeartPulse } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { typedOfDay, unitSigns } from '../../record/follow-up-form.ts';
import { newId } from '../../record/new-id.ts';
import { notify } from '../../session/notify.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ErrorSummary, SelectField, showFaults, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { Message } from '../../ui/Message.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { Boxes, bare } from './Boxes.tsx';
import { Screen } from './Screen.tsx';

/** The question of the day, and the person's answers. It names no disease and no one else. */
export function OwnFollowUp() {
  const { t } = useTranslation(['portal', 'follow-up']);
  const formats = useFormats();
  const query = useApi(readOwnFollowUp);
  const own = useApi(readOwnRecord).data;
  const { data } = query;
  const lead =
    own && data?.until && t('ask.lead', { tenant: own.tenant, day: formats.dayInWords(data.until) });
  return (
    <Screen
      name={t('nav.followUp')}
      title={t('ask.title')}
      lead={lead}
      said={data && `${t('ask.title')} ${t('ask.said', { count: data.answers.length })}`}
    >
      {/* Also while it loads, and if it fails to load. */}
      <Urgent />
      <Answered query={query} height={320}>
        {(asked) => (
          <>
            <Today asked={asked} />
            {asked.answers.length > 0 ? (
              <Section title={t('ask.answers')}>
                <Box
                  component="ul"
                  sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
                >
                  {asked.answers.map((answer) => (
                    <Given key={answer.id} answer={answer} />
                  ))}
                </Box>
              </Section>
            ) : null}
          </>
        )}
      </Answered>
    </Screen>
  );
}

/** The question, until it is answered; then the sent answer, and a way to add to it. */
function Today({ asked: { from, today, due, answers } }: { asked: Asked }) {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const [adding, setAdding] = useState(false);
  const [hasSent, setHasSent] = useState(false);
  const last = answers.find(({ day }) => day === today);
  if (from === null)
    return (
      <Message icon={HeartPulse} title={t('ask.overTitle')}>
        {t('ask.over')}
      </Message>
    );
  if (from > today) return <Alert severity="info">{t('ask.first', { day: formats.dayInWords(from) })}</Alert>;
  return (
    <>
      {last ? (
        <Alert severity={due ? 'info' : 'success'} tabIndex={-1} ref={hasSent && !adding ? focused : null}>
          {due ? t('ask.again') : t('ask.answered', { at: formats.instant(last.addedAt) })}
        </Alert>
      ) : null}
      {last && !due && !adding ? (
        <Button variant="outlined" sx={{ justifySelf: 'start' }} onClick={() => setAdding(true)}>
          {t('ask.more')}
        </Button>
      ) : (
        <Question
          key={last?.id}
          isAdded={adding}
          onSent={() => {
            setHasSent(true);
            setAdding(false);
          }}
        />
      )}
    </>
  );
}

/** Takes the focus when it appears, because the element that had it is gone. */
const focused = (element: HTMLElement | null) => element?.focus();

/** What to do in an emergency; above everything else, in every state. */
function Urgent({ isSevere = false }: { isSevere?: boolean }) {
  const { t } = useTranslation('portal');
  return <Alert severity={isSevere ? 'warning' : 'info'}>{t('ask.urgent')}</Alert>;
}

interface Values {
  symptoms: string[];
  temperature: string;
  temperatureUnit: string;
  note: string;
}
type Sent = Pick<z.infer<typeof followUpFound>, 'symptoms' | 'temperature' | 'temperatureUnit' | 'note'>;
const { symptoms, temperatureUnit } = followUpFound.shape;
const form = z.object({ symptoms, temperatureUnit, ...typedOfDay }) as unknown as z.ZodType<Sent, Values>;
const feelings = ['well', 'unwell'] as const;

function Question({ isAdded, onSent }: { isAdded: boolean; onSent: () => void }) {
  const { t } = useTranslation(['portal', 'follow-up', 'common']);
  const call = useCall(answerOwnFollowUp, { invalidates: [readOwnFollowUp, readOwnRecord] });
  // A fixed id, so that a retry after a lost answer adds no second answer.
  const [id, setId] = useState(newId);
  const legend = useId();
  const [feeling, setFeeling] = useState<(typeof feelings)[number] | ''>('');
  const editing = useSchemaForm(form, {
    symptoms: [],
    temperature: '',
    temperatureUnit: temperatureUnits[0],
    note: '',
  });
  useUnsaved((editing.formState.isDirty || feeling !== '') && !call.isSuccess);
  const labels = {
    symptoms: t('ask.symptoms'),
    temperature: t('ask.temperature'),
    temperatureUnit: t('follow-up:column.temperatureUnit'),
    note: t('ask.note'),
  };
  const isUnwell = feeling === 'unwell';
  const isSevere = isUnwell && (editing.watch('symptoms') as string[]).includes('shortness-of-breath');
  const send = editing.handleSubmit((values) => {
    const given = values as unknown as Sent;
    const { temperature } = given;
    if (isUnwell && given.symptoms.length === 0) {
      showFaults(editing, [{ path: 'symptoms', code: 'none' }], (code) => `portal:ask.fault.${code}`);
      return;
    }
    call.mutate(
      {
        body: {
          ...given,
          id,
          symptoms: isUnwell ? given.symptoms : [],
          temperatureUnit: temperature === null ? null : given.temperatureUnit,
        },
      },
      {
        onSuccess: () => {
          notify('success', 'portal:ask.sent');
          onSent();
        },
        onError: ({ faults }) => {
          // An earlier answer with this id has arrived, so the next one is another.
          if (faults.some(({ code }) => code === 'key-used')) setId(newId());
          showFaults(
            editing,
            faults.filter(({ path }) => path in labels),
            (code) => `follow-up:fault.${code}`,
          );
        },
      },
    );
  });
  return (
    <FormProvider {...editing}>
      <Box
        component="form"
        noValidate
        aria-label={t('ask.title')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send();
        }}
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        <ErrorSummary labels={labels} />
        <Box component="fieldset" sx={bare}>
          <Typography id={legend} component="legend" variant="body2" sx={{ padding: 0, fontWeight: 550 }}>
            {t('ask.feeling')}
          </Typography>
          <RadioGroup
            aria-labelledby={legend}
            value={feeling}
            onChange={({ target }) => setFeeling(target.value as (typeof feelings)[number])}
          >
            {feelings.map((value, place) => (
              <FormControlLabel
                key={value}
                value={value}
                label={t(`ask.${value}`)}
                control={<Radio slotProps={{ input: { ref: isAdded && place === 0 ? focused : null } }} />}
                sx={{ minHeight: 44 }}
              />
            ))}
          </RadioGroup>
        </Box>
        {isUnwell ? (
          <Boxes
            name="symptoms"
            label={labels.symptoms}
            options={followUpSymptoms.map((value) => ({ value, label: t(`follow-up:symptom.${value}`) }))}
          />
        ) : null}
        {isSevere ? <Urgent isSevere /> : null}
        {feeling === '' ? null : (
          <>
            <TextField
              name="temperature"
              label={labels.temperature}
              required={false}
              inputMode="decimal"
              autoComplete="off"
            />
            <SelectField
              name="temperatureUnit"
              label={labels.temperatureUnit}
              options={temperatureUnits.map((value) => ({ value, label: unitSigns[value] }))}
            />
            <TextField
              name="note"
              label={labels.note}
              required={false}
              multiline
              minRows={2}
              maxRows={10}
              autoComplete="off"
            />
            {call.error ? (
              <Refusal
                code={call.error.code}
                faults={call.error.faults.filter(({ path }) => !(path in labels))}
                isAtField={call.error.faults.some(({ path }) => path in labels)}
              />
            ) : null}
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('ask.stays')}
            </Typography>
            <Button type="submit" variant="contained" loading={call.isPending}>
              {t('ask.send')}
            </Button>
          </>
        )}
      </Box>
    </FormProvider>
  );
}

/** Why nothing was added, if no field says so. */
function Refusal({
  code,
  faults,
  isAtField,
}: {
  code: string;
  faults: readonly { code: string }[];
  isAtField: boolean;
}) {
  const { t } = useTranslation(['portal', 'common']);
  if (code === 'conflict') return <Alert severity="warning">{t('ask.fault.conflict')}</Alert>;
  if (faults.some((fault) => fault.code === 'too-many'))
    return <Alert severity="warning">{t('ask.fault.too-many')}</Alert>;
  if (faults.some((fault) => fault.code === 'key-used'))
    return <Alert severity="warning">{t('ask.fault.key-used')}</Alert>;
  return isAtField ? null : <Alert severity="error">{t(`common:error.${code}`)}</Alert>;
}

function Given({ answer }: { answer: OwnAnswer }) {
  const { t } = useTranslation(['portal', 'follow-up', 'common']);
  const formats = useFormats();
  const { symptoms: found, temperature, temperatureUnit: unit, note, addedAt } = answer;
  const parts = [
    ...(found.length === 0
      ? [t('ask.well')]
      : found.map((one) => t(`follow-up:symptom.${one}`, { defaultValue: t('common:label.unknown.other') }))),
    ...(temperature !== null && unit ? [`${formats.rate(temperature)} ${unitSigns[unit]}`] : []),
  ];
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Typography sx={{ color: 'text.secondary' }}>{formats.instant(addedAt)}</Typography>
      <Typography>{parts.join(' · ')}</Typography>
      {note ? <Typography sx={{ whiteSpace: 'pre-line' }}>{note}</Typography> : null}
    </Box>
  );
}
