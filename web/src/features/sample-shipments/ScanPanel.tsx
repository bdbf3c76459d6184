import { conditions, type Shipped } from '@caseway/contract/sample-shipments';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../data/transport.ts';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { Progress } from '../../ui/Progress.tsx';
import { useFormats } from '../../words/formats.ts';
import { CodeEntry } from './CodeEntry.tsx';
import { useShipmentWords } from './shipment-words.ts';
import { type Condition, useReception } from './use-contents.ts';

interface Said {
  severity: 'success' | 'info' | 'warning' | 'error';
  text: string;
}

/** Receives tube after tube, and reports the outcome of each. */
export function ScanPanel({ id, specimens }: { id: string; specimens: readonly Shipped[] }) {
  const { t } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const faultKey = useFaultKey('sample-shipments');
  const { instant, count } = useFormats();
  const { receive } = useReception(id);
  const [condition, setCondition] = useState<Condition>('good');
  const [said, setSaid] = useState<Said | null>(null);
  const expected = specimens.filter(({ reception }) => reception !== 'unexpected');
  const received = expected.filter(({ reception }) => reception === 'received').length;
  const scan = async (code: string) => {
    try {
      const { outcome, specimen } = await receive(code, 'scanned', condition);
      const by = specimen.receivedBy ?? t('scan.someone');
      const at = specimen.receivedAt ? instant(specimen.receivedAt) : '';
      const severity = { received: 'success', already: 'info', unexpected: 'warning' } as const;
      setSaid({ severity: severity[outcome], text: t(`scan.outcome.${outcome}`, { code, by, at }) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const fault = error.faults[0]?.code;
      const why = t(fault ? faultKey(fault) : `common:error.${error.code}`);
      setSaid({ severity: 'error', text: t('scan.outcome.failed', { code, why }) });
    }
    // The next one is in good condition, unless the user says otherwise again.
    setCondition('good');
  };
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Progress
        label={t('scan.title')}
        value={expected.length === 0 ? 1 : received / expected.length}
        detail={t('scan.progress', { received: count(received), all: count(expected.length) })}
      />
      <CodeEntry
        label={t('scan.code')}
        help={t('scan.help')}
        submit={t('scan.receive')}
        beside={
          <NativeSelect
            value={condition}
            input={<OutlinedInput />}
            inputProps={{ 'aria-label': t('scan.condition') }}
            onChange={(event) => setCondition(event.target.value as Condition)}
          >
            {conditions.map((one) => (
              <option key={one} value={one}>
                {words.choice('condition', one)}
              </option>
            ))}
          </NativeSelect>
        }
        onCode={scan}
      />
      <Box role="status" aria-live="polite">
        {said ? <Alert severity={said.severity}>{said.text}</Alert> : null}
      </Box>
    </Box>
  );
}
