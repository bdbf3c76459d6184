import type { KeptValue, MatchSide, PatientMatch } from '@caseway/contract/matches';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Radio from '@mui/material/Radio';
import Typography from '@mui/material/Typography';
import { Check, CircleSlash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';
import type { ComparedPart } from './pair-comparison.ts';

const sides = ['older', 'newer'] as const satisfies MatchSide[];

/** Both records side by side: differences are marked, with the value a merge keeps. */
export function PairTable({
  match,
  compared,
  kept,
  onKeep,
}: {
  match: PatientMatch;
  compared: readonly ComparedPart[];
  kept: PatientMatch['kept'];
  onKeep: (value: KeptValue, side: MatchSide) => void;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const people = { older: match.candidate, newer: match.patient };
  const isMerged = match.state === 'same';
  return (
    <Box
      component="table"
      sx={{
        width: '100%',
        tableLayout: 'fixed',
        borderCollapse: 'collapse',
        fontSize: '0.875rem',
        lineHeight: 1.5,
        '& th, & td': {
          padding: '6px 8px',
          textAlign: 'left',
          verticalAlign: 'top',
          borderTop: 1,
          borderColor: 'divider',
          overflowWrap: 'anywhere',
          fontWeight: 400,
        },
        '& thead th': { borderTop: 0, color: 'text.secondary' },
        '& tbody th': { color: 'text.secondary' },
      }}
    >
      <thead>
        <tr>
          <Box component="th" scope="col" sx={{ width: { xs: '30%', sm: 200 } }}>
            {t('pairs.part')}
          </Box>
          {sides.map((side) => (
            <th key={side} scope="col">
              {t(isMerged ? `pairs.afterMerge.${side}` : `pairs.${side}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {compared.map(({ part, texts, agrees, contradicts, mark, choice }) => (
          <Box component="tr" key={part} sx={contradicts && !isMerged ? { backgroundColor: 'tint' } : {}}>
            <Box
              component="th"
              scope="row"
              sx={
                contradicts && !isMerged
                  ? { boxShadow: (theme) => `inset 3px 0 0 ${theme.vars!.palette.warning.main}` }
                  : {}
              }
            >
              {t(`matchPart.${part}`)}
              {mark === null || isMerged ? null : (
                <Box
                  component="span"
                  sx={{
                    display: 'flex',
                    alignItems: 'center',
                    gap: 1,
                    fontSize: '0.75rem',
                    '& svg': { color: agrees ? 'success.main' : 'warning.main', flexShrink: 0 },
                  }}
                >
                  {agrees ? <Check size={13} aria-hidden /> : <CircleSlash2 size={13} aria-hidden />}
                  {t(`pairs.${mark}`)}
                </Box>
              )}
            </Box>
            {sides.map((side, index) => (
              <td key={side}>
                <Several texts={texts[index]!} />
                {part === 'lastName' ? <OtherNames names={people[side].otherNames} /> : null}
                {choice !== null && match.state === 'open' ? (
                  <Keep
                    group={`${match.id} ${choice}`}
                    label={t(`pairs.keep.${choice}`)}
                    name={t(`pairs.keepOf.${side}.${choice}`)}
                    checked={kept[choice] === side}
                    onChoose={() => onKeep(choice, side)}
                  />
                ) : null}
              </td>
            ))}
          </Box>
        ))}
        {isMerged ? null : (
          <tr>
            <th scope="row">{t('pairs.holds')}</th>
            {sides.map((side) => (
              <td key={side}>
                {t('pairs.results', {
                  count: people[side].results,
                  number: formats.count(people[side].results),
                })}
                {', '}
                {t('pairs.cases', { count: people[side].cases, number: formats.count(people[side].cases) })}
              </td>
            ))}
          </tr>
        )}
        <tr>
          <th scope="row">{t('pairs.since')}</th>
          {sides.map((side) => (
            <td key={side}>{formats.instant(people[side].createdAt)}</td>
          ))}
        </tr>
      </tbody>
    </Box>
  );
}

/** Whether the merged record keeps this value. */
function Keep({
  group,
  label,
  name,
  checked,
  onChoose,
}: {
  group: string;
  label: string;
  /** The value and whose it is, read aloud. */
  name: string;
  checked: boolean;
  onChoose: () => void;
}) {
  return (
    <Box
      component="label"
      sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: '0.75rem', color: 'text.secondary' }}
    >
      <Radio
        size="small"
        name={group}
        checked={checked}
        onChange={onChoose}
        slotProps={{ input: { 'aria-label': name } }}
        sx={{ padding: '3px', marginLeft: '-3px' }}
      />
      <span aria-hidden>{label}</span>
    </Box>
  );
}

function OtherNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  if (names.length === 0) return null;
  const more = names.length - shownTexts;
  return (
    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
      {t('pairs.otherNames', { names: names.slice(0, shownTexts).join(', ') })}{' '}
      {more > 0 ? t('pairs.more', { count: more, number: formats.count(more) }) : null}
    </Typography>
  );
}

/** The number of a person's identifiers, phones or names shown until the reader asks for more. */
const shownTexts = 4;

/** A person's values of a part, one per line; a dash for none. */
function Several({ texts }: { texts: readonly string[] }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const [all, setAll] = useState(false);
  if (texts.length === 0) return '–';
  const more = texts.length - shownTexts;
  return (
    <>
      {texts.slice(0, all ? undefined : shownTexts).map((text) => (
        <div key={text}>{text}</div>
      ))}
      {more > 0 && !all ? (
        <Link component="button" type="button" variant="body2" onClick={() => setAll(true)}>
          {t('pairs.more', { count: more, number: formats.count(more) })}
        </Link>
      ) : null}
    </>
  );
}
