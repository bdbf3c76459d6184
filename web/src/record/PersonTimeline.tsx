import { labelIn } from '@caseway/contract/label';
import type { Field } from '@caseway/contract/record';
import { readTimeline, type TimelineEntry, timelineRecords } from '@caseway/contract/timeline';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../data/api.ts';
import { useLabels } from '../data/use-labels.ts';
import { Answered } from '../ui/Answered.tsx';
import { useFormats } from '../words/formats.ts';
import { useTimelineCodes } from './timeline-words.ts';

interface Shown {
  /** The record being viewed. */
  currentId: string;
  /** The labels of fixed codes, by the id of the record's declaration. */
  codes: Readonly<Record<string, (field: string, code: string) => ReactNode>>;
}

/** A person's records that the reader may see, newest first. `limit`: at most this many. */
export function PersonTimeline({
  patientId,
  limit,
  currentId = '',
  codes = {},
}: {
  patientId: string;
  limit?: number;
  currentId?: string;
  /** Codes shown in another way than as text. */
  codes?: Shown['codes'];
}) {
  const shown = { currentId, codes: { ...useTimelineCodes(), ...codes } };
  /** The start of each page. */
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {pages.map((before, index) => (
        <Page
          key={before ?? 'newest'}
          {...shown}
          patientId={patientId}
          limit={limit}
          before={before}
          onMore={
            limit === undefined && index === pages.length - 1
              ? (last) => setPages([...pages, last])
              : undefined
          }
        />
      ))}
    </Box>
  );
}

function Page({
  patientId,
  before,
  limit,
  onMore,
  ...shown
}: Shown & {
  patientId: string;
  before: string | undefined;
  limit: number | undefined;
  onMore: ((last: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const query = useApi(
    readTimeline,
    { params: { id: patientId }, query: before === undefined ? {} : { before } },
    { keepPrevious: false },
  );
  return (
    <Answered query={query} height={80}>
      {({ entries, more }) => (
        <>
          {before === undefined && entries.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('timeline.none')}
            </Typography>
          ) : (
            <Box
              component="ol"
              aria-label={t('timeline.title')}
              sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}
            >
              {entries.slice(0, limit).map((entry) => (
                <Entry key={entry.id} {...shown} entry={entry} />
              ))}
            </Box>
          )}
          {more && onMore ? (
            <Button
              variant="text"
              size="small"
              sx={{ justifySelf: 'start' }}
              onClick={() => onMore(entries.at(-1)!.id)}
            >
              {t('timeline.more')}
            </Button>
          ) : null}
        </>
      )}
    </Answered>
  );
}

function Entry({
  entry: { record: kind, id, at, name, shows },
  currentId,
  codes,
}: Shown & { entry: TimelineEntry }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const record = timelineRecords.find((one) => one.id === kind);
  const label = labelIn(name, i18n.language);
  const isCode = Array.isArray(record?.fields[record.name]?.options);
  const title = isCode ? (codes[kind]?.(record!.name, label) ?? t('label.unknown.other')) : label;
  const isCurrent = id === currentId;
  return (
    <Box
      component="li"
      aria-current={isCurrent ? 'true' : undefined}
      sx={{ fontSize: '0.8125rem', lineHeight: 20 / 13, minWidth: 0, overflowWrap: 'anywhere' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 2 }}>
        {record?.endpoints && !isCurrent ? (
          <Box component={Link} to={`/${kind}/${id}`} sx={{ color: 'primary.main' }}>
            {title}
          </Box>
        ) : (
          <Box component="span" sx={{ fontWeight: isCurrent ? 650 : 400 }}>
            {title}
          </Box>
        )}
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t(`timeline.kind.${kind}`)} · <time dateTime={at}>{formats.day(at)}</time>
          {isCurrent ? ` · ${t('timeline.current')}` : ''}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 12px', color: 'text.secondary' }}>
        {record?.timeline.shows.map((field) => (
          <Value
            key={field}
            field={record.fields[field]!}
            value={shows[field] ?? null}
            code={(code) => codes[kind]?.(field, code) ?? t('label.unknown.other')}
          />
        ))}
      </Box>
    </Box>
  );
}

/** A value in words: an entry of a look-up, a day, a fixed code, or the value itself. */
function Value({
  field: { kind, options },
  value,
  code,
}: {
  field: Field;
  value: string | null;
  code: (code: string) => ReactNode;
}) {
  const formats = useFormats();
  const isEntry = typeof options === 'string';
  const labels = useLabels(isEntry ? options : '', { enabled: isEntry });
  if (value === null) return null;
  if (isEntry) return <span>{labels.of(value)}</span>;
  if (kind === 'day') return <span>{formats.dayInWords(value)}</span>;
  return <span>{options === undefined ? value : code(value)}</span>;
}
