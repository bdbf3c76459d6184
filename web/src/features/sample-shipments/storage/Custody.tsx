import { labelIn } from '@caseway/contract/label';
import { type CustodyEntry, custodyReport, type Whereabouts } from '@caseway/contract/storage';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CircleCheck, FileX, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../data/api.ts';
import { useLabels } from '../../../data/use-labels.ts';
import { useIdOfAddress } from '../../../record/use-record-of-address.ts';
import { Answered } from '../../../ui/Answered.tsx';
import { IconMark } from '../../../ui/IconMark.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Page } from '../../../ui/Page.tsx';
import { PrintButton } from '../../../ui/PrintButton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useFormats } from '../../../words/formats.ts';
import { useShipmentWords } from '../shipment-words.ts';

/** Who has had one specimen in hand and where it was, oldest first, to read and to print. */
export default function Custody() {
  const { t, i18n } = useTranslation('storage');
  const { instant, count } = useFormats();
  const { id, isId } = useIdOfAddress();
  const query = useApi(custodyReport, { params: { id } }, { enabled: isId, keepPrevious: false });
  const report = query.data;
  if (!isId || query.error?.code === 'not-found')
    return (
      <Message icon={FileX} level="h1" title={t('report.missing')}>
        {t('common:error.not-found')}
      </Message>
    );
  return (
    <Page
      title={report ? t('report.title', { code: report.code }) : t('common:screen.specimenCustody')}
      lead={
        report
          ? [
              report.specimenType && labelIn(report.specimenType, i18n.language),
              report.collectedAt && t('report.collected', { time: instant(report.collectedAt) }),
            ]
              .filter(Boolean)
              .join(' · ')
          : undefined
      }
      actions={<PrintButton />}
    >
      <Answered query={query} height={300}>
        {({ events }) => {
          const gaps = events.filter(({ gap }) => gap).length;
          return (
            <Section title={t('report.events')}>
              {events.length === 0 ? (
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {t('report.none')}
                </Typography>
              ) : (
                <>
                  <Typography variant="body2" component="div">
                    {gaps > 0 ? (
                      <IconMark icon={TriangleAlert} color="warning.main">
                        {t('report.gaps', { count: gaps, number: count(gaps) })}
                      </IconMark>
                    ) : (
                      <IconMark icon={CircleCheck} color="success.main">
                        {t('report.complete')}
                      </IconMark>
                    )}
                  </Typography>
                  <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
                    {events.map((event) => (
                      <Event key={event.id} event={event} />
                    ))}
                  </Box>
                </>
              )}
            </Section>
          );
        }}
      </Answered>
    </Page>
  );
}

function Event({ event }: { event: CustodyEntry }) {
  const { t, i18n } = useTranslation('storage');
  const words = useShipmentWords();
  const { instant } = useFormats();
  const facilities = useLabels('facilities');
  const locations = useLabels('locations');
  const { at, by, deed, shipment, from, to, condition, reason, note, gap } = event;
  const placed = (place: Whereabouts | null) =>
    place &&
    [
      place.facility && facilities.of(place.facility),
      place.location && locations.of(place.location),
      place.position,
    ]
      .filter(Boolean)
      .join(', ');
  // Within one facility, only the position that it reaches or leaves.
  const isWithin = from?.facility === to?.facility && !(from?.location && to?.location);
  const [left, reached] = [placed(from), placed(to)];
  const way =
    left && reached && !isWithin
      ? t('report.way', { from: left, to: reached })
      : (from?.location && left) || reached || left;
  const why =
    reason && i18n.exists(`storage:reason.${reason}`) ? t(`reason.${reason}` as 'reason.sent') : reason;
  return (
    <Box
      component="li"
      sx={{
        paddingY: 2,
        borderTop: 1,
        borderColor: 'divider',
        overflowWrap: 'anywhere',
        breakInside: 'avoid',
        display: 'grid',
        gap: 0.5,
      }}
    >
      {gap ? <Alert severity="warning">{t('report.gap')}</Alert> : null}
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {i18n.exists(`storage:deed.${deed}`)
          ? t(`deed.${deed}` as 'deed.stored')
          : words.choice('deed', deed)}
        {why ? ` · ${why}` : null}
      </Typography>
      <Typography variant="body2">
        {[
          way,
          shipment && t('report.shipment', { number: shipment }),
          condition && condition !== 'good' ? words.choice('condition', condition) : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      {note ? <Typography variant="body2">{note}</Typography> : null}
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {[instant(at), by].filter(Boolean).join(' · ')}
      </Typography>
    </Box>
  );
}
