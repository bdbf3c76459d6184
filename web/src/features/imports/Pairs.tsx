import { listMatches, type PatientMatch } from '@caseway/contract/matches';
import Box from '@mui/material/Box';
import { UsersRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Pair } from './Pair.tsx';
import { ImportsNavigation, Pager } from './parts.tsx';

const states = ['open', 'same', 'different'] as const;

/** Patients that may be the same person, side by side. */
export default function Pairs() {
  const { t } = useTranslation('imports');
  const [address, setAddress] = useSearchParams();
  const state: PatientMatch['state'] = states.find((one) => one === address.get('state')) ?? 'open';
  const [page, setPage] = useState(0);
  const query = useApi(listMatches, { query: { state, page: String(page) } });
  const top = useRef<HTMLDivElement>(null);
  return (
    <Page title={t('common:screen.importPairs')} lead={t('pairs.lead')}>
      <ImportsNavigation />
      <Box sx={{ maxWidth: 480 }}>
        <Segments
          label={t('pairs.state')}
          hideLabel
          value={state}
          options={states.map((value) => ({ value, label: t(`pairState.${value}`) }))}
          onChange={(next) => {
            setAddress(next === 'open' ? {} : { state: next }, { replace: true, preventScrollReset: true });
            setPage(0);
          }}
        />
      </Box>
      <Box ref={top} tabIndex={-1} sx={{ outline: 'none' }}>
        <Answered query={query} height={360}>
          {({ rows, rowCount }) =>
            rows.length === 0 ? (
              <Message icon={UsersRound} title={t(`pairs.none.${state}`)}>
                {state === 'open' ? t('pairs.noneText') : null}
              </Message>
            ) : (
              <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
                {rows.map((match) => (
                  <Pair key={match.id} match={match} onDecided={() => top.current?.focus()} />
                ))}
                <Pager page={page} rowCount={rowCount} onPage={setPage} />
              </Box>
            )
          }
        </Answered>
      </Box>
    </Page>
  );
}
