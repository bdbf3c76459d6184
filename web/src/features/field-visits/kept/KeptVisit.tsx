import { todayIn } from '@caseway/contract/date-range';
import type { VisitAttempt } from '@caseway/contract/visit-attempts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { ContactLinks } from '../../../ui/ContactLink.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Section } from '../../../ui/Section.tsx';
import { type AttemptDraft, AttemptForm, attemptDraft } from '../AttemptForm.tsx';
import { AttemptList, HowFar } from '../Attempts.tsx';
import { useVisitWords, whoIs } from '../visit-words.ts';
import {
  type AttemptEntry,
  addKept,
  draftOf,
  type KeptList,
  type KeptPerson,
  keepDraft,
  type Outline,
  personOf,
} from './kept-list.ts';
import { NotSent } from './NotSent.tsx';
import { useKeptFormats } from './use-kept.ts';

/** An unsent attempt, listed with the others. */
const asAttempt = ({ id, made, at }: AttemptEntry): VisitAttempt => ({
  ...made,
  id,
  addedAt: new Date(at).toISOString(),
  by: null,
});

/** One visit that was taken along, with the person's name. */
export function KeptVisit({ visit, kept }: { visit: Outline; kept: KeptList }) {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const formats = useKeptFormats();
  const [params, setParams] = useSearchParams();
  const [person, setPerson] = useState<KeptPerson | null>(null);
  useEffect(() => void personOf(visit.id).then(setPerson), [visit.id]);
  const own = kept.entries.filter(({ record }) => record === visit.id);
  const known = new Set(visit.attempts.map(({ id }) => id));
  const attempts = [...own.filter(({ id }) => !known.has(id)).map(asAttempt), ...visit.attempts].toSorted(
    (a, b) => (`${a.day} ${a.time}` < `${b.day} ${b.time}` ? 1 : -1),
  );
  const isAdding = params.has('add');
  const add = (open: boolean) =>
    setParams({ visit: visit.id, ...(open && { add: '1' }) }, { replace: !open });
  if (!person) return null;
  const phone = visit.phone && <ContactLinks kind="phone" values={[visit.phone]} />;
  const named = { ...person, number: visit.number };
  return (
    <Page
      title={whoIs(named)}
      lead={[words.choice('visitType', visit.visitType), visit.number].join(' · ')}
      actions={
        <>
          <Button variant="contained" onClick={() => add(true)}>
            {t('attempt.add')}
          </Button>
          <Button
            variant="outlined"
            component={Link}
            to="/field-visits/kept"
            startIcon={<ArrowLeft size={16} aria-hidden />}
          >
            {t('common:record.back')}
          </Button>
        </>
      }
    >
      {visit.twoWorkers || visit.noLetter ? (
        <Alert severity="warning">
          {[visit.twoWorkers && t('record.twoWorkers'), visit.noLetter && t('record.noLetter')]
            .filter(Boolean)
            .join(' ')}
        </Alert>
      ) : null}
      <NotSent kept={{ ...kept, entries: own }} />
      <Section title={t('record.visit')}>
        <Facts
          facts={[
            [words.column('place'), visit.place],
            [words.column('phone'), phone],
            [words.column('birthDate'), person.birthDate && formats.day(person.birthDate)],
            [words.column('plannedFor'), formats.day(visit.plannedFor)],
            [words.column('dueOn'), visit.dueOn && formats.day(visit.dueOn)],
            [words.column('note'), visit.note && <Box sx={{ whiteSpace: 'pre-line' }}>{visit.note}</Box>],
          ]}
        />
      </Section>
      <Section title={t('record.attempts')}>
        <HowFar attempts={attempts} />
        <AttemptList attempts={attempts} notSent={new Set(own.map(({ id }) => id))} />
      </Section>
      {isAdding && kept.lease ? (
        <Adding
          visit={visit}
          named={named}
          attempts={attempts}
          timeZone={kept.lease.timeZone}
          onClose={() => add(false)}
        />
      ) : null}
    </Page>
  );
}

/** Milliseconds of rest before typed text is stored. */
const draftMs = 300;

function Adding({
  visit,
  named,
  attempts,
  timeZone,
  onClose,
}: {
  visit: Outline;
  named: KeptPerson & { number: string };
  attempts: readonly VisitAttempt[];
  timeZone: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('field-visits');
  const [begun, setBegun] = useState<AttemptDraft | null>(null);
  const [state, setState] = useState<'typing' | 'keeping' | 'kept' | 'failed'>('typing');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    void draftOf(visit.id).then((draft) => setBegun(attemptDraft.safeParse(draft).data ?? {}));
    return () => clearTimeout(timer.current);
  }, [visit.id]);
  if (begun === null) return null;
  return (
    <AttemptForm
      visit={{ ...named, noLetter: visit.noLetter }}
      before={attempts}
      now={{ today: todayIn(timeZone), timeZone }}
      begun={begun}
      busy={state === 'keeping'}
      isDone={state === 'kept'}
      submit={t('kept.keep')}
      onTyped={(typed) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => void keepDraft(visit.id, typed), draftMs);
      }}
      onSend={async (made) => {
        clearTimeout(timer.current);
        setState('keeping');
        try {
          await addKept(visit, made);
          setState('kept');
          onClose();
        } catch (error) {
          // A full device stores nothing, and says so; the typed text stays.
          console.error(error);
          setState('failed');
        }
      }}
      onClose={onClose}
    >
      {state === 'failed' ? <Alert severity="error">{t('kept.full')}</Alert> : null}
    </AttemptForm>
  );
}
