import { endGlass, type GlassAccess, ownGlass } from '@caseway/contract/break-glass';
import { caseRecord } from '@caseway/contract/case-record';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient, useApi, useCall } from '../../data/api.ts';
import { notify } from '../../session/notify.ts';
import { useFormats } from '../../words/formats.ts';

/** Milliseconds between checks of the access, which an officer can end. [P14] */
const askEveryMs = 3000;

/** Shows the access to a hidden record, how long it stays open and why, and can end it. */
export function GlassBanner({ access, onEnded }: { access: GlassAccess; onEnded: () => void }) {
  const { t } = useTranslation('break-glass');
  const formats = useFormats();
  const mine = useApi(ownGlass, {});
  const end = useCall(endGlass, { invalidates: [ownGlass] });
  const left = useLeft(access.expiresAt);
  const gone =
    left <= 0 || (mine.isFetchedAfterMount && mine.data?.accesses.every(({ id }) => id !== access.id));
  const leave = useCallback(() => {
    queryClient.removeQueries({ queryKey: [caseRecord.endpoints.read.path] });
    onEnded();
  }, [onEnded]);
  useEffect(() => {
    if (gone) leave();
  }, [gone, leave]);
  useEffect(() => {
    const timer = setInterval(
      () => void queryClient.invalidateQueries({ queryKey: [ownGlass.path, ownGlass.method] }),
      askEveryMs,
    );
    return () => clearInterval(timer);
  }, []);
  const minutes = Math.ceil(left / 60_000);
  return (
    <Alert
      severity="warning"
      action={
        <Button
          size="small"
          variant="outlined"
          loading={end.isPending}
          onClick={() =>
            end.mutate(
              { params: { id: access.id } },
              {
                onSuccess: leave,
                onError: (error) => notify('error', `error.${error.code}`),
              },
            )
          }
        >
          {t('banner.end')}
        </Button>
      }
    >
      <AlertTitle>
        {t('banner.title', {
          count: minutes,
          number: formats.count(minutes),
          time: formats.time(access.expiresAt),
        })}
      </AlertTitle>
      {t('banner.reason', { kind: t(`kind.${access.reasonKind}`), reason: access.reason })}{' '}
      {t('banner.readOnly')}
    </Alert>
  );
}

/** Milliseconds until an instant, updated every few seconds and when it has come. */
function useLeft(until: string): number {
  const end = Date.parse(until);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return end - now;
}
