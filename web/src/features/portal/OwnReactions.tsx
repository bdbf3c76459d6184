import { labelIn } from '@caseway/contract/label';
import {
  isUrgent,
  type OwnReport,
  type OwnReports,
  ownCare,
  ownOutcomes,
  ownReportFaults,
  readOwnReports,
  sendOwnReport,
} from '@caseway/contract/own-reactions';
import { readOwnRecord } from '@caseway/contract/portal';
import { listOwnVaccinations, type OwnVaccination } from '@caseway/contract/vaccinations';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { newId } from '../../record/new-id.ts';
import { notify } from '../../session/notify.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ErrorSummary, SelectField, showFaults, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { Boxes, Radios } from './Boxes.tsx';
import { Day } from './Day.tsx';
import { useVaccineName } from './OwnVaccinations.tsx';
import { Screen } from './Screen.tsx';
import { useShownChild } from './shown-child.ts';

/** A report of a reaction to a vaccine, and the reports sent before. */
export function OwnReactions() {
  const { t } = useTranslation(['portal', 'vaccinations']);
  const query = useApi(readOwnReports);
  const given = useApi(listOwnVaccinations);
  const tenant = useApi(readOwnRecord).data?.tenant;
  return (
    <Screen
      name={t('nav.vaccinations')}
      title={t('vaccinations:report.title')}
      lead={tenant && t('vaccinations:report.lead', { tenant })}
      said={query.data && t('vaccinations:report.title')}
    >
      {/* Stays in every state. */}
      <Alert severity="info">{t('vaccinations:report.urgent')}</Alert>
      <Answered query={given} height={320}>
        {({ vaccinations }) => (
          <Answered query={query} height={320}>
            {(own) => (
              <>
                <Report key={own.reports[0]?.id} own={own} vaccinations={vaccinations} />
                <Button
                  component={Link}
                  to="/portal/vaccinations"
                  variant="outlined"
                  sx={{ justifySelf: 'start' }}
                >
                  {t('vaccinations:report.back')}
                </Button>
                {own.reports.length > 0 ? (
                  <Section title={t('vaccinations:report.reports')}>
                    <Box
                      component="ul"
                      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
                    >
                      {own.reports.map((one) => (
                        <Sent key={one.id} report={one} own={own} vaccinations={vaccinations} />
                      ))}
                    </Box>
                  </Section>
                ) : null}
              </>
            )}
          </Answered>
        )}
      </Answered>
    </Screen>
  );
}

/** The choice of a vaccine not in the list. */
const other = 'other';
const values = z.object({
  vaccination: z.string(),
  otherVaccine: z.string().trim().max(200),
  givenOn: z.string().nullable(),
  reactions: z.array(z.string()),
  since: z.string().nullable(),
  outcome: z.string(),
  care: z.string(),
  note: z.string().trim().max(2000),
});
type Values = z.infer<typeof values>;
type Body = Omit<OwnReport, 'id' | 'sentAt' | 'vaccine'>;

/** What is missing or wrong, by field. */
function faultsOf(given: Values, body: Body, today: string, birthDate: string | null) {
  const missing = (['vaccination', 'since', 'outcome', 'care'] as const)
    .filter((name) => !given[name])
    .map((path) => ({ path: path as string, code: 'required' }));
  const more = ownReportFaults({ ...body, since: body.since || today }, { today, birthDate }).filter(
    ({ path }) => given.vaccination !== '' || path === 'since' || path === 'note',
  );
  return [
    ...missing,
    ...(given.reactions.length === 0 ? [{ path: 'reactions', code: 'none' }] : []),
    ...more.filter(({ path }) => !missing.some((one) => one.path === path)),
  ];
}

function Report({ own, vaccinations }: { own: OwnReports; vaccinations: readonly OwnVaccination[] }) {
  const { t, i18n } = useTranslation(['vaccinations', 'common']);
  const formats = useFormats();
  const nameOf = useVaccineName();
  const me = useApi(readOwnRecord).data;
  const birthDate = (useShownChild() ?? me)?.birthDate ?? null;
  const call = useCall(sendOwnReport, { invalidates: [readOwnReports] });
  // A fixed id, so that a retry after a lost answer creates no second report.
  const [id, setId] = useState(newId);
  const editing = useSchemaForm<Values>(values, {
    vaccination: vaccinations.length === 0 ? other : '',
    otherVaccine: '',
    givenOn: null,
    reactions: [],
    since: null,
    outcome: '',
    care: '',
    note: '',
  });
  useUnsaved(editing.formState.isDirty && !call.isSuccess);
  const [vaccination, reactions] = editing.watch(['vaccination', 'reactions']);
  const isOther = vaccination === other;
  const labels = {
    vaccination: t('report.which'),
    otherVaccine: t('report.name'),
    givenOn: t('report.givenOn'),
    reactions: t('report.reactions'),
    since: t('report.since'),
    outcome: t('report.outcome'),
    care: t('report.care'),
    note: t('report.note'),
  };
  const wordOf = (code: string) => `vaccinations:report.fault.${code}`;
  const send = editing.handleSubmit((given) => {
    const chosen = vaccinations.find((one) => one.id === given.vaccination);
    const body: Body = {
      vaccination: chosen?.id ?? null,
      otherVaccine: chosen ? null : given.otherVaccine || null,
      givenOn: chosen?.givenOn ?? given.givenOn,
      reactions: given.reactions as Body['reactions'],
      since: given.since ?? '',
      outcome: given.outcome as Body['outcome'],
      care: given.care as Body['care'],
      note: given.note || null,
    };
    const order = Object.keys(labels);
    const faults = faultsOf(given, body, own.today, birthDate).toSorted(
      (a, b) => order.indexOf(a.path) - order.indexOf(b.path),
    );
    if (faults.length > 0) {
      showFaults(editing, faults, wordOf);
      return;
    }
    call.mutate(
      { body: { ...body, id } },
      {
        onSuccess: () => notify('success', 'vaccinations:report.sent'),
        onError: ({ faults }) => {
          // A report with this id has arrived, so the next one is another.
          if (faults.some(({ code }) => code === 'key-used')) setId(newId());
          showFaults(
            editing,
            faults.filter(({ path }) => path in labels),
            wordOf,
          );
        },
      },
    );
  });
  const refused = call.error?.faults.find(({ code }) => code === 'too-many' || code === 'key-used');
  const isAtField = call.error?.faults.some(({ path }) => path in labels);
  return (
    <FormProvider {...editing}>
      <Box
        component="form"
        noValidate
        aria-label={t('report.title')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send();
        }}
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        <ErrorSummary labels={labels} />
        <SelectField
          name="vaccination"
          label={labels.vaccination}
          empty={t('report.choose')}
          options={[
            ...vaccinations.map((one) => ({
              value: one.id,
              label: `${nameOf(one)} · ${formats.day(one.givenOn)}`,
            })),
            { value: other, label: t('report.otherVaccine') },
          ]}
        />
        {isOther ? (
          <>
            <TextField name="otherVaccine" label={labels.otherVaccine} autoComplete="off" />
            <Day name="givenOn" label={labels.givenOn} today={own.today} required />
          </>
        ) : null}
        <Boxes
          name="reactions"
          label={labels.reactions}
          options={own.reactions.map((one) => ({ value: one.code, label: labelIn(one, i18n.language) }))}
        />
        {isUrgent(reactions) ? <Alert severity="warning">{t('report.urgent')}</Alert> : null}
        <Day name="since" label={labels.since} today={own.today} required />
        <Radios
          name="outcome"
          label={labels.outcome}
          options={ownOutcomes.map((value) => ({ value, label: t(`report.outcomes.${value}`) }))}
        />
        <Radios
          name="care"
          label={labels.care}
          options={ownCare.map((value) => ({ value, label: t(`report.cares.${value}`) }))}
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
        {refused ? <Alert severity="warning">{t(`report.fault.${refused.code}`)}</Alert> : null}
        {call.error && !refused && !isAtField ? (
          <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
        ) : null}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('report.stays')}
        </Typography>
        <Button type="submit" variant="contained" loading={call.isPending}>
          {t('report.send')}
        </Button>
      </Box>
    </FormProvider>
  );
}

/** A report as sent. */
function Sent({
  report,
  own,
  vaccinations,
}: {
  report: OwnReport;
  own: OwnReports;
  vaccinations: readonly OwnVaccination[];
}) {
  const { t, i18n } = useTranslation('vaccinations');
  const formats = useFormats();
  const nameOf = useVaccineName();
  const { vaccination, vaccine, otherVaccine, reactions, since, outcome, care, note, sentAt } = report;
  const of = vaccinations.find((one) => one.id === vaccination) ?? { vaccine, otherVaccine };
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 650 }}>{nameOf(of)}</Typography>
      <Typography>
        {own.reactions
          .filter(({ code }) => reactions.includes(code))
          .map((one) => labelIn(one, i18n.language))
          .join(' · ')}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[
          t('report.began', { day: formats.dayInWords(since) }),
          t(`report.outcomes.${outcome}`),
          care === 'none' ? null : t(`report.cares.${care}`),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      {note ? <Typography sx={{ whiteSpace: 'pre-line' }}>{note}</Typography> : null}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('report.sentAt', { at: formats.instant(sentAt) })}
      </Typography>
    </Box>
  );
}
