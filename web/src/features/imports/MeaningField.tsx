import { type CodeMapping, searchTests } from '@caseway/contract/imports';
import { labelIn, testNameForStaff } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import { type Ref, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { type Choice, ChoiceField } from '../../ui/ChoiceField.tsx';
import { writtenAs } from './parts.tsx';

/** The meaning of a code, found by typing: a laboratory test or a result. */
export function MeaningField(props: {
  mapping: CodeMapping;
  value: Choice | null;
  onChange: (value: Choice | null) => void;
  inputRef: Ref<HTMLInputElement>;
}) {
  return props.mapping.kind === 'test' ? <TestField {...props} /> : <CategoryField {...props} />;
}

type Props = Parameters<typeof MeaningField>[0];

function CategoryField({ mapping, value, onChange, inputRef }: Props) {
  const { t } = useTranslation('imports');
  const { options } = useLookup('resultCategories');
  return (
    <ChoiceField
      label={t('codes.category', { code: writtenAs(mapping) })}
      placeholder={t('columns.choose')}
      value={value}
      options={options}
      onChange={onChange}
      inputRef={inputRef}
    />
  );
}

/** The first word of a name, which finds more of the catalog than the full name: `SARS-CoV-2`. */
const firstWord = (name: string) => name.split(/[\s([:,]+/).find((word) => word !== '') ?? '';

/** A laboratory test of the catalog; at first those found by the first word of the sender's name. */
function TestField({ mapping, value, onChange, inputRef }: Props) {
  const { t, i18n } = useTranslation('imports');
  const first = firstWord(mapping.text || mapping.code);
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState(first);
  useEffect(() => {
    if (words === '') return;
    const timer = setTimeout(() => setAsked(words), 200);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useApi(
    searchTests,
    { query: { words: (words === '' ? first : asked).slice(0, 200) } },
    { staleTime: 300_000 },
  );
  const options = (query.data?.tests ?? []).map(({ loinc, name, nameI18N, method, site, diseaseFamily }) => ({
    id: loinc,
    label: `${testNameForStaff({ testName: name, testNameI18N: nameI18N }, i18n.language)} (${loinc})`,
    // Many tests have one name, and differ in the specimen or the method.
    detail: [
      site ? labelIn(site, i18n.language) : t('codes.anySpecimen'),
      t(`testMethod.${method}`),
      diseaseFamily ? labelIn(diseaseFamily, i18n.language) : null,
    ]
      .filter(Boolean)
      .join(' · '),
  }));
  return (
    <Box sx={{ minWidth: 0 }}>
      <ChoiceField
        label={t('codes.test', { code: writtenAs(mapping) })}
        placeholder={t('codes.testHelp')}
        value={value}
        options={value && !options.some(({ id }) => id === value.id) ? [value, ...options] : options}
        loading={query.isFetching}
        onWords={setWords}
        onChange={onChange}
        inputRef={inputRef}
      />
    </Box>
  );
}
