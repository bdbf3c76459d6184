import { type Population, populationKinds } from '@caseway/contract/measure';
import {
  importPopulation,
  type PopulationFault,
  type PopulationPreview,
  previewPopulation,
  readPopulation,
} from '@caseway/contract/population';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import LinearProgress from '@mui/material/LinearProgress';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useKeptForm } from '../../record/use-kept-form.ts';
import { notify } from '../../session/notify.ts';
import { Field } from '../../ui/Field.tsx';
import { TextField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { Figures } from './PopulationFigures.tsx';

const { shape } = importPopulation.body!;
/** The source of the numbers; the year is typed as text. */
const source = z.strictObject({
  publisher: shape.publisher,
  title: shape.title,
  published: z.string().trim().min(1).transform(Number).pipe(shape.published),
});
const yearText = /^\d{4}$/;

/** A table's summary, its faults by line, and its source; then imports it. */
export function ImportPopulation({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const [kind, setKind] = useState<Population>('residents');
  const [years, setYears] = useState<Readonly<Record<string, string>>>({});
  const [leaveOutUnknown, setLeaveOutUnknown] = useState(false);
  const { mutate: check, ...preview } = useCall(previewPopulation);
  const call = useCall(importPopulation, { invalidates: [readPopulation] });
  const editing = useKeptForm(
    source,
    'population/source',
    { publisher: '', title: '', published: '' },
    call.isSuccess,
  );
  const yearCodes = JSON.stringify(
    Object.fromEntries(
      Object.entries(years).flatMap(([code, year]) => (yearText.test(year) ? [[code, Number(year)]] : [])),
    ),
  );
  useEffect(() => {
    check({ body: { kind, text, yearCodes: JSON.parse(yearCodes), leaveOutUnknown } });
  }, [check, kind, text, yearCodes, leaveOutUnknown]);
  const found = preview.data;
  const isReady = found !== undefined && found.faultCount === 0 && found.years.length > 0;
  const error = call.error ?? preview.error;
  const send = editing.form.handleSubmit(({ published, ...said }) => {
    if (!isReady) return;
    call.mutate(
      {
        body: {
          kind,
          text,
          yearCodes: JSON.parse(yearCodes),
          leaveOutUnknown,
          published: Number(published),
          ...said,
        },
      },
      {
        onSuccess: () => {
          editing.forget();
          onClose();
          notify('success', 'settings:population.done');
        },
      },
    );
  });
  return (
    <FormDialog
      wide
      title={t('population.import')}
      lead={t('population.importLead')}
      submit={t('population.importYears', { count: found?.years.length ?? 0 })}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={() => void editing.close(onClose)}
    >
      <Segments
        label={t('population.kind')}
        value={kind}
        onChange={setKind}
        options={populationKinds.map((value) => ({ value, label: t(`population.kinds.${value}`) }))}
      />
      {found === undefined && !preview.error ? (
        <LinearProgress aria-label={t('population.checking')} />
      ) : null}
      {error ? <Alert severity="error">{t(`common:error.${error.code}`)}</Alert> : null}
      {found ? (
        <>
          <YearCodes codes={found.yearCodes} years={years} onChange={setYears} />
          {leaveOutUnknown || found.faults.some(({ code }) => code === 'unknown-county') ? (
            <FormControlLabel
              control={
                <Checkbox
                  checked={leaveOutUnknown}
                  onChange={({ target }) => setLeaveOutUnknown(target.checked)}
                />
              }
              label={t('population.leaveOutUnknown')}
            />
          ) : null}
          <Faults of={found} />
          <Years of={found} />
        </>
      ) : null}
      <FormBody
        of={editing}
        labels={{
          publisher: t('population.publisher'),
          title: t('population.title'),
          published: t('population.published'),
        }}
      >
        <TextField name="publisher" label={t('population.publisher')} help={t('population.publisherHelp')} />
        <TextField name="title" label={t('population.title')} help={t('population.titleHelp')} />
        <TextField
          name="published"
          label={t('population.published')}
          help={t('population.publishedHelp')}
          inputMode="numeric"
        />
      </FormBody>
    </FormDialog>
  );
}

/** The Census Bureau numbers the years of a file; a number without a year is skipped. */
function YearCodes({
  codes,
  years,
  onChange,
}: {
  codes: readonly string[];
  years: Readonly<Record<string, string>>;
  onChange: (years: Readonly<Record<string, string>>) => void;
}) {
  const { t } = useTranslation('settings');
  const id = useId();
  if (codes.length === 0) return null;
  return (
    <Box role="group" aria-labelledby={id} sx={{ display: 'grid', gap: 2 }}>
      <Typography id={id} variant="body2">
        {t('population.yearCodes')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        {codes.map((code) => (
          <Field
            key={code}
            id={`${id}-${code}`}
            label={t('population.yearCode', { code })}
            required
            fault={
              (years[code] ?? '') === '' || yearText.test(years[code]!) ? undefined : t('population.noYear')
            }
          >
            {({ describedBy, invalid }) => (
              <OutlinedInput
                id={`${id}-${code}`}
                value={years[code] ?? ''}
                error={invalid}
                inputMode="numeric"
                onChange={({ target }) => onChange({ ...years, [code]: target.value.trim() })}
                inputProps={{ maxLength: 4, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
                sx={{ width: 120 }}
              />
            )}
          </Field>
        ))}
      </Box>
    </Box>
  );
}

function Faults({ of: { faults, faultCount } }: { of: PopulationPreview }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const said = ({ line, column, value, code }: PopulationFault) =>
    [
      t('population.line', { line: formats.count(line) }),
      column,
      value === undefined || value === '' ? undefined : t('population.value', { value }),
      t(`population.problem.${code}`),
    ]
      .filter((part) => part !== undefined)
      .join(' · ');
  if (faultCount === 0) return null;
  return (
    <Alert severity="error">
      <Typography variant="body2" component="p">
        {t('population.faults', { count: faultCount, number: formats.count(faultCount) })}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingLeft: 5, maxHeight: 220, overflowY: 'auto' }}>
        {faults.map((fault) => (
          <li key={JSON.stringify(fault)}>{said(fault)}</li>
        ))}
      </Box>
      {faultCount > faults.length ? t('population.more', { number: formats.count(faults.length) }) : null}
    </Alert>
  );
}

function Years({ of: { years } }: { of: PopulationPreview }) {
  const { t } = useTranslation('settings');
  return (
    <Box role="status" sx={{ display: 'grid', gap: 1 }}>
      <Typography variant="body2">
        {t(years.length === 0 ? 'population.noYears' : 'population.found')}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
        {years.map((one) => (
          <li key={one.year}>
            {one.year}: <Figures of={one} />
            {one.replaces ? (
              <Typography variant="body2" component="p">
                {t('population.replaces', { ...one.replaces, published: String(one.replaces.published) })}
              </Typography>
            ) : null}
          </li>
        ))}
      </Box>
    </Box>
  );
}
