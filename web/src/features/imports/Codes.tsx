import {
  type CodeMapping,
  decideMapping,
  importMessages,
  listMappings,
  type MappingDecision,
  type MappingState,
  mappingStates,
  readImport,
  routineTarget,
  searchTests,
  wordsAlone,
} from '@caseway/contract/imports';
import { labelIn, testNameForStaff } from '@caseway/contract/label';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient, useApi, useCall } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { type Choice, ChoiceField } from '../../ui/ChoiceField.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import {
  type ImportProgress,
  ImportsNavigation,
  NeedsPermission,
  Pager,
  useImportProgress,
  writtenAs,
} from './parts.tsx';

/** Codes of laboratories that nobody has mapped yet: each is mapped once for its sender. */
export default function Codes() {
  const { t } = useTranslation('imports');
  const may = useMay();
  const [state, setState] = useState<MappingState>('open');
  const [page, setPage] = useState(0);
  const [running, setRunning] = useState<ReadonlyMap<string, ImportProgress>>(new Map());
  const query = useApi(listMappings, { query: { state, page: String(page) } });
  useImportProgress({
    onProgress: (event) =>
      setRunning((before) => {
        const next = new Map(before);
        if (event.state === 'running' || event.state === 'queued') next.set(event.importId, event);
        else next.delete(event.importId);
        return next;
      }),
    refresh: () => void queryClient.invalidateQueries({ queryKey: [listMappings.path] }),
  });
  const top = useRef<HTMLDivElement>(null);
  const writes = may('mappings/write');
  const shares = [...running.values()].map(({ progress }) => progress);
  // If the reader may not know the size of a file, no share is known either.
  const known = shares.filter((share) => share !== null);
  return (
    <Page title={t('common:screen.importCodes')} lead={t('codes.lead')}>
      <ImportsNavigation />
      <Box sx={{ maxWidth: 480 }}>
        <Segments
          label={t('codes.state')}
          hideLabel
          value={state}
          options={mappingStates.map((value) => ({ value, label: t(`codeState.${value}`) }))}
          onChange={(next) => {
            setState(next);
            setPage(0);
          }}
        />
      </Box>
      {writes ? null : <NeedsPermission permission="mappings/write" deed={t('access.codes')} />}
      {shares.length > 0 ? (
        <Progress
          label={t('codes.running', { count: shares.length })}
          value={
            known.length === shares.length
              ? known.reduce((sum, share) => sum + share, 0) / known.length
              : null
          }
        />
      ) : null}
      <Box ref={top} tabIndex={-1} sx={{ outline: 'none' }}>
        <Answered query={query} height={320}>
          {({ rows, rowCount }) =>
            rows.length === 0 ? (
              <Message icon={Inbox} title={t(`codes.none.${state}`)}>
                {state === 'open' ? t('codes.noneText') : null}
              </Message>
            ) : (
              <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
                <Box
                  component="ul"
                  aria-label={t('common:screen.importCodes')}
                  sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
                >
                  {rows.map((mapping) => (
                    <Code
                      key={mapping.id}
                      mapping={mapping}
                      writes={writes}
                      onDecided={() => top.current?.focus()}
                    />
                  ))}
                </Box>
                <Pager page={page} rowCount={rowCount} onPage={setPage} />
              </Box>
            )
          }
        </Answered>
      </Box>
    </Page>
  );
}

function Code({
  mapping,
  writes,
  onDecided,
}: {
  mapping: CodeMapping;
  writes: boolean;
  onDecided: () => void;
}) {
  const { t, i18n } = useTranslation('imports');
  const formats = useFormats();
  const categories = useLabels('resultCategories', { enabled: mapping.kind === 'value' });
  const { options: categoryOptions } = useLookup('resultCategories', { enabled: mapping.kind === 'value' });
  const testName = ({ targetLabel, targetLabelI18N }: Pick<CodeMapping, 'targetLabel' | 'targetLabelI18N'>) =>
    targetLabel && testNameForStaff({ testName: targetLabel, testNameI18N: targetLabelI18N }, i18n.language);
  const proposed = mapping.proposal;
  const proposedName =
    proposed === null
      ? ''
      : proposed.target === routineTarget
        ? t('codes.routineName')
        : mapping.kind === 'test'
          ? `${testName(proposed) ?? ''} (${proposed.target})`
          : categories.of(proposed.target);
  const name = writtenAs(mapping);
  const [target, setTarget] = useState<Choice | null>(null);
  const decide = useCall(decideMapping, { invalidates: [listMappings, importMessages, readImport] });
  const run = (body: MappingDecision) =>
    decide.mutate(
      { params: { id: mapping.id }, body },
      {
        onSuccess: ({ queued }) => {
          notify('success', body.state === 'open' ? 'imports:codes.takenBack' : 'imports:codes.decided', {
            values: { count: queued, number: formats.count(queued), code: name },
          });
          onDecided();
        },
      },
    );
  const shownTarget =
    mapping.kind === 'test'
      ? mapping.target === routineTarget
        ? t('codes.routineName')
        : [testName(mapping), mapping.target].filter(Boolean).join(' · ')
      : categories.of(mapping.target);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 3,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
        padding: { xs: 3, sm: 4 },
        ...framed,
      }}
    >
      <Box sx={{ minWidth: 0, display: 'grid', gap: 0.5, alignContent: 'start' }}>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t(`codeKind.${mapping.kind}`)}
        </Typography>
        <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
          {mapping.text || mapping.code}
        </Typography>
        {mapping.system === wordsAlone ? null : (
          <Typography variant="mono" sx={{ overflowWrap: 'anywhere' }}>
            {[mapping.code, mapping.system].filter(Boolean).join(' · ')}
          </Typography>
        )}
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('codes.from', { sender: mapping.sender || t('codes.nobody') })}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('codes.seen', { count: mapping.occurrences, number: formats.count(mapping.occurrences) })}{' '}
          {mapping.waiting === 0
            ? mapping.state === 'open' && t('codes.waitingNone')
            : t('codes.waiting', { count: mapping.waiting, number: formats.count(mapping.waiting) })}
        </Typography>
      </Box>
      <Box
        sx={{
          minWidth: 0,
          display: 'grid',
          gap: 2,
          alignContent: 'start',
          gridTemplateColumns: 'minmax(0, 1fr)',
        }}
      >
        {mapping.state === 'open' ? (
          writes ? (
            <>
              {proposed ? (
                <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
                  <Typography variant="body1" sx={{ flex: '1 1 200px' }}>
                    {proposed.basis === 'mapped-before' && proposed.mappedBy === null
                      ? t('codes.proposal.mapped-before-unnamed', { target: proposedName })
                      : t(`codes.proposal.${proposed.basis}`, {
                          target: proposedName,
                          name: proposed.mappedBy,
                        })}
                  </Typography>
                  <Button
                    variant="contained"
                    size="small"
                    disabled={decide.isPending}
                    aria-label={t('codes.acceptOne', { code: name, target: proposedName })}
                    onClick={() => run({ state: 'mapped', target: proposed.target })}
                  >
                    {t('codes.accept')}
                  </Button>
                </Box>
              ) : null}
              {mapping.kind === 'test' ? (
                <TestField
                  label={t('codes.test', { code: name })}
                  placeholder={t('codes.testHelp')}
                  words={firstWord(mapping.text || mapping.code)}
                  value={target}
                  onChange={setTarget}
                />
              ) : (
                <ChoiceField
                  label={t('codes.category', { code: name })}
                  placeholder={t('columns.choose')}
                  value={target}
                  options={categoryOptions}
                  onChange={setTarget}
                />
              )}
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
                <Button
                  variant="contained"
                  size="small"
                  disabled={target === null || decide.isPending}
                  onClick={() => target && run({ state: 'mapped', target: target.id })}
                >
                  {t('codes.map')}
                </Button>
                {mapping.kind === 'test' && proposed?.target !== routineTarget ? (
                  <Button
                    variant="outlined"
                    size="small"
                    disabled={decide.isPending}
                    aria-label={t('codes.routineOne', { code: name })}
                    onClick={() => run({ state: 'mapped', target: routineTarget })}
                  >
                    {t('codes.routine')}
                  </Button>
                ) : null}
                <Button
                  variant="outlined"
                  size="small"
                  disabled={decide.isPending}
                  aria-label={t('codes.ignoreOne', { code: name })}
                  onClick={() => run({ state: 'ignored' })}
                >
                  {t('codes.ignore')}
                </Button>
              </Box>
            </>
          ) : null
        ) : (
          <>
            <Typography variant="body1">
              {mapping.state === 'mapped' ? t('codes.means', { target: shownTarget }) : t('codes.ignored')}
            </Typography>
            {writes ? (
              <Button
                variant="outlined"
                size="small"
                sx={{ justifySelf: 'start' }}
                loading={decide.isPending}
                aria-label={t('codes.undoOne', { code: name })}
                onClick={() => run({ state: 'open' })}
              >
                {t('codes.undo')}
              </Button>
            ) : null}
          </>
        )}
        {decide.error ? <Alert severity="error">{t(`common:error.${decide.error.code}`)}</Alert> : null}
      </Box>
    </Box>
  );
}

/** The beginning of a name, which finds more of the catalog than the whole name: `SARS-CoV-2`. */
const firstWord = (name: string) => name.split(/[\s([:,]+/).find((word) => word !== '') ?? '';

/** A laboratory test of the catalog; at first those found by the first word of the sender's name. */
function TestField({
  label,
  placeholder,
  words: first,
  value,
  onChange,
}: {
  label: string;
  placeholder: string;
  words: string;
  value: Choice | null;
  onChange: (value: Choice | null) => void;
}) {
  const { i18n } = useTranslation();
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (words === '') return;
    const timer = setTimeout(() => setAsked(words), 200);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useApi(
    searchTests,
    { query: { words: (words === '' ? first : (asked ?? first)).slice(0, 200) } },
    // Otherwise a page of codes would load each of them at the same time.
    { enabled: asked !== null, staleTime: 300_000 },
  );
  const options = (query.data?.tests ?? []).map(({ loinc, name, nameI18N, method, diseaseFamily }) => ({
    id: loinc,
    label: `${testNameForStaff({ testName: name, testNameI18N: nameI18N }, i18n.language)} (${loinc})`,
    detail: [method, diseaseFamily ? labelIn(diseaseFamily, i18n.language) : null]
      .filter(Boolean)
      .join(' · '),
  }));
  return (
    <Box onFocus={() => setAsked((before) => before ?? first)}>
      <ChoiceField
        label={label}
        placeholder={placeholder}
        value={value}
        options={value && !options.some(({ id }) => id === value.id) ? [value, ...options] : options}
        loading={query.isFetching}
        onWords={setWords}
        onChange={onChange}
      />
    </Box>
  );
}
