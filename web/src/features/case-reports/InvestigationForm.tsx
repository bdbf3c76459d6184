import { caseRecord } from '@caseway/contract/case-record';
import type { CaseReport } from '@caseway/contract/case-reports';
import { answeredItems, asked, faultsOf, pruned } from '@caseway/contract/form';
import {
  changeInvestigation,
  type Investigation,
  readInvestigation,
  readInvestigationHistory,
} from '@caseway/contract/investigation-form';
import { labelIn } from '@caseway/contract/label';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { apiKey, callApi, keepAnswered, queryClient, useApi } from '../../data/api.ts';
import { useFoundCaseLabels } from '../../data/use-found-cases.ts';
import { AnswerHistory } from '../../record/form/AnswerHistory.tsx';
import { FormSections } from '../../record/form/FormSections.tsx';
import {
  type AnswerWords,
  answersOf,
  answerText,
  type FormValues,
  faultWords,
  labelsOf,
  valuesOf,
} from '../../record/form/form-values.ts';
import { HistoryDisclosure } from '../../record/HistoryDisclosure.tsx';
import { useRecordForm } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConflictAlert } from '../../ui/ConflictAlert.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { ErrorSummary } from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { useFormats } from '../../words/formats.ts';
import { useCaseWords } from './case-words.ts';

/** The form checks the typed values when they are sent. */
const schema = z.custom<FormValues>();
const versionOf = ({ version, form, answers }: Investigation) => ({
  version,
  values: valuesOf(form, answers),
});

function keepInvestigation(id: string, investigation: Investigation): void {
  keepAnswered(readInvestigation, { params: { id } }, { investigation });
  void queryClient.invalidateQueries({ queryKey: [readInvestigationHistory.path] });
  // The case has a new version now.
  void queryClient.invalidateQueries({ queryKey: apiKey(caseRecord.endpoints.read, { params: { id } }) });
}

function useAnswerWords(records: Readonly<Record<string, string>>): AnswerWords {
  const { t, i18n } = useTranslation();
  const { day } = useFormats();
  return {
    language: i18n.language,
    yes: t('answers.yes'),
    no: t('answers.no'),
    day,
    record: (id: string) => records[id] ?? '',
  };
}

/**
 * The questions about a case of its disease, in addition to its fields; nothing if the disease has no form.
 */
export function InvestigationForm({ report }: { report: CaseReport }) {
  const { id, version } = report;
  const query = useApi(readInvestigation, { params: { id } });
  const read = query.data?.investigation?.version;
  const { refetch } = query;
  // Questions can depend on the case's condition or another answer.
  useEffect(() => {
    if (read !== undefined && read < version) void refetch();
  }, [read, version, refetch]);
  const { i18n } = useTranslation();
  if (query.data?.investigation === null) return null;
  const title = query.data ? labelIn(query.data.investigation.form.title, i18n.language) : '';
  return (
    <Section title={title}>
      <Answered query={query} height={320}>
        {({ investigation }) => investigation && <Answering id={id} investigation={investigation} />}
      </Answered>
    </Section>
  );
}

function Answering({ id, investigation }: { id: string; investigation: Investigation }) {
  const { t, i18n } = useTranslation(['case-reports', 'common']);
  const formats = useFormats();
  const caseWords = useCaseWords();
  const { records } = investigation;
  const words = useAnswerWords(records);
  const referred = useMemo(
    () => ({ names: records, useFound: useFoundCaseLabels, href: (one: string) => `/case-reports/${one}` }),
    [records],
  );
  const mayWrite = useMay()('case-reports/write');
  const { form: questions, facts, completed } = investigation;
  /** Whether sending completes or reopens the form. */
  const complete = useRef<boolean | undefined>(undefined);
  const send = (answers: Investigation['answers'], version: number) =>
    callApi(changeInvestigation, {
      params: { id },
      body: {
        version,
        answers,
        ...(complete.current !== undefined && { complete: complete.current }),
      },
    }).then((answer) => answer.investigation);

  const {
    form,
    values,
    base,
    changed,
    dirty,
    restored,
    theirs,
    saving,
    failure,
    send: submit,
    discard,
  } = useRecordForm<FormValues, Investigation>(
    schema,
    `case-reports/${id}/investigation`,
    versionOf(investigation),
    {
      // Only now are answers removed that are no longer asked for.
      write: (changes, version) => {
        const kept = pruned(questions, answersOf(questions, form.getValues()), facts);
        return send(
          Object.fromEntries(Object.keys(changes).map((linkId) => [linkId, kept[linkId] ?? null])),
          version,
        );
      },
      read: async () => {
        const latest = await callApi(readInvestigation, { params: { id } });
        keepInvestigation(id, latest.investigation!);
        return versionOf(latest.investigation!);
      },
      versionOf,
      onSaved: (saved) => {
        keepInvestigation(id, saved);
        notify(
          'success',
          complete.current ? 'case-reports:investigation.completed' : 'case-reports:investigation.saved',
        );
      },
      mayBeSent: (typed) => mayBeSent(typed),
      onRefused: (error) => {
        if (error.code !== 'validation-failed') notify('error', `error.${error.code}`);
        else
          for (const { path, code, ...rest } of error.faults)
            form.setError(path.replace(/^answers\./, ''), {
              type: code,
              message: faultWords({ code, values: rest } as never),
            });
      },
    },
  );

  const mayBeSent = (typed: FormValues): boolean => {
    const answers = pruned(questions, answersOf(questions, typed), facts);
    const faults = faultsOf(questions, answers, facts, {
      complete: complete.current ?? completed !== null,
    });
    for (const fault of faults) form.setError(fault.path, { type: fault.code, message: faultWords(fault) });
    return faults.length === 0;
  };
  const act = (completes: boolean | undefined) => {
    complete.current = completes;
    void submit(() => {
      // Nothing was typed, but the form is completed or reopened.
      if (completes === undefined || !mayBeSent(form.getValues())) return;
      void send({}, base.version).then(
        (saved) => {
          keepInvestigation(id, saved);
          notify(
            'success',
            completes ? 'case-reports:investigation.completed' : 'case-reports:investigation.reopened',
          );
        },
        (error) => notify('error', `error.${error.code}`),
      );
    })();
  };

  const labels = labelsOf(questions, values, i18n.language);
  const now = asked(questions, answersOf(questions, values), facts);
  const earlier = answeredItems(questions).filter(
    (item) =>
      !now.items.has(item.linkId) &&
      investigation.answers[item.linkId] !== undefined &&
      isGone(questions, item.linkId),
  );
  const disabled = !mayWrite || saving;
  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        aria-label={labelIn(questions.title, i18n.language)}
        onSubmit={(event) => {
          event.preventDefault();
          act(undefined);
        }}
        sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {completed ? (
          <Alert severity="success">
            {completed.by?.name
              ? t('investigation.completedBy', {
                  time: formats.instant(completed.at),
                  name: completed.by.name,
                })
              : t('investigation.completedOn', { time: formats.instant(completed.at) })}
          </Alert>
        ) : null}
        {restored ? <Alert severity="info">{t('change.restored')}</Alert> : null}
        {failure ? <Alert severity="error">{t(`common:error.${failure.code}`)}</Alert> : null}
        <ErrorSummary labels={labels} />
        <ConflictAlert
          text={t('investigation.conflict')}
          changes={theirs
            .filter((one) => JSON.stringify(one.mine) !== JSON.stringify(one.theirs))
            .map(({ name, theirs: their }) => {
              const item = answeredItems(questions).find(({ linkId }) => linkId === name)!;
              const answer = answersOf(questions, { [name]: their as string })[name];
              return `${labels[name]}: ${answerText(questions, item, answer, words) || '–'}`;
            })}
        />
        <FormSections
          form={questions}
          facts={facts}
          disabled={disabled}
          records={referred}
          field={(name) => {
            const value = facts[name as keyof typeof facts];
            if (value === null || value === undefined) return '';
            return name === 'onsetOn' ? formats.day(value) : caseWords.choice(name, value);
          }}
        />
        {earlier.length > 0 ? (
          <Box sx={{ display: 'grid', gap: 2 }}>
            <Typography variant="body1" component="h3" sx={{ fontWeight: 650 }}>
              {t('investigation.earlier')}
            </Typography>
            <Facts
              facts={earlier.map((item) => [
                labelIn(item.words, i18n.language),
                answerText(questions, item, investigation.answers[item.linkId], words),
              ])}
            />
          </Box>
        ) : null}
        {mayWrite ? (
          <StickyActions>
            <Typography variant="body2" role="status" sx={{ flex: '1 1 160px', color: 'text.secondary' }}>
              {dirty ? t('change.pending', { count: changed.length }) : null}
            </Typography>
            {dirty ? (
              <Button variant="text" disabled={saving} onClick={discard}>
                {t('change.discard')}
              </Button>
            ) : null}
            <Button variant="outlined" disabled={saving} onClick={() => act(completed === null)}>
              {t(completed ? 'investigation.reopen' : 'investigation.complete')}
            </Button>
            {dirty ? (
              <Button type="submit" variant="contained" disabled={saving}>
                {t('investigation.save')}
              </Button>
            ) : null}
          </StickyActions>
        ) : null}
        <HistoryDisclosure>
          <Pages id={id} form={investigation.form} />
        </HistoryDisclosure>
      </Box>
    </FormProvider>
  );
}

/** Whether a question is retired, or hidden by the tenant, and so never asked. */
function isGone(form: Investigation['form'], linkId: string): boolean {
  const within = (items: Investigation['form']['items'], gone: boolean): boolean =>
    items.some(
      (item) =>
        (item.linkId === linkId && (gone || item.retired === true)) ||
        within(item.items ?? [], gone || item.retired === true),
    );
  return within(form.items, false);
}

function Pages({ id, form }: { id: string; form: Investigation['form'] }) {
  const { t } = useTranslation();
  const words = useAnswerWords({});
  const [before, setBefore] = useState<number | undefined>(undefined);
  const query = useApi(readInvestigationHistory, {
    params: { id },
    query: before === undefined ? {} : { before },
  });
  return (
    <Answered query={query} height={80}>
      {({ entries, more, records }) => (
        <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
          <AnswerHistory
            form={form}
            entries={entries}
            words={{ ...words, record: (one) => records[one] ?? '' }}
          />
          {more ? (
            <Button variant="text" size="small" onClick={() => setBefore(entries.at(-1)?.version)}>
              {t('history.more')}
            </Button>
          ) : null}
        </Box>
      )}
    </Answered>
  );
}
