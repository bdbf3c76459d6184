import { events } from '@caseway/contract/events';
import { countUnread, inboxAccess, readInbox } from '@caseway/contract/inbox';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import { becameOld, useApi } from './api.ts';
import { reopened, useEventStream } from './event-stream.ts';

/** What shows the inbox loads again. */
export function inboxChanged(): void {
  becameOld(countUnread);
  becameOld(readInbox);
}

/** How much of the person's inbox is unread, as it changes; undefined where they have none, or as long as it is unknown. */
export function useUnread(): number | undefined {
  const may = useMay();
  const org = useAppSelector(({ authentication }) => authentication.selectedTenantOrg);
  const enabled = org !== null && !org.secondFactorNeeded && may(inboxAccess);
  const { data } = useApi(countUnread, {}, { enabled, later: true });
  return enabled ? data?.unread : undefined;
}

/** Loads the inbox again whenever the server says that it has changed, and when it may have. */
export function useInboxEvents(): void {
  useEventStream(events, ({ event }) => {
    if (event === 'inbox-changed' || event === reopened) inboxChanged();
  });
}
