import { placeholdersIn } from '@caseway/contract/mail-text';
import { experiences, type Language, languages } from '@caseway/contract/session';
import { changeLabel, findLabels, type Label, labelFault } from '@caseway/contract/settings';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient, useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { initAgain } from '../../session/session.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useAddressChoices } from '../../view/address-choices.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';

/** The labels of the screens, one by one: found by their text, changed, restored. */
export function Labels() {
  const { t, i18n } = useTranslation('settings');
  const id = useId();
  const own = languageOf(i18n.language) ?? 'en';
  const { chosen, choose } = useAddressChoices({
    language: [own, ...languages.filter((one) => one !== own)],
    which: ['all', 'changed'],
  });
  const { language, which } = chosen;
  const [words, setWords] = useState('');
  const [open, setOpen] = useState<Label | null>(null);
  const query = useApi(findLabels, { query: { language, words, which } });
  return (
    <Section title={t('section.labels')}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('labels.lead')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          alignItems: 'end',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        <SearchField label={t('labels.find')} onSearch={setWords} />
        <Field id={`${id}-language`} label={t('labels.language')} required>
          {() => (
            <NativeSelect
              value={language}
              onChange={(event) => choose({ language: event.target.value as Language })}
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
        <Segments
          label={t('labels.which')}
          value={which}
          options={(['all', 'changed'] as const).map((value) => ({ value, label: t(`labels.${value}`) }))}
          onChange={(value) => choose({ which: value })}
        />
      </Box>
      <Answered query={query} height={320}>
        {({ labels, total }) => (
          <>
            <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
              {total > labels.length
                ? t('labels.more', { number: labels.length, count: total })
                : t('labels.found', { count: total })}
            </Typography>
            <LabelList labels={labels} language={language} onOpen={setOpen} />
          </>
        )}
      </Answered>
      {open ? (
        <EditLabel key={open.key} label={open} language={language} onClose={() => setOpen(null)} />
      ) : null}
    </Section>
  );
}

function LabelList({
  labels,
  language,
  onOpen,
}: {
  labels: readonly Label[];
  language: Language;
  onOpen: (label: Label) => void;
}) {
  const { t } = useTranslation('settings');
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {labels.map((label) => (
        <Box
          component="li"
          key={label.key}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 3,
            padding: '8px 0',
            borderTop: 1,
            borderColor: 'divider',
          }}
        >
          {/* The product's texts as data: in another language than the screen, with placeholders. */}
          <Box translate="no" sx={{ flex: 1, minWidth: 0 }}>
            <Typography variant="body1" lang={language} sx={{ overflowWrap: 'anywhere' }}>
              {label.text ?? label.builtIn}
            </Typography>
            <Typography
              variant="caption"
              component="div"
              sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
            >
              {label.text === null ? null : <s lang={language}>{label.builtIn}</s>}
              {label.text === null ? null : ' · '}
              {language === 'en' ? null : <span lang="en">{label.english} · </span>}
              {experienceOf(label.key) ? `${t(`common:experience.${experienceOf(label.key)}`)} · ` : null}
              <Box component="span" sx={{ typography: 'mono', fontSize: 'inherit' }}>
                {label.key}
              </Box>
            </Typography>
          </Box>
          <Button
            variant="outlined"
            size="small"
            startIcon={<Pencil size={14} aria-hidden />}
            aria-label={t('labels.changeOf', { label: shown(label) })}
            onClick={() => onOpen(label)}
          >
            {t('labels.change')}
          </Button>
        </Box>
      ))}
    </Box>
  );
}

/** The only experience a label is for: `field.facility_EDUCATION`, `places_EDUCATION_one`. [S1.5] */
const experienceOf = (key: string) => experiences.find((one) => new RegExp(`_${one}(_[a-z]+)?$`).test(key));

/** A label's text, with its values by name. */
const shown = ({ text, builtIn }: Label) =>
  (text ?? builtIn).replace(/\{\{\s*([\w-]+)[^}]*\}\}/g, (_, name: string) => `‹${name}›`);

function EditLabel({ label, language, onClose }: { label: Label; language: Language; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const id = useId();
  const said = label.text ?? label.builtIn;
  const [text, setText] = useState(said);
  const [tried, setTried] = useState(false);
  const call = useCall(changeLabel, { invalidates: [findLabels] });
  const dirty = text.trim() !== said;
  useUnsaved(dirty);
  const fault = text.trim() === '' ? 'required' : labelFault(label.builtIn, text);
  const names = placeholdersIn(label.builtIn);
  const send = (next: string | null) =>
    call.mutate(
      { body: { language, key: label.key, text: next, before: label.text } },
      {
        onSuccess: () => {
          notify('success', next === null ? 'settings:done.putBack' : 'settings:done.saved');
          void initAgain();
          onClose();
        },
        // When it is opened again, it shows someone else's text.
        onError: ({ code }) => {
          if (code === 'conflict') void queryClient.invalidateQueries({ queryKey: [findLabels.path] });
        },
      },
    );
  return (
    <FormDialog
      title={t('labels.changeOf', { label: shown(label) })}
      submit={t('common:action.save')}
      busy={call.isPending}
      onSubmit={() => {
        setTried(true);
        if (fault === undefined && dirty) send(text.trim());
        else if (fault === undefined) onClose();
      }}
      onClose={onClose}
    >
      {call.error ? <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert> : null}
      <Box translate="no" sx={{ display: 'grid', gap: 1 }}>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('labels.builtIn')}
        </Typography>
        <Typography variant="body1" lang={language}>
          {label.builtIn}
        </Typography>
      </Box>
      <Field
        id={id}
        label={t('labels.own', { language: languageNames[language] })}
        required
        help={
          names.length > 0 ? t('labels.values', { names: names.join(', '), count: names.length }) : undefined
        }
        fault={tried && fault ? t(`common:fault.${fault}`) : undefined}
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            value={text}
            autoFocus
            multiline
            maxRows={8}
            error={invalid}
            onChange={(event) => setText(event.target.value)}
            inputProps={{
              lang: language,
              translate: 'no',
              maxLength: 1000,
              'aria-describedby': describedBy,
              'aria-invalid': invalid,
            }}
          />
        )}
      </Field>
      {label.text === null ? null : (
        <Box>
          <Button variant="outlined" size="small" disabled={call.isPending} onClick={() => send(null)}>
            {t('action.putBack')}
          </Button>
        </Box>
      )}
    </FormDialog>
  );
}
