import { labelsInSentence } from '@caseway/contract/label';
import {
  decideMatch,
  type KeptValue,
  listMatches,
  type MatchPart,
  type MatchPerson,
  type MatchSide,
  type PatientMatch,
} from '@caseway/contract/matches';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { becameOld, callApi, useCall } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { notify } from '../../session/notify.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { framed } from '../../ui/framed.ts';
import { useFormats } from '../../words/formats.ts';
import { PairTable } from './PairTable.tsx';
import { type Mark, useComparison } from './pair-comparison.ts';

type MergeValues = Partial<Record<KeptValue, MatchSide>>;

/** A pair: what agrees and what does not, whose values a merge keeps, and the decision. */
export function Pair({ match, onDecided }: { match: PatientMatch; onDecided: () => void }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const compared = useComparison(match);
  const decide = useCall(decideMatch, { invalidates: [listMatches] });
  // Only the user's choices are sent: the merge rules decide the rest, and know more than this user may see.
  const [chosen, setChosen] = useState<MergeValues>({});
  const kept = { ...match.kept, ...chosen };
  const [asking, setAsking] = useState(false);
  const run = (decision: PatientMatch['state']) =>
    decide.mutate(
      { params: { id: match.id }, body: decision === 'same' ? { decision, values: chosen } : { decision } },
      {
        onSuccess: () => {
          setAsking(false);
          notify(
            'success',
            `imports:pairs.done.${decision}`,
            decision === 'open'
              ? {}
              : {
                  action: {
                    label: decision === 'same' ? 'imports:pairs.undoSame' : 'imports:pairs.undo',
                    run: () => void takeBack(() => reopen(match.id), 'imports:pairs.done.open'),
                  },
                },
          );
          onDecided();
        },
      },
    );
  const nameOf = ({ firstName, lastName }: MatchPerson) =>
    [firstName, lastName].filter(Boolean).join(' ') || t('pairs.nameless');
  // In column order, for both title and table.
  const heading = [match.candidate, match.patient].map(nameOf).join(' – ');
  const partsWhere = (...marks: Mark[]) =>
    compared.filter(({ mark }) => mark !== null && marks.includes(mark)).map(({ part }) => part);
  const inWords = (parts: readonly MatchPart[]) =>
    labelsInSentence(parts.map((part) => t(`matchPart.${part}`)));
  const contradicting = partsWhere('partly', 'differs');
  const summary = (['agrees', 'partly', 'differs'] as const).flatMap((mark) => {
    const parts = partsWhere(mark);
    return parts.length > 0 ? [t(`pairs.summary.${mark}`, { parts: inWords(parts) })] : [];
  });
  return (
    <Box
      component="section"
      aria-label={heading}
      sx={{
        display: 'grid',
        gap: 3,
        gridTemplateColumns: 'minmax(0, 1fr)',
        padding: { xs: 3, sm: 4 },
        ...framed,
      }}
    >
      <Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'baseline' }}>
          <Typography variant="h3" component="h2" sx={{ flex: '1 1 200px' }}>
            {heading}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {match.parts.identifier === 1
              ? t('pairs.sharedIdentifier')
              : t('pairs.score', { share: formats.wholeShare(match.score) })}
          </Typography>
        </Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {summary.join(' ')}
        </Typography>
      </Box>
      <PairTable
        match={match}
        compared={compared}
        kept={kept}
        onKeep={(value, side) => setChosen((before) => ({ ...before, [value]: side }))}
      />
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {match.state === 'open'
          ? t('pairs.stays')
          : t(`pairs.decided.${match.state}`, {
              name: match.decidedBy ?? t('pairs.someone'),
              time: match.decidedAt ? formats.instant(match.decidedAt) : '–',
            })}
        {match.moved
          ? ` ${t('pairs.moved', {
              results: t('pairs.results', {
                count: match.moved.results,
                number: formats.count(match.moved.results),
              }),
              cases: t('pairs.cases', { count: match.moved.cases, number: formats.count(match.moved.cases) }),
            })}`
          : null}
      </Typography>
      {decide.error && !asking ? (
        <Alert severity="error">{t(`common:error.${decide.error.code}`)}</Alert>
      ) : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {match.state === 'open' ? (
          <>
            <Button
              variant="contained"
              loading={decide.isPending}
              onClick={() => (contradicting.length > 0 ? setAsking(true) : run('same'))}
            >
              {t('pairs.same')}
            </Button>
            <Button variant="outlined" disabled={decide.isPending} onClick={() => run('different')}>
              {t('pairs.different')}
            </Button>
          </>
        ) : (
          <Button variant="outlined" loading={decide.isPending} onClick={() => run('open')}>
            {t(match.state === 'same' ? 'pairs.undoSame' : 'pairs.undo')}
          </Button>
        )}
      </Box>
      <ConfirmDialog
        open={asking}
        title={t('pairs.confirm.title', { names: heading })}
        confirm={t('pairs.confirm.merge')}
        busy={decide.isPending}
        error={decide.error}
        onConfirm={() => run('same')}
        onClose={() => setAsking(false)}
      >
        {t('pairs.confirm.text', { parts: inWords(contradicting) })}
      </ConfirmDialog>
    </Box>
  );
}

/** From a decision's notification, when its pair is no longer in the list. */
async function reopen(id: string): Promise<void> {
  await callApi(decideMatch, { params: { id }, body: { decision: 'open' } });
  becameOld(listMatches);
}
