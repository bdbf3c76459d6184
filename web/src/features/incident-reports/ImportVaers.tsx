import { incidentRecord } from '@caseway/contract/incident-reports';
import {
  checkVaers,
  longestVaersFiles,
  takeVaers,
  type VaersAnswer,
  type VaersFault,
  type VaersFiles,
  vaersOutcomes,
  vaersTables,
} from '@caseway/contract/vaers';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { textOfFile } from '../../data/file-text.ts';
import { notify } from '../../session/notify.ts';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useFormats } from '../../words/formats.ts';

/** The tables of a VAERS data set: previews the outcome of each report and any faults, then imports them. */
export function ImportVaers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('incident-reports');
  const formats = useFormats();
  const [files, setFiles] = useState<VaersFiles>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate: check, reset, ...checked } = useCall(checkVaers);
  const call = useCall(takeVaers, { invalidates: [incidentRecord.endpoints.search] });
  useEffect(() => {
    if (files.length === vaersTables.length) check({ body: { files } });
    else reset();
  }, [check, reset, files]);
  const add = async (chosen: readonly File[]) => {
    setProblem(null);
    const large = chosen.find(({ size }) => size > longestVaersFiles);
    if (large) return setProblem(t('vaers.tooLarge', { name: large.name }));
    const read = await Promise.all(
      chosen.map(async (file) => ({ name: file.name, text: await textOfFile(file) })),
    );
    // A file chosen again replaces the first.
    const kept = files.filter(({ name }) => !read.some((one) => one.name === name));
    if (kept.length + read.length > vaersTables.length) return setProblem(t('vaers.tooMany'));
    const all = [...kept, ...read];
    if (all.reduce((sum, { text }) => sum + text.length, 0) > longestVaersFiles)
      return setProblem(t('vaers.tooLargeTogether'));
    setFiles(all);
  };
  const found = files.length === vaersTables.length ? checked.data : undefined;
  const isNew = found && found.faults.length === 0 ? found.counts.new : 0;
  const error = call.error ?? checked.error;
  const send = () => {
    if (!found) return setProblem(t(files.length < vaersTables.length ? 'vaers.choose' : 'vaers.checking'));
    if (isNew === 0) return setProblem(t('vaers.nothing'));
    call.mutate(
      { body: { files } },
      {
        onSuccess: ({ counts }) => {
          onClose();
          notify('success', 'incident-reports:vaers.done', {
            values: { count: counts.new, number: formats.count(counts.new) },
          });
        },
      },
    );
  };
  return (
    <FormDialog
      wide
      title={t('vaers.title')}
      lead={t('vaers.lead')}
      submit={t('vaers.submit', { count: isNew, number: formats.count(isNew) })}
      busy={call.isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <FileDrop
        label={t('vaers.drop')}
        help={t('vaers.dropHelp')}
        accept=".csv,text/csv"
        onFiles={(chosen) => void add(chosen)}
      />
      {files.length > 0 ? (
        <Box component="ul" aria-label={t('vaers.chosen')} sx={{ margin: 0, padding: 0, listStyle: 'none' }}>
          {files.map(({ name }) => (
            <Box
              key={name}
              component="li"
              sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', gap: 2 }}
            >
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {name}
              </Typography>
              <Button
                size="small"
                aria-label={t('vaers.remove', { name })}
                onClick={() => setFiles(files.filter((one) => one.name !== name))}
              >
                {t('vaers.removeFile')}
              </Button>
            </Box>
          ))}
        </Box>
      ) : null}
      {problem ? <Alert severity="warning">{problem}</Alert> : null}
      {checked.isPending ? <LinearProgress aria-label={t('vaers.checking')} /> : null}
      {error ? <Alert severity="error">{t(`common:error.${error.code}`)}</Alert> : null}
      {found ? <Outcome of={found} /> : null}
    </FormDialog>
  );
}

/** The outcome of the reports, and those to review. */
function Outcome({ of: { counts, faults, reports, reportCount } }: { of: VaersAnswer }) {
  const { t } = useTranslation('incident-reports');
  const formats = useFormats();
  const said = ({ file, line, column, code }: VaersFault) =>
    [
      file,
      line === null ? '' : t('vaers.line', { line: formats.count(line) }),
      column,
      t(`vaers.problem.${code}`),
    ]
      .filter(Boolean)
      .join(' · ');
  const list = { margin: 0, paddingLeft: 5 };
  if (faults.length > 0)
    return (
      <Alert severity="error">
        <Typography variant="body2" component="p">
          {t('vaers.faulty')}
        </Typography>
        <Box component="ul" sx={list}>
          {faults.map((fault) => (
            <li key={JSON.stringify(fault)}>{said(fault)}</li>
          ))}
        </Box>
      </Alert>
    );
  return (
    <>
      <Box role="status">
        {vaersOutcomes.map((outcome) =>
          counts[outcome] > 0 ? (
            <Typography key={outcome} variant="body2" component="p">
              {t(`vaers.count.${outcome}`, {
                count: counts[outcome],
                number: formats.count(counts[outcome]),
              })}
            </Typography>
          ) : null,
        )}
      </Box>
      {reportCount > 0 ? (
        <Alert severity={counts.refused > 0 ? 'warning' : 'info'}>
          <Typography variant="body2" component="p">
            {t('vaers.look', { count: reportCount, number: formats.count(reportCount) })}
          </Typography>
          <Box
            component="ul"
            tabIndex={0}
            aria-label={t('vaers.look', { count: reportCount, number: formats.count(reportCount) })}
            sx={{ ...list, maxHeight: 260, overflowY: 'auto', overflowWrap: 'anywhere' }}
          >
            {reports.map(({ vaersId, line, outcome, faults: some }) => (
              <li key={`${vaersId} ${line}`}>
                {vaersId ? t('vaers.report', { id: vaersId }) : t('vaers.noId')}:{' '}
                {t(`vaers.outcome.${outcome}`)}
                {some.length > 0 ? (
                  <Box component="ul" sx={list}>
                    {some.map((fault) => (
                      <li key={JSON.stringify(fault)}>{said(fault)}</li>
                    ))}
                  </Box>
                ) : null}
              </li>
            ))}
          </Box>
          {reportCount > reports.length ? t('vaers.more', { number: formats.count(reports.length) }) : null}
        </Alert>
      ) : null}
    </>
  );
}
