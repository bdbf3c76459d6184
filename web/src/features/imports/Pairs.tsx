import { cityLine, phoneShown } from '@caseway/contract/codes';
import {
  decideMatch,
  listMatches,
  type MatchPart,
  type MatchPerson,
  matchParts,
  type PatientMatch,
} from '@caseway/contract/matches';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Check, CircleSlash2, UsersRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { becameOld, callApi, useApi, useCall } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { useIdentifiers } from '../../data/use-identifiers.ts';
import { useLabels } from '../../data/use-labels.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { ImportsNavigation, Pager } from './parts.tsx';

const states = ['open', 'same', 'different'] as const;
/** A part agrees from here on; below it the two differ. */
const agrees = 0.85;

/** Patients that may be one person, side by side. */
export default function Pairs() {
  const { t } = useTranslation('imports');
  const [state, setState] = useState<PatientMatch['state']>('open');
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
            setState(next);
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

function Pair({ match, onDecided }: { match: PatientMatch; onDecided: () => void }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const sexes = useLabels('sex');
  const decide = useCall(decideMatch, { invalidates: [listMatches] });
  const run = (decision: PatientMatch['state']) =>
    decide.mutate(
      { params: { id: match.id }, body: { decision } },
      {
        onSuccess: () => {
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
  const identifierTexts = useIdentifiers();
  const texts: Record<MatchPart, (person: MatchPerson) => readonly (string | null)[]> = {
    identifier: ({ identifiers }) => identifierTexts(identifiers).map(({ kind, text }) => `${kind}: ${text}`),
    lastName: ({ lastName }) => [lastName],
    firstName: ({ firstName }) => [firstName],
    middleName: ({ middleName }) => [middleName],
    suffix: ({ suffix }) => [suffix],
    birthDate: ({ birthDate }) => [birthDate && formats.dayInWords(birthDate)],
    age: ({ bornFrom, bornTo }) => [
      bornFrom &&
        bornTo &&
        t('pairs.born', { from: formats.dayInWords(bornFrom), to: formats.dayInWords(bornTo) }),
    ],
    sex: ({ sex }) => [sexes.of(sex)],
    phone: ({ phones }) => phones.map(phoneShown),
    address: ({ street, city, state, postalCode }) => [
      street,
      cityLine({ city, stateFips: state, postalCode }),
    ],
  };
  const nameOf = ({ firstName, lastName }: MatchPerson) =>
    [firstName, lastName].filter(Boolean).join(' ') || t('pairs.nameless');
  // In the order of the columns, for the title and the table alike.
  const people = [match.candidate, match.patient] as const;
  const heading = people.map(nameOf).join(' – ');
  const shown = matchParts.filter((part) => people.some((person) => texts[part](person).some(Boolean)));
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
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'baseline' }}>
        <Typography variant="h3" component="h2" sx={{ flex: '1 1 200px' }}>
          {heading}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {match.parts.identifier === 1
            ? t('pairs.sharedIdentifier')
            : t('pairs.score', { share: formats.wholeShare(match.score) })}
        </Typography>
      </Box>
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
          '& tbody th': { width: { xs: '30%', sm: 180 }, color: 'text.secondary' },
        }}
      >
        <thead>
          <tr>
            <Box component="th" scope="col" sx={{ width: { xs: '30%', sm: 180 } }}>
              {t('pairs.part')}
            </Box>
            {(['older', 'newer'] as const).map((one) => (
              <th key={one} scope="col">
                {t(`pairs.${one}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((part) => {
            const agreement = match.parts[part];
            const numbers = part === 'identifier' ? sharedNumbers(people) : null;
            // The comparison is from when the newer record came; the reader sees the current facts.
            const same = (agreement !== undefined && agreement >= agrees) || numbers === 'of-one-place';
            // Equal values that were not counted say why; otherwise it would look like a missing mark.
            const mark = same
              ? 'pairs.agrees'
              : numbers === 'alone'
                ? 'pairs.sameNumber'
                : agreement !== undefined
                  ? agreement > 0
                    ? 'pairs.partly'
                    : 'pairs.differs'
                  : texts[part](people[0]).some((text) => text && texts[part](people[1]).includes(text))
                    ? 'pairs.sameUncounted'
                    : null;
            return (
              <Box component="tr" key={part} sx={same ? { backgroundColor: 'tint' } : {}}>
                <th scope="row">
                  {t(`matchPart.${part}`)}
                  {mark === null ? null : (
                    <Box
                      component="span"
                      sx={{
                        display: 'flex',
                        alignItems: 'center',
                        gap: 1,
                        fontSize: '0.75rem',
                        '& svg': { color: same ? 'success.main' : 'warning.main' },
                      }}
                    >
                      {same ? <Check size={13} aria-hidden /> : <CircleSlash2 size={13} aria-hidden />}
                      {t(mark)}
                    </Box>
                  )}
                </th>
                {people.map((person) => (
                  <td key={person.id}>
                    <Several texts={texts[part](person).filter((text) => text !== null && text !== '')} />
                    {part === 'lastName' && person.otherNames.length > 0 ? (
                      <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                        {t('pairs.otherNames', {
                          names: person.otherNames.slice(0, shownTexts).join(', '),
                        })}{' '}
                        {person.otherNames.length > shownTexts
                          ? t('pairs.more', {
                              count: person.otherNames.length - shownTexts,
                              number: formats.count(person.otherNames.length - shownTexts),
                            })
                          : null}
                      </Typography>
                    ) : null}
                  </td>
                ))}
              </Box>
            );
          })}
          <tr>
            <th scope="row">{t('pairs.holds')}</th>
            {people.map((person) => (
              <td key={person.id}>
                {t('pairs.results', { count: person.results, number: formats.count(person.results) })}
                {', '}
                {t('pairs.cases', { count: person.cases, number: formats.count(person.cases) })}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t('pairs.since')}</th>
            {people.map((person) => (
              <td key={person.id}>{formats.instant(person.createdAt)}</td>
            ))}
          </tr>
        </tbody>
      </Box>
      {decide.error ? <Alert severity="error">{t(`common:error.${decide.error.code}`)}</Alert> : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {match.state === 'open' ? (
          <>
            <Button variant="contained" loading={decide.isPending} onClick={() => run('same')}>
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
    </Box>
  );
}

/** From the message of a decision, if its pair is no longer in the list. */
async function reopen(id: string): Promise<void> {
  await callApi(decideMatch, { params: { id }, body: { decision: 'open' } });
  becameOld(listMatches);
}

/**
 * Whether both sides have the same number of one kind: `of-one-place` if one place gave both; `alone` if two places
 * did, or unknown ones: the numbers of two clinics can be equal by chance.
 */
function sharedNumbers([one, other]: readonly [MatchPerson, MatchPerson]): 'of-one-place' | 'alone' | null {
  const numberOf = ({ kind, value }: MatchPerson['identifiers'][number]) =>
    `${kind} ${value.toUpperCase().replaceAll(/[\s-]/g, '')}`;
  const shared = one.identifiers.flatMap((mine) =>
    other.identifiers.filter((theirs) => numberOf(theirs) === numberOf(mine)).map((theirs) => [mine, theirs]),
  );
  if (shared.length === 0) return null;
  const ofOnePlace = shared.some(
    ([mine, theirs]) =>
      mine!.assigner !== '' && mine!.assigner.toLowerCase() === theirs!.assigner.toLowerCase(),
  );
  return ofOnePlace ? 'of-one-place' : 'alone';
}

/** This many identifiers, phones or names of one person are shown until the reader asks for the others. */
const shownTexts = 4;

/** One person's values of a part: line by line, a dash for nothing. */
function Several({ texts }: { texts: readonly (string | null)[] }) {
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
