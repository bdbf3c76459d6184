import { markAllRead, markRead, readInbox } from '@caseway/contract/inbox';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { CheckCheck, Inbox as InboxIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi, useApi, useCall } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { inboxChanged, useUnread } from '../../data/use-inbox.ts';
import { NotificationRows } from '../../record/inbox/NotificationRow.tsx';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';

const views = ['all', 'unread'] as const;
type View = (typeof views)[number];

/** The user's notifications, to read and open. */
export default function Inbox() {
  const { t } = useTranslation('inbox');
  const [view, setView] = useState<View>('all');
  const unread = useUnread();
  const markAll = useCall(markAllRead);
  return (
    <Page
      title={t('common:screen.inbox')}
      lead={t('page.lead')}
      actions={
        unread ? (
          <Button
            variant="outlined"
            startIcon={<CheckCheck size={16} aria-hidden />}
            loading={markAll.isPending}
            onClick={() =>
              markAll.mutate(
                { body: {} },
                {
                  onSuccess: ({ ids }) => {
                    inboxChanged();
                    if (ids.length > 0) sayMarked(ids);
                  },
                  onError: (error) => notify('error', `error.${error.code}`),
                },
              )
            }
          >
            {t('page.markAll')}
          </Button>
        ) : undefined
      }
    >
      <Box sx={{ maxWidth: 420 }}>
        <Segments
          label={t('page.show')}
          value={view}
          onChange={setView}
          options={views.map((value) => ({ value, label: t(`page.${value}`) }))}
        />
      </Box>
      <Pages key={view} view={view} />
    </Page>
  );
}

const sayMarked = (ids: string[]) =>
  notify('success', 'inbox:page.marked', {
    values: { count: ids.length },
    action: {
      label: 'history.undo',
      run: () =>
        void takeBack(async () => {
          await callApi(markRead, { body: { ids, read: false } });
          inboxChanged();
        }, 'inbox:page.unmarked'),
    },
  });

/** The pages requested so far, one below the other. */
function Pages({ view }: { view: View }) {
  const { t } = useTranslation('inbox');
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined]);
  return (
    <Box sx={{ ...framed, paddingX: { xs: 3, sm: 4 }, paddingY: 1, maxWidth: 840 }}>
      {starts.map((after, index) => (
        <OnePage
          key={after ?? 'first'}
          view={view}
          after={after}
          label={index === 0 ? t('common:screen.inbox') : t('page.earlier')}
          onMore={index === starts.length - 1 ? (last) => setStarts([...starts, last]) : undefined}
        />
      ))}
    </Box>
  );
}

function OnePage({
  view,
  after,
  label,
  onMore,
}: {
  view: View;
  after: string | undefined;
  label: string;
  onMore: ((last: string) => void) | undefined;
}) {
  const { t } = useTranslation('inbox');
  const query = useApi(readInbox, {
    query: { ...(view === 'unread' && { only: view }), ...(after && { after }) },
  });
  return (
    <Answered query={query} height={240}>
      {({ notifications, more }) =>
        notifications.length === 0 && after === undefined ? (
          <Message icon={InboxIcon} title={t(`none.${view}`)}>
            {t('none.text')}
          </Message>
        ) : (
          <>
            <NotificationRows label={label} of={notifications} />
            {more && onMore ? (
              <Button onClick={() => onMore(notifications.at(-1)!.id)} sx={{ marginY: 2 }}>
                {t('page.more')}
              </Button>
            ) : null}
          </>
        )
      }
    </Answered>
  );
}
