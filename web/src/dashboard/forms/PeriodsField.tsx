import { chosenGranularity, granularitiesOf } from '@caseway/contract/granularity';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useTranslation } from 'react-i18next';
import { useShown } from '../shown.ts';

const automatic = 'automatic';

/** Chooses the periods of all trends: days, weeks or months. Nothing if the reader cannot choose. */
export function PeriodsField({ title }: { title: string }) {
  const { t } = useTranslation('analytics');
  const { answer, periods } = useShown();
  if (!periods) return null;
  return (
    <NativeSelect
      value={periods.chosen ?? automatic}
      onChange={({ target }) => periods.onChoose(chosenGranularity.safeParse(target.value).data ?? null)}
      input={<OutlinedInput sx={{ minHeight: 32, fontSize: '0.8125rem' }} />}
      inputProps={{ 'aria-label': t('screen.periods.label', { title }) }}
    >
      {[automatic, ...granularitiesOf(answer.dateRangeValue)].map((one) => (
        <option key={one} value={one}>
          {t(`screen.periods.${one}`)}
        </option>
      ))}
    </NativeSelect>
  );
}
