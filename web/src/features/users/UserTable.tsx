import { csvLine } from '@caseway/contract/csv';
import {
  importUsers,
  type UserRefusal,
  type UserTableRow,
  userRefusals,
  userTableColumns,
  userTableLimits,
  userTableOutcomes,
} from '@caseway/contract/users';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { saveFile, useCall } from '../../data/api.ts';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Page } from '../../ui/Page.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { userSearches } from './parts.tsx';

/** The most rows shown; if there are more, refused ones come first. */
const shownRows = 200;

/** Many users from one table: choose a file, preview, apply, see the result. */
export default function UserTable() {
  const { t } = useTranslation('users');
  const formats = useFormats();
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const preview = useCall(importUsers);
  const apply = useCall(importUsers, { invalidates: userSearches });

  const choose = async (chosen: File | undefined) => {
    preview.reset();
    apply.reset();
    setFile(null);
    setTooLarge(false);
    if (!chosen) return;
    const text = await chosen.text();
    if (text.length > userTableLimits.characters) return setTooLarge(true);
    setFile({ name: chosen.name, text });
    preview.mutate({ body: { text, dryRun: true } });
  };
  const answer = apply.data ?? preview.data;
  const busy = preview.isPending || apply.isPending;
  const deeds = (answer?.rows ?? []).filter(
    ({ outcome }) => outcome !== 'unchanged' && outcome !== 'refused',
  );
  const error = apply.error ?? preview.error;
  return (
    <Page
      title={t('table.title')}
      lead={t('table.lead')}
      actions={
        <Button
          variant="outlined"
          component={Link}
          to="/admin/users"
          startIcon={<ArrowLeft size={16} aria-hidden />}
        >
          {t('table.back')}
        </Button>
      }
    >
      {answer?.fault === null || busy ? null : (
        <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start', gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Box sx={{ width: '100%' }}>
            <FileDrop
              label={t('table.drop')}
              help={t('table.dropHelp', { rows: formats.count(userTableLimits.rows) })}
              accept=".csv,text/csv"
              multiple={false}
              onFiles={([first]) => void choose(first)}
            />
          </Box>
          <Button
            variant="text"
            onClick={() => saveFile(new Blob([`\ufeff${headings(t)}`], { type: 'text/csv' }), 'users.csv')}
          >
            {t('table.template')}
          </Button>
        </Box>
      )}
      {busy ? (
        <Box role="status" sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="body1">{t(apply.isPending ? 'table.applying' : 'table.checking')}</Typography>
          <LinearProgress aria-label={t(apply.isPending ? 'table.applying' : 'table.checking')} />
        </Box>
      ) : null}
      {tooLarge ? <Alert severity="error">{t('tableFault.too-large')}</Alert> : null}
      {error ? <Alert severity="error">{t(`common:error.${error.code}`)}</Alert> : null}
      {answer?.fault ? (
        <Alert severity="error">
          {t(`tableFault.${answer.fault.code}`, { detail: answer.fault.detail })}
        </Alert>
      ) : null}
      {answer && answer.fault === null && !busy ? (
        <Section
          title={t(apply.data ? 'table.result' : 'table.preview')}
          actions={
            <>
              <Button variant="text" onClick={() => void choose(undefined)}>
                {t('table.other')}
              </Button>
              {apply.data || deeds.length === 0 ? null : (
                <Button
                  variant="contained"
                  onClick={() => file && apply.mutate({ body: { text: file.text, dryRun: false } })}
                >
                  {t('table.apply', { count: deeds.length, number: formats.count(deeds.length) })}
                </Button>
              )}
            </>
          }
        >
          <Outcome rows={answer.rows} text={file?.text ?? ''} />
        </Section>
      ) : null}
    </Page>
  );
}

const headings = (t: (key: string) => string): string =>
  csvLine(userTableColumns.map((column) => t(`table.column.${column}`)));

/** Reasons with their own texts; the others only name the column. */
const ownWords = ['twice', 'unknown-status', 'unknown-language', 'unseen-character'];

function Outcome({ rows, text }: { rows: readonly UserTableRow[]; text: string }) {
  const { t } = useTranslation('users');
  const formats = useFormats();
  const counts = userTableOutcomes.map((outcome) => ({
    outcome,
    n: rows.filter((row) => row.outcome === outcome).length,
  }));
  const refused = rows.filter(({ outcome }) => outcome === 'refused');
  const deeds = rows.filter(({ outcome }) => outcome !== 'refused' && outcome !== 'unchanged');
  const shown = [...refused, ...deeds, ...rows.filter(({ outcome }) => outcome === 'unchanged')].slice(
    0,
    shownRows,
  );
  const why = ({ reason, column, detail }: UserTableRow): string => {
    if (reason === null) return '';
    const isRefusal = (userRefusals as readonly string[]).includes(reason);
    const said = isRefusal
      ? t(`refusal.${reason as UserRefusal}`)
      : t(`tableReason.${ownWords.includes(reason) ? reason : 'field'}`, {
          column: column === null ? '' : t(`table.column.${column}`),
        });
    const more = detail
      .filter(Boolean)
      .map((one) => t(`common:permission.${one}`, { defaultValue: t('common:label.unknown.other') }));
    return more.length > 0 ? `${said} (${more.join(', ')})` : said;
  };
  return (
    <>
      <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', gap: '8px 32px', margin: 0 }}>
        {counts.map(({ outcome, n }) =>
          n === 0 ? null : (
            <Box key={outcome}>
              <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
                {t(`tableOutcome.${outcome}`)}
              </Typography>
              <Typography component="dd" variant="h2" sx={{ margin: 0 }}>
                {formats.count(n)}
              </Typography>
            </Box>
          ),
        )}
      </Box>
      {deeds.length === 0 ? <Alert severity="info">{t('table.nothing')}</Alert> : null}
      {refused.length > 0 ? (
        <Button
          variant="outlined"
          size="small"
          sx={{ justifySelf: 'start' }}
          onClick={() => saveFile(new Blob([linesOf(text, refused)], { type: 'text/csv' }), 'refused.csv')}
        >
          {t('table.refusedFile')}
        </Button>
      ) : null}
      <Box sx={{ overflowX: 'auto' }}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{t('table.line')}</TableCell>
              <TableCell>{t('table.column.email')}</TableCell>
              <TableCell>{t('table.outcome')}</TableCell>
              <TableCell>{t('table.why')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map((row) => (
              <TableRow key={row.line}>
                <TableCell>{row.line}</TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>{row.email}</TableCell>
                <TableCell>{t(`tableOutcome.${row.outcome}`)}</TableCell>
                <TableCell>{why(row)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </>
  );
}

/** The heading and these rows as in the file; a row with line breaks in its cells starts at its line. */
function linesOf(text: string, rows: readonly UserTableRow[]): string {
  const lines = text.split(/\r?\n/);
  return [lines[0], ...rows.map(({ line }) => lines[line - 1] ?? '')].join('\r\n');
}
