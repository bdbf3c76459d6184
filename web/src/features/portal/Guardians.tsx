import type { GuardianBar } from '@caseway/contract/guardian-rules';
import {
  endGuardian,
  type Guardian,
  type GuardiansAnswer,
  guardianEvidence,
  guardianRelations,
  linkGuardian,
  listGuardians,
} from '@caseway/contract/guardians';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { becameOld, keepAnswered, useApi, useCall } from '../../data/api.ts';
import { PersonField } from '../../record/PersonField.tsx';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorSummary, SelectField, showFaults, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useFormats } from '../../words/formats.ts';
import { Day } from './Day.tsx';

/**
 * Who sees a child's record in the portal: staff link a guardian, read who was one, and end it. `linking`: the
 * dialog is open from the start. A person who is old enough and never had a guardian shows nothing.
 */
export function Guardians({
  patientId,
  mayWrite,
  linking,
  onLinking,
}: {
  patientId: string;
  mayWrite: boolean;
  linking: boolean;
  onLinking: (open: boolean) => void;
}) {
  const { t } = useTranslation('patient-portal');
  const formats = useFormats();
  const query = useApi(listGuardians, { params: { id: patientId } });
  const [ending, setEnding] = useState<Guardian | null>(null);
  return (
    <Answered query={query} height={40}>
      {(answer) =>
        answer.bar !== null && answer.guardians.length === 0 ? null : (
          <Box sx={{ display: 'grid', gap: 2 }}>
            <Box>
              <Typography component="h3" variant="body1" sx={{ fontWeight: 650 }}>
                {t('guardians.title')}
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {answer.bar
                  ? t(`guardians.bar.${answer.bar satisfies GuardianBar}`)
                  : t('guardians.lead', { day: formats.day(answer.closesOn!) })}
              </Typography>
            </Box>
            {answer.guardians.length > 0 ? (
              <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {answer.guardians.map((one) => (
                  <Linked key={one.id} guardian={one} onEnd={mayWrite ? () => setEnding(one) : undefined} />
                ))}
              </Box>
            ) : null}
            {mayWrite && answer.bar === null ? (
              <Button
                variant="outlined"
                size="small"
                onClick={() => onLinking(true)}
                sx={{ justifySelf: 'start' }}
              >
                {t('guardians.link')}
              </Button>
            ) : null}
            {linking && answer.bar === null ? (
              <Link patientId={patientId} answer={answer} onClose={() => onLinking(false)} />
            ) : null}
            {ending ? <End patientId={patientId} guardian={ending} onClose={() => setEnding(null)} /> : null}
          </Box>
        )
      }
    </Answered>
  );
}

function useGuardianName() {
  const { t } = useTranslation('patient-portal');
  return ({ personId, firstName, lastName }: Guardian) =>
    personId === null
      ? t('guardians.unseen')
      : [firstName, lastName].filter(Boolean).join(' ') || t('waiting.nameless');
}

function Linked({ guardian, onEnd }: { guardian: Guardian; onEnd: (() => void) | undefined }) {
  const { t } = useTranslation('patient-portal');
  const formats = useFormats();
  const nameOf = useGuardianName();
  const { relation, evidence, from, until, state, madeBy, madeAt, endedBy, endedAt, endReason } = guardian;
  const name = nameOf(guardian);
  const time = until
    ? t('guardians.fromUntil', { from: formats.day(from), until: formats.day(until) })
    : t('guardians.fromOn', { from: formats.day(from) });
  const lines = [
    [t(`guardians.state.${state}`), time].join(' · '),
    t('guardians.made', {
      evidence: t(`guardians.evidence.${evidence}`),
      who: madeBy ?? t('waiting.somebody'),
      at: formats.instant(madeAt),
    }),
    endedAt &&
      t('guardians.ended', {
        who: endedBy ?? t('waiting.somebody'),
        at: formats.instant(endedAt),
        reason: endReason ?? '',
      }),
  ];
  const isOpen = state === 'active' || state === 'planned';
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, paddingY: 2 }}>
      <Box sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body1">{`${name}, ${t(`guardians.relation.${relation}`)}`}</Typography>
        {lines.filter(Boolean).map((line) => (
          <Typography key={line} variant="body2" sx={{ color: 'text.secondary' }}>
            {line}
          </Typography>
        ))}
      </Box>
      {onEnd && isOpen ? (
        <Button size="small" variant="outlined" aria-label={`${t('guardians.end')}: ${name}`} onClick={onEnd}>
          {t('guardians.end')}
        </Button>
      ) : null}
    </Box>
  );
}

const values = z.object({
  person: z.string().min(1),
  relation: z.enum(guardianRelations),
  evidence: z.enum(guardianEvidence),
  from: z.string(),
  until: z.string().nullable(),
});
type Values = z.infer<typeof values>;

function Link({
  patientId,
  answer: { today },
  onClose,
}: {
  patientId: string;
  answer: GuardiansAnswer;
  onClose: () => void;
}) {
  const { t } = useTranslation(['patient-portal', 'common']);
  const params = { id: patientId };
  const call = useCall(linkGuardian);
  const form = useSchemaForm<Values>(values, {
    person: '',
    relation: '' as 'parent',
    evidence: '' as 'document',
    from: today,
    until: null,
  });
  const labels = {
    person: t('guardians.person'),
    relation: t('guardians.relationOf'),
    evidence: t('guardians.checked'),
    from: t('guardians.from'),
    until: t('guardians.until'),
  };
  const send = form.handleSubmit((body) =>
    call.mutate(
      { params, body },
      {
        onSuccess: (answer) => {
          keepAnswered(listGuardians, { params }, answer);
          notify('success', 'patient-portal:guardians.linked');
          onClose();
        },
        onError: ({ faults }) => showFaults(form, faults, (code) => `patient-portal:guardians.fault.${code}`),
      },
    ),
  );
  return (
    <FormProvider {...form}>
      <FormDialog
        title={t('guardians.link')}
        lead={t('guardians.linkLead')}
        submit={t('guardians.link')}
        busy={call.isPending}
        onSubmit={() => void send()}
        onClose={onClose}
      >
        <ErrorSummary labels={labels} />
        {call.error && call.error.faults.length === 0 ? (
          <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
        ) : null}
        <PersonField name="person" label={labels.person} help={t('guardians.personHelp')} required />
        <SelectField
          name="relation"
          label={labels.relation}
          empty={t('waiting.choose')}
          options={guardianRelations.map((value) => ({ value, label: t(`guardians.relation.${value}`) }))}
        />
        <SelectField
          name="evidence"
          label={labels.evidence}
          empty={t('waiting.choose')}
          options={guardianEvidence.map((value) => ({ value, label: t(`guardians.evidence.${value}`) }))}
        />
        <Day name="from" label={labels.from} today={today} required />
        <Day name="until" label={labels.until} today={today} help={t('guardians.untilHelp')} />
      </FormDialog>
    </FormProvider>
  );
}

function End({
  patientId,
  guardian,
  onClose,
}: {
  patientId: string;
  guardian: Guardian;
  onClose: () => void;
}) {
  const { t } = useTranslation(['patient-portal', 'common']);
  const id = useId();
  const nameOf = useGuardianName();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const params = { id: patientId };
  const call = useCall(endGuardian);
  return (
    <FormDialog
      title={t('guardians.endTitle', { name: nameOf(guardian) })}
      lead={t('guardians.endText')}
      submit={t('guardians.end')}
      busy={call.isPending}
      onSubmit={() => {
        setMissing(reason.trim() === '');
        if (reason.trim() === '') return;
        call.mutate(
          { params: { ...params, guardianId: guardian.id }, body: { reason } },
          {
            onSuccess: (answer) => {
              keepAnswered(listGuardians, { params }, answer);
              notify('success', 'patient-portal:guardians.endedNow');
              onClose();
            },
            // Somebody else may have ended it.
            onError: () => becameOld(listGuardians),
          },
        );
      }}
      onClose={onClose}
    >
      {call.error ? <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert> : null}
      <Field
        id={id}
        label={t('guardians.reason')}
        required
        fault={missing ? t('guardians.fault.reason') : undefined}
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            multiline
            minRows={2}
            value={reason}
            error={invalid}
            onChange={({ target }) => setReason(target.value)}
            inputProps={{ maxLength: 500, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
