import { importMessages, listPageSize, type MessageState, messageStates } from '@caseway/contract/imports';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { MessagePanel } from './MessagePanel.tsx';
import { decidingFault } from './message-places.ts';
import { Pager, Place, SenderCode, StateMark } from './parts.tsx';
import { useImportWords } from './words.ts';

/** An import's messages, in one state or with one reason, with the open one next to them. */
export function Messages({
  importId,
  state,
  reason,
  onFilter,
}: {
  importId: string;
  state: MessageState | null;
  reason: string | null;
  onFilter: (state: MessageState | null, reason?: string | null) => void;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const words = useImportWords();
  const filter = `${state ?? ''}:${reason ?? ''}`;
  const [at, setAt] = useState({ filter, page: 0 });
  // Another filter starts at its first page.
  const page = at.filter === filter ? at.page : 0;
  const [openId, setOpenId] = useState<string | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const known = state !== null && messageStates.includes(state) ? state : null;
  const query = useApi(importMessages, {
    params: { id: importId },
    query: { page: String(page), ...(known ? { state: known } : {}), ...(reason ? { reason } : {}) },
  });
  const close = () => {
    setOpenId(null);
    opener.current?.focus();
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 4 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Section
          title={t('messages.title')}
          actions={
            <>
              {reason ? (
                <Chip
                  label={words.reason(reason)}
                  onDelete={() => onFilter(known)}
                  sx={{ maxWidth: '100%' }}
                />
              ) : null}
              <NativeSelect
                value={known ?? ''}
                input={<OutlinedInput />}
                inputProps={{ 'aria-label': t('messages.state') }}
                onChange={(event) => onFilter((event.target.value || null) as MessageState | null)}
              >
                <option value="">{t('messages.all')}</option>
                {messageStates.map((one) => (
                  <option key={one} value={one}>
                    {t(`messageState.${one}`)}
                  </option>
                ))}
              </NativeSelect>
            </>
          }
        >
          <Answered query={query}>
            {({ rows, rowCount }) =>
              rows.length === 0 ? (
                <Box>
                  <Typography variant="body1" sx={{ color: 'text.secondary' }}>
                    {t('messages.none')}
                  </Typography>
                  {known || reason ? (
                    <Button variant="text" size="small" onClick={() => onFilter(null)}>
                      {t('messages.showAll')}
                    </Button>
                  ) : null}
                </Box>
              ) : (
                <>
                  <TableContainer
                    sx={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}
                    aria-busy={query.isPlaceholderData}
                  >
                    <Table
                      size="small"
                      aria-label={t('messages.title')}
                      sx={{ '& td, & th': { verticalAlign: 'top' } }}
                    >
                      <TableHead>
                        <TableRow>
                          <TableCell>
                            {t(rows[0]!.line === null ? 'messages.number' : 'messages.line')}
                          </TableCell>
                          <TableCell>{t('messages.state')}</TableCell>
                          <TableCell>{t('messages.what')}</TableCell>
                          <TableCell sx={{ display: { xs: 'none', lg: 'table-cell' } }}>
                            {t('messages.control')}
                          </TableCell>
                        </TableRow>
                      </TableHead>
                      <TableBody>
                        {rows.map((message, place) => {
                          // A reader who may not know its place in the file sees the position in the list.
                          const number = page * listPageSize + place + 1;
                          const first = decidingFault(message);
                          const warnings = message.faults.filter(
                            ({ severity }) => severity === 'warning',
                          ).length;
                          return (
                            <TableRow key={message.id} selected={message.id === openId} hover>
                              <TableCell>
                                <Link
                                  component="button"
                                  type="button"
                                  aria-label={
                                    message.line === null
                                      ? t('messages.openNumber', { number: formats.count(number) })
                                      : t('messages.open', { line: message.line })
                                  }
                                  aria-expanded={message.id === openId}
                                  onClick={(event) => {
                                    opener.current = event.currentTarget;
                                    setOpenId(message.id);
                                  }}
                                >
                                  {formats.count(message.line ?? number)}
                                </Link>
                              </TableCell>
                              <TableCell>
                                <StateMark state={message.state} />
                                {message.revision > 0 ? (
                                  <Typography
                                    variant="caption"
                                    component="div"
                                    sx={{ color: 'text.secondary' }}
                                  >
                                    {t('messages.corrected')}
                                  </Typography>
                                ) : null}
                              </TableCell>
                              <TableCell>
                                {first ? (
                                  <>
                                    <Place of={first} />
                                    {words.fault(first)}
                                  </>
                                ) : message.reason ? (
                                  words.reason(message.reason)
                                ) : null}
                                {message.waitingFor.map(({ id, ...code }) => (
                                  <Box key={id}>
                                    <SenderCode {...code} />
                                  </Box>
                                ))}
                                {warnings > 0 ? (
                                  <Typography
                                    variant="caption"
                                    component="div"
                                    sx={{ color: 'text.secondary' }}
                                  >
                                    {t('messages.warnings', { count: warnings })}
                                  </Typography>
                                ) : null}
                              </TableCell>
                              <TableCell
                                sx={{ display: { xs: 'none', lg: 'table-cell' }, overflowWrap: 'anywhere' }}
                              >
                                <Typography variant="mono" component="div">
                                  {message.controlId}
                                </Typography>
                                <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                                  {message.sender}
                                </Typography>
                              </TableCell>
                            </TableRow>
                          );
                        })}
                      </TableBody>
                    </Table>
                  </TableContainer>
                  <Pager page={page} rowCount={rowCount} onPage={(next) => setAt({ filter, page: next })} />
                </>
              )
            }
          </Answered>
        </Section>
      </Box>
      {openId === null ? null : (
        <MessagePanel
          key={openId}
          importId={importId}
          messageId={openId}
          onOpen={setOpenId}
          onClose={close}
        />
      )}
    </Box>
  );
}
