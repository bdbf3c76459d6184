import { listMatches } from '@caseway/contract/matches';
import Box from '@mui/material/Box';
import { UsersRound } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useAddressChoices } from '../../view/address-choices.ts';
import { Pair } from './Pair.tsx';
import { ImportsNavigation, Pager } from './parts.tsx';

const states = ['open', 'same', 'different'] as const;

/** Patients that may be the same person, side by side. */
export default function Pairs() {
  const { t } = useTranslation('imports');
  const {
    chosen: { state },
    choose,
    page,
    setPage,
  } = useAddressChoices({ state: states });
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
          onChange={(next) => choose({ state: next })}
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
