import { type CodeMapping, routineTarget, wordsAlone } from '@caseway/contract/imports';
import { testNameForStaff } from '@caseway/contract/label';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../../data/use-labels.ts';
import type { Choice } from '../../ui/ChoiceField.tsx';
import { useFormats } from '../../words/formats.ts';
import { MeaningField } from './MeaningField.tsx';
import { writtenAs } from './parts.tsx';

/** The table's columns where there is room: selection, code, waiting messages, meaning, actions. */
export const codeColumns = {
  xs: '40px minmax(0, 1fr)',
  md: '40px minmax(0, 1.2fr) 104px minmax(0, 1.4fr) 256px',
};

/** The name of what a code means, or probably means. */
function useMeaning(kind: CodeMapping['kind']) {
  const { t, i18n } = useTranslation('imports');
  const categories = useLabels('resultCategories', { enabled: kind === 'value' });
  return ({
    target,
    targetLabel,
    targetLabelI18N,
  }: Pick<CodeMapping, 'target' | 'targetLabel' | 'targetLabelI18N'>): string => {
    if (target === routineTarget) return t('codes.routineName');
    if (target === null) return t('codes.leaveOutName');
    if (kind === 'value') return categories.of(target);
    const name =
      targetLabel &&
      testNameForStaff({ testName: targetLabel, testNameI18N: targetLabelI18N }, i18n.language);
    return name ? `${name} (${target})` : target;
  };
}

/** The actions on a code; absent ones are not permitted. */
export interface CodeActs {
  map: (mapping: CodeMapping, target: string) => void;
  /** Decides as proposed, which may be to leave it out. */
  accept: (mapping: CodeMapping, proposal: NonNullable<CodeMapping['proposal']>) => void;
  leaveOut: (mapping: CodeMapping) => void;
  reopen: (mapping: CodeMapping) => void;
  /** Opens or closes the field for another meaning. */
  pick: (id: string | null) => void;
}

/** A sender's code: what it is, what waits for it, its probable meaning and why. */
export function CodeRow({
  mapping,
  acts,
  isChosen,
  onChoose,
  isPicking,
  isStop,
}: {
  mapping: CodeMapping;
  acts: CodeActs | null;
  isChosen: boolean;
  onChoose: (on: boolean) => void;
  isPicking: boolean;
  /** Whether Tab reaches this row; the arrow keys reach the others. */
  isStop: boolean;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const meaning = useMeaning(mapping.kind);
  const name = writtenAs(mapping);
  const { proposal } = mapping;
  const tabIndex = isStop ? 0 : -1;
  return (
    <Box
      role="row"
      aria-level={2}
      tabIndex={tabIndex}
      data-code={mapping.id}
      aria-selected={acts ? isChosen : undefined}
      sx={{
        display: 'grid',
        gridTemplateColumns: codeColumns,
        columnGap: 3,
        rowGap: 1,
        alignItems: 'start',
        padding: '8px 12px',
        borderTop: 1,
        borderColor: 'divider',
        ...(isChosen && { backgroundColor: 'tint' }),
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: '-2px' },
        '& > *': { minWidth: 0 },
        '& > :not(:first-of-type)': { gridColumn: { xs: 2, md: 'auto' } },
      }}
    >
      <Box role="gridcell" sx={{ gridRow: { xs: '1 / span 4', md: 'auto' } }}>
        {acts ? (
          <Checkbox
            size="small"
            checked={isChosen}
            onChange={(_, on) => onChoose(on)}
            slotProps={{ input: { 'aria-label': t('common:grid.selectRow', { name }), tabIndex } }}
            sx={{ padding: '4px' }}
          />
        ) : null}
      </Box>
      <Box role="rowheader">
        <Typography variant="body1" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
          {mapping.text || mapping.code}
        </Typography>
        <Typography
          variant="caption"
          component="div"
          sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {t(`codeKind.${mapping.kind}`)}
          {mapping.system === wordsAlone ? null : (
            <>
              {' · '}
              <span className="mono">{[mapping.code, mapping.system].filter(Boolean).join(' · ')}</span>
            </>
          )}
        </Typography>
      </Box>
      <Box role="gridcell">
        {/* Nothing waits for a decided code, except while its messages are reprocessed. */}
        {mapping.state === 'open' || mapping.waiting > 0 ? (
          <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {t('codes.waitingShort', { count: mapping.waiting, number: formats.count(mapping.waiting) })}
          </Typography>
        ) : null}
        {mapping.occurrences === null ? null : (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {t('codes.seen', { count: mapping.occurrences, number: formats.count(mapping.occurrences) })}
          </Typography>
        )}
      </Box>
      <Box role="gridcell">
        {mapping.state === 'mapped' ? (
          <Typography variant="body1" sx={{ overflowWrap: 'anywhere' }}>
            {t('codes.means', { target: meaning(mapping) })}
          </Typography>
        ) : mapping.state === 'ignored' ? (
          <Typography variant="body1">{t('codes.ignored')}</Typography>
        ) : proposal ? (
          <>
            <Typography variant="body1" sx={{ overflowWrap: 'anywhere' }}>
              {meaning(proposal)}
            </Typography>
            <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
              {proposal.basis === 'mapped-before' && proposal.mappedBy === null
                ? t('codes.reason.mapped-before-unnamed')
                : t(`codes.reason.${proposal.basis}`, { name: proposal.mappedBy })}
            </Typography>
          </>
        ) : (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('codes.noProposal')}
          </Typography>
        )}
        {isPicking && acts ? <Picking mapping={mapping} acts={acts} /> : null}
      </Box>
      <Box role="gridcell" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {acts === null ? null : mapping.state === 'open' ? (
          <>
            {proposal ? (
              <Button
                variant="contained"
                size="small"
                tabIndex={tabIndex}
                aria-label={t('codes.acceptOne', { code: name, target: meaning(proposal) })}
                onClick={() => acts.accept(mapping, proposal)}
              >
                {t('codes.accept')}
              </Button>
            ) : null}
            <Button
              variant="outlined"
              size="small"
              tabIndex={tabIndex}
              aria-expanded={isPicking}
              aria-label={t('codes.chooseOne', { code: name })}
              onClick={() => acts.pick(isPicking ? null : mapping.id)}
            >
              {t('codes.choose')}
            </Button>
            <Button
              variant="outlined"
              size="small"
              tabIndex={tabIndex}
              aria-label={t('codes.ignoreOne', { code: name })}
              onClick={() => acts.leaveOut(mapping)}
            >
              {t('codes.ignore')}
            </Button>
          </>
        ) : (
          <Button
            variant="outlined"
            size="small"
            tabIndex={tabIndex}
            aria-label={t('codes.undoOne', { code: name })}
            onClick={() => acts.reopen(mapping)}
          >
            {t('codes.undo')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** The field for another meaning, which takes the focus when it appears; after a choice, its button does. */
function Picking({ mapping, acts }: { mapping: CodeMapping; acts: CodeActs }) {
  const { t } = useTranslation('imports');
  const [target, setTarget] = useState<Choice | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const use = useRef<HTMLButtonElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (target) use.current?.focus();
  }, [target]);
  return (
    <Box sx={{ display: 'grid', gap: 2, marginTop: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <MeaningField mapping={mapping} value={target} onChange={setTarget} inputRef={field} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          ref={use}
          variant="contained"
          size="small"
          disabled={target === null}
          onClick={() => target && acts.map(mapping, target.id)}
        >
          {t('codes.map')}
        </Button>
        {mapping.kind === 'test' && mapping.proposal?.target !== routineTarget ? (
          <Button
            variant="outlined"
            size="small"
            aria-label={t('codes.routineOne', { code: writtenAs(mapping) })}
            onClick={() => acts.map(mapping, routineTarget)}
          >
            {t('codes.routine')}
          </Button>
        ) : null}
        <Button variant="text" size="small" onClick={() => acts.pick(null)}>
          {t('common:action.cancel')}
        </Button>
      </Box>
    </Box>
  );
}
