import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import { CircleSlash, CloudOff, ShieldCheck, TriangleAlert } from 'lucide-react';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { WhoCanGrant } from '../data/access.tsx';
import { ScreenFeature } from '../data/use-lookup.ts';
import { ChunkLoadError, loadChunk } from '../loading/chunk.ts';
import { loadedAhead, loadPartsAgain } from '../loading/part.tsx';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Message } from '../ui/Message.tsx';
import { useAfter } from '../ui/useAfter.ts';
import { loadWords } from '../words/i18n.ts';
import { WordsGate } from '../words/WordsGate.tsx';
import { RecordPlace } from './RecordPlace.tsx';
import { featureOfScreen, maySee, profilePath, type Screen } from './screens.ts';

type Loaded = { screen: Screen; component: ComponentType } | { screen: Screen; error: Error };

/** One screen inside the shell: loads its chunk, and contains its errors. [S2.3] */
export function ScreenFrame({ screen }: { screen: Screen }) {
  const { t } = useTranslation();
  const may = useMay();
  const { pathname } = useLocation();
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<Loaded | null>(() => {
    const component = loadedAhead(screen.load);
    return component ? { screen, component } : null;
  });
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  const secured = screen.withoutSecondFactor === true || !org?.secondFactorNeeded;
  const allowed = secured && maySee(screen, may);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reloads it.
  useEffect(() => {
    if (!allowed || (attempt === 0 && loaded?.screen === screen)) return;
    let wanted = true;
    // Texts load together with the program, not after it.
    void loadWords(screen.words ?? []);
    loadChunk(screen.path, screen.load).then(
      ({ default: component }) => wanted && setLoaded({ screen, component }),
      (error: Error) => wanted && setLoaded({ screen, error }),
    );
    return () => {
      wanted = false;
    };
  }, [screen, allowed, attempt]);

  if (!secured)
    return (
      <Message
        icon={ShieldCheck}
        title={t('secondFactor.title')}
        level="h1"
        actions={
          <Button variant="contained" component={Link} to={profilePath}>
            {t('secondFactor.setUp')}
          </Button>
        }
      >
        {t('secondFactor.text', { org: org!.name })}
      </Message>
    );
  if (!allowed) {
    const needed = [screen.permission ?? []].flat();
    return (
      <Message icon={CircleSlash} title={t('screen.noAccessTitle')} level="h1">
        {t('screen.noAccess', {
          permission: needed
            .map((one) => t(`permission.${one}`, { defaultValue: t('label.unknown.other') }))
            .join(', '),
        })}
        {needed[0] ? <WhoCanGrant permission={needed[0]} /> : null}
      </Message>
    );
  }
  const retry = () => {
    loadPartsAgain();
    setLoaded(null);
    setAttempt((before) => before + 1);
  };
  if (loaded?.screen !== screen) return <ScreenSkeleton />;
  if ('error' in loaded) return <Broken error={loaded.error} onRetry={retry} />;
  const Component = loaded.component;
  return (
    <ErrorBoundary
      resetKey={pathname}
      fallback={(error, forget) => (
        <Broken
          error={error}
          onRetry={() => {
            forget();
            retry();
          }}
        />
      )}
    >
      <Suspense fallback={<ScreenSkeleton />}>
        <WordsGate screen={pathname}>
          <ScreenFeature value={featureOfScreen(screen)}>
            <RecordPlace />
            <Component />
          </ScreenFeature>
        </WordsGate>
      </Suspense>
    </ErrorBoundary>
  );
}

function Broken({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const chunk = error instanceof ChunkLoadError;
  return (
    <Message
      icon={chunk ? CloudOff : TriangleAlert}
      title={t(chunk ? 'screen.chunkTitle' : 'screen.brokenTitle')}
      level="h1"
      actions={
        <>
          <Button variant="contained" onClick={onRetry}>
            {t('action.retry')}
          </Button>
          <Button variant="outlined" onClick={() => window.location.reload()}>
            {t('action.reload')}
          </Button>
        </>
      }
    >
      <span role="alert">{t(chunk ? 'screen.chunk' : 'screen.broken')}</span>
    </Message>
  );
}

/** A screen's outline while it loads, after a short delay that avoids flicker. */
function ScreenSkeleton() {
  const { t } = useTranslation();
  const late = useAfter(150);
  if (!late) return null;
  return (
    <Stack spacing={4} sx={{ padding: 5 }} role="status" aria-label={t('state.loading')}>
      <Skeleton variant="rounded" width={240} height={32} />
      <Skeleton variant="rounded" height={120} />
      <Skeleton variant="rounded" height={320} />
    </Stack>
  );
}
