import { todayIn } from '@caseway/contract/date-range';
import { labelIn } from '@caseway/contract/label';
import { listRecordAccess } from '@caseway/contract/portal';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ScanEye } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Message } from '../../ui/Message.tsx';
import { useFormats } from '../../words/formats.ts';
import { type Folded, foldOwn } from './fold-own.ts';
import { Screen } from './Screen.tsx';

/** Who looked at the record: when, which organization, in which role, what. Persons are not named. */
export function RecordAccess() {
  const { t } = useTranslation('portal');
  // The last event of each loaded page.
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  const first = useRecordAccess(undefined);
  return (
    <Screen
      name={t('nav.access')}
      title={t('access.title')}
      lead={t('access.lead')}
      said={first.data && t('access.title')}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {pages.map((before, index) => (
          <Page
            key={before ?? ''}
            before={before}
            onMore={index === pages.length - 1 ? (last) => setPages([...pages, last]) : undefined}
          />
        ))}
      </Box>
    </Screen>
  );
}

const useRecordAccess = (before: string | undefined) =>
  useApi(listRecordAccess, { query: before === undefined ? {} : { before } }, { keepPrevious: false });

/** The button disappears after a click, so the loaded entries take the focus. */
const takeFocus = (list: HTMLElement | null) => list?.focus();

function Page({
  before,
  onMore,
}: {
  before: string | undefined;
  onMore: ((last: string) => void) | undefined;
}) {
  const { t } = useTranslation('portal');
  const formats = useFormats();
  const query = useRecordAccess(before);
  return (
    <Answered query={query} height={200}>
      {({ entries, more, since }) =>
        entries.length === 0 && before === undefined && since === null ? (
          <Message icon={ScanEye} title={t('access.empty')}>
            {null}
          </Message>
        ) : (
          <>
            <Box
              component="ul"
              {...(before === undefined ? {} : { ref: takeFocus, tabIndex: -1 })}
              sx={{ listStyle: 'none', margin: 0, padding: 0, '&:focus': { outline: 'none' } }}
            >
              {foldOwn(entries, (at) => todayIn(formats.timeZone, new Date(at))).map((folded) => (
                <Entry key={folded.entry.id} {...folded} />
              ))}
            </Box>
            {more && onMore ? (
              <Button
                variant="outlined"
                onClick={() => onMore(entries.at(-1)!.id)}
                sx={{ marginTop: 3, justifySelf: 'start' }}
              >
                {t('access.more')}
              </Button>
            ) : since === null ? null : (
              <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 3 }}>
                {t('access.since', { day: formats.day(since) })}
              </Typography>
            )}
          </>
        )
      }
    </Answered>
  );
}

function Entry({ entry: { at, by, organization, roles, deed }, times }: Folded) {
  const { t, i18n } = useTranslation('portal');
  const formats = useFormats();
  const who =
    by === 'you'
      ? t('access.you')
      : by === 'system'
        ? t('access.system')
        : by === 'guardian'
          ? t('access.guardian')
          : [organization, roles.map((role) => labelIn(role, i18n.language)).join(', ') || t('access.staff')]
              .filter(Boolean)
              .join(' · ');
  const isOwn = by === 'you' && (deed === 'read' || deed === 'export' || deed === 'change');
  return (
    <Box component="li" sx={{ paddingY: 3, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Typography sx={{ fontWeight: 550 }}>{who}</Typography>
      <Typography>
        {t(isOwn ? `access.youDeed.${deed}` : `access.deed.${deed}`)}
        {times > 1 ? ` · ${times}×` : ''}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {formats.instant(at)}
      </Typography>
    </Box>
  );
}
