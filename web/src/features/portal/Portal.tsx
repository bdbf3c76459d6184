import GlobalStyles from '@mui/material/GlobalStyles';
import { Suspense, useEffect, useRef } from 'react';
import { loadAhead, part } from '../../loading/part.tsx';
import { useAppSelector } from '../../session/store.ts';
import { NotificationStack } from '../../shell/NotificationStack.tsx';
import { StartFailed } from '../../shell/StartFailed.tsx';
import { WordsGate } from '../../words/WordsGate.tsx';
import { loadOwnRecord } from './load-own-record.ts';
import { PatientSignIn } from './PatientSignIn.tsx';
import { ShownBefore } from './shown-before.ts';

const OwnRecord = part('own-record', loadOwnRecord);
/** Milliseconds after the sign-in is shown before the rest is fetched. */
const quietMs = 1500;

/**
 * Letters for reading at arm's length, and no button smaller than a finger, including dialogs. The portal is
 * a separate page: no staff screen is ever in the same one.
 */
const forPhones = {
  'body, body .MuiTypography-body1, body .MuiTypography-body2, body .MuiTypography-caption, body .MuiButton-root, body .MuiInputBase-root, body .MuiAlert-root, body details':
    { fontSize: '1rem', lineHeight: 1.5 },
  'body .MuiButton-root, body .MuiIconButton-root, body .MuiOutlinedInput-root, body .MuiMenuItem-root': {
    minHeight: 44,
    minWidth: 44,
  },
  // Text wider than the phone, especially in large letters, wraps.
  'body .MuiButton-root': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
  'body label:has(> input[type="radio"])': { minHeight: 44, minWidth: 56, fontSize: '1rem' },
  'body .MuiNativeSelect-select': { minHeight: 44, boxSizing: 'border-box' },
  'body summary, body main p > a': { display: 'inline-block', paddingTop: '10px', paddingBottom: '10px' },
  // Buttons and unsent forms are useless on paper.
  '@media print': {
    'body button, body .MuiButton-root, body fieldset, body form': { display: 'none !important' },
  },
};

/** The patient portal: made for phones, separate from everything staff see. */
export default function Portal() {
  return (
    <Suspense fallback={null}>
      <GlobalStyles styles={forPhones} />
      <WordsGate screen="portal">
        <Inside />
      </WordsGate>
      <NotificationStack />
    </Suspense>
  );
}

function Inside() {
  const phase = useAppSelector((state) => state.authentication.phase);
  const patient = useAppSelector((state) => state.authentication.patient);
  const ended = useAppSelector((state) => state.authentication.ended);
  const shownBefore = useRef(false);
  // Nothing of a record stays on the screen after the session has ended.
  const isIn = patient !== null && ended !== 'refused';
  const asks = phase === 'ready' && !isIn;
  useEffect(() => {
    if (!asks) return undefined;
    shownBefore.current = true;
    const timer = setTimeout(() => loadAhead(loadOwnRecord), quietMs);
    return () => clearTimeout(timer);
  }, [asks]);
  if (phase === 'starting') return null;
  if (phase === 'failed') return <StartFailed />;
  return (
    <ShownBefore value={shownBefore}>
      {isIn ? <OwnRecord /> : <PatientSignIn expired={ended === 'refused'} />}
    </ShownBefore>
  );
}
