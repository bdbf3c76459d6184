import {
  type Custody,
  type Shipment,
  shipmentContents,
  shipmentRecord,
} from '@caseway/contract/sample-shipments';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Tag } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useIdOfAddress, useRecordOfAddress } from '../../record/use-record-of-address.ts';
import { WholeRecord } from '../../record/WholeRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { useFormats } from '../../words/formats.ts';
import { EditShipment } from './EditShipment.tsx';
import { LabelsDialog } from './LabelsDialog.tsx';
import { ShipmentContents } from './ShipmentContents.tsx';
import { shipments, useShipmentWords } from './shipment-words.ts';

const { endpoints } = shipmentRecord;
type Name = keyof Shipment & string;
const about: readonly Name[] = [
  'origin',
  'destination',
  'temperature',
  'carrier',
  'trackingNumber',
  'packedOn',
  'sentOn',
  'expectedOn',
  'receivedOn',
  'caseId',
  'note',
  'createdOn',
];

/** One shipment: its contents, its actions, and its chain of custody. */
export default function ShipmentRecord() {
  const { t } = useTranslation('sample-shipments');
  const { id, isId } = useIdOfAddress();
  const query = useRecordOfAddress(endpoints.read);
  const contents = useApi(shipmentContents, { params: { id } }, { enabled: isId, keepPrevious: false });
  const places = useLabels('facilities');
  const mayWrite = useMay()('sample-shipments/write');
  const [labelling, setLabelling] = useState(false);
  return (
    <WholeRecord
      of={shipments}
      query={query}
      lead={({ origin, destination }, text) => [
        text('state'),
        t('record.way', { from: places.of(origin) ?? '', to: places.of(destination) ?? '' }),
      ]}
      actions={() => (
        <Button
          variant="outlined"
          startIcon={<Tag size={16} aria-hidden />}
          onClick={() => setLabelling(true)}
        >
          {t('label.action')}
        </Button>
      )}
      notes={(one) =>
        labelling ? (
          <LabelsDialog
            one={one}
            hasSpecimens={(contents.data?.specimens.length ?? 0) > 0}
            onClose={() => setLabelling(false)}
          />
        ) : null
      }
      edit={(one, handlers) => <EditShipment stored={one} {...handlers} />}
      none={() => t('record.none')}
      parts={(one, { facts, history }) => [
        {
          title: t('record.contents'),
          content: (
            <Answered query={contents} height={160}>
              {(known) => <ShipmentContents one={one} contents={known} mayWrite={mayWrite} />}
            </Answered>
          ),
        },
        history,
        { aside: true, title: t('record.about'), content: facts(about) },
        {
          aside: true,
          title: t('record.custody'),
          content: <Answered query={contents}>{({ custody }) => <Moves custody={custody} />}</Answered>,
        },
      ]}
    />
  );
}

/** The chain of custody, latest first. */
function Moves({ custody }: { custody: readonly Custody[] }) {
  const { t } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const { instant } = useFormats();
  if (custody.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('record.noCustody')}
      </Typography>
    );
  return (
    <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
      {custody.map(({ id, at, by, deed, code, condition, note }) => (
        <Box component="li" key={id} sx={{ overflowWrap: 'anywhere' }}>
          <Typography variant="body2" sx={{ fontWeight: 550 }}>
            {words.choice('deed', deed)}
            {code ? <span className="mono"> {code}</span> : null}
          </Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {[
              instant(at),
              by,
              condition && condition !== 'good' ? words.choice('condition', condition) : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Typography>
          {note ? <Typography variant="body2">{note}</Typography> : null}
        </Box>
      ))}
    </Box>
  );
}
