import { events } from '@caseway/contract/events';
import { countUnread, inboxAccess, readInbox } from '@caseway/contract/inbox';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import { becameOld, useApi } from './api.ts';
import { reopened, useEventStream } from './event-stream.ts';

/** Reloads everything that shows the inbox. */
export function inboxChanged(): void {
  becameOld(countUnread);
  becameOld(readInbox);
}

/** The number of unread notifications, kept up to date; undefined without an inbox, or while unknown. */
export function useUnread(): number | undefined {
  const may = useMay();
  const org = useAppSelector(({ authentication }) => authentication.selectedTenantOrg);
  const enabled = org !== null && !org.secondFactorNeeded && may(inboxAccess);
  const { data } = useApi(countUnread, {}, { enabled, later: true });
  return enabled ? data?.unread : undefined;
}

/** Reloads the inbox whenever the server says that it has changed, and when it may have. */
export function useInboxEvents(): void {
  useEventStream(events, ({ event }) => {
    if (event === 'inbox-changed' || event === reopened) inboxChanged();
  });
}
