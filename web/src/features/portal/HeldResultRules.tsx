import { type HeldResultRule, readHeldResultRules, setHeldResultRules } from '@caseway/contract/portal';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Field } from '../../ui/Field.tsx';
import { Section } from '../../ui/Section.tsx';

/** Which results patients see only after a conversation: the tenant's rules, each saved immediately. */
export function HeldResultRules() {
  const { t } = useTranslation('patient-portal');
  const query = useApi(readHeldResultRules);
  return (
    <Section title={t('rules.title')}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('rules.lead')}
      </Typography>
      <Answered query={query} height={160}>
        {({ rules }) => <Rules rules={rules} />}
      </Answered>
    </Section>
  );
}

function Rules({ rules }: { rules: readonly HeldResultRule[] }) {
  const { t } = useTranslation(['patient-portal', 'common']);
  const families = useLabels('diseaseFamilies');
  const conditions = useLabels('conditions');
  const categories = useLabels('resultCategories');
  const save = useCall(setHeldResultRules, { invalidates: [readHeldResultRules] });
  const store = (next: HeldResultRule[]) =>
    save.mutate(
      { body: { rules: next } },
      { onSuccess: () => notify('success', 'patient-portal:rules.saved') },
    );
  const wordsOf = ({ diseaseFamily, condition, resultCategory }: HeldResultRule) =>
    [
      condition === null ? families.of(diseaseFamily) : conditions.of(condition),
      categories.of(resultCategory),
    ].join(': ');
  const fault = save.error?.faults[0]?.code;
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      {save.error ? (
        <Alert severity="error">
          {fault === 'duplicate'
            ? t('rules.duplicate')
            : save.error.permission === 'restricted-families/read'
              ? t('rules.restricted')
              : t(`common:error.${save.error.code}`)}
        </Alert>
      ) : null}
      {rules.length === 0 ? (
        <Typography variant="body1">{t('rules.none')}</Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {rules.map((rule) => (
            <Box
              component="li"
              key={`${rule.diseaseFamily} ${rule.condition} ${rule.resultCategory}`}
              sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, paddingY: 2 }}
            >
              <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
                <Typography variant="body1" sx={{ fontWeight: 550 }}>
                  {wordsOf(rule)}
                </Typography>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {t('rules.held')}: {t(rule.held ? 'rules.yesHeld' : 'rules.notHeld')}
                </Typography>
              </Box>
              <Button
                size="small"
                variant="outlined"
                disabled={save.isPending}
                aria-label={t('rules.removeOne', { what: wordsOf(rule) })}
                onClick={() => store(rules.filter((one) => one !== rule))}
              >
                {t('rules.remove')}
              </Button>
            </Box>
          ))}
        </Box>
      )}
      <NewRule busy={save.isPending} onAdd={(rule) => store([...rules, rule])} />
    </Box>
  );
}

function NewRule({ busy, onAdd }: { busy: boolean; onAdd: (rule: HeldResultRule) => void }) {
  const { t } = useTranslation('patient-portal');
  const families = useLookup('diseaseFamilies').options;
  const conditions = useLookup('conditions').options;
  const categories = useLookup('resultCategories').options;
  const [chosen, setChosen] = useState({ family: '', condition: '', category: 'positive', held: 'yes' });
  const family = chosen.family || (families[0]?.id ?? '');
  const choice = (
    name: keyof typeof chosen,
    label: string,
    options: readonly { id: string; label: string }[],
  ) => (
    <Choice
      label={label}
      value={name === 'family' ? family : chosen[name]}
      options={options}
      onChange={(value) =>
        setChosen({ ...chosen, ...(name === 'family' && { condition: '' }), [name]: value })
      }
    />
  );
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd({
          diseaseFamily: family,
          condition: chosen.condition || null,
          resultCategory: chosen.category,
          held: chosen.held === 'yes',
        });
      }}
      sx={{
        display: 'grid',
        gap: 3,
        alignItems: 'end',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(4, minmax(0, 1fr)) max-content' },
      }}
    >
      {choice('family', t('rules.family'), families)}
      {choice('condition', t('rules.condition'), [
        { id: '', label: t('rules.anyCondition') },
        ...conditions.filter(({ within }) => within?.diseaseFamilies === family),
      ])}
      {choice('category', t('rules.category'), categories)}
      {choice('held', t('rules.held'), [
        { id: 'yes', label: t('rules.yesHeld') },
        { id: 'no', label: t('rules.notHeld') },
      ])}
      <Button type="submit" variant="outlined" loading={busy}>
        {t('rules.add')}
      </Button>
    </Box>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { id: string; label: string }[];
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <Field id={id} label={label} required>
      {() => (
        <NativeSelect
          id={id}
          input={<OutlinedInput />}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}
