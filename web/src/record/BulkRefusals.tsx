import { type BulkAction, type BulkRefusal, refusedPage } from '@caseway/contract/bulk';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../data/api.ts';
import { useFormats } from '../words/formats.ts';
import type { BulkWords } from './BulkBar.tsx';
import type { BulkRecord } from './use-bulk.ts';

/** Every record that an action leaves unchanged, with the reason. */
export default function BulkRefusals({
  record,
  action: { id: action, refused },
  words,
  onClose,
}: {
  record: BulkRecord;
  action: BulkAction;
  words: BulkWords;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('bulk.why', { count: refused, number: formats.count(refused) })}</DialogTitle>
      <DialogContent>
        <RefusedRows record={record} action={action} words={words} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t('action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The records that an action leaves unchanged, page by page. */
export function RefusedRows({
  record,
  action,
  words,
}: {
  record: BulkRecord;
  action: string;
  words: BulkWords;
}) {
  const { t } = useTranslation();
  /** The last id of each previous page; the first has none. */
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  return (
    <>
      <Box
        component="ul"
        sx={{ margin: 0, paddingLeft: 5, maxHeight: 240, overflowY: 'auto', fontSize: '0.8125rem' }}
      >
        {pages.map((after) => (
          <Rows key={after ?? ''} record={record} action={action} after={after} words={words} />
        ))}
      </Box>
      <More
        record={record}
        action={action}
        after={pages.at(-1)}
        onMore={(next) => setPages((before) => [...before, next])}
        label={t('bulk.more')}
      />
    </>
  );
}

function useRefused({ endpoints: { refusedByBulk } }: BulkRecord, action: string, after: string | undefined) {
  const { data } = useApi(
    refusedByBulk,
    { params: { action }, query: after === undefined ? {} : { after } },
    { keepPrevious: false },
  );
  return data;
}

function Rows({
  record,
  action,
  after,
  words,
}: {
  record: BulkRecord;
  action: string;
  after: string | undefined;
  words: BulkWords;
}) {
  const refused: readonly BulkRefusal[] = useRefused(record, action, after)?.refused ?? [];
  return refused.map(({ id, name, ...why }) => (
    <li key={id}>
      {name === null ? null : (
        <>
          <Link component={RouterLink} to={words.address(id, name)} className="mono">
            {name}
          </Link>{' '}
        </>
      )}
      {words.fault(why)}
    </li>
  ));
}

function More({
  record,
  action,
  after,
  onMore,
  label,
}: {
  record: BulkRecord;
  action: string;
  after: string | undefined;
  onMore: (after: string) => void;
  label: string;
}) {
  const page = useRefused(record, action, after);
  const last = page?.more ? page.refused[refusedPage - 1] : undefined;
  return last ? (
    <Button size="small" variant="text" onClick={() => onMore(last.id)}>
      {label}
    </Button>
  ) : null;
}
