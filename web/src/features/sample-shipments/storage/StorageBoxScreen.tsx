import { labelIn } from '@caseway/contract/label';
import {
  custodyReport,
  listStorage,
  nextFree,
  type Position,
  positionName,
  readBox,
  type StorageBox,
  storeSpecimen,
} from '@caseway/contract/storage';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ArrowLeft, FileX } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { keepAnswered, useApi, useCall } from '../../../data/api.ts';
import { AppError } from '../../../data/transport.ts';
import { useLabels } from '../../../data/use-labels.ts';
import { useFaultKey } from '../../../record/use-fault-key.ts';
import { useIdOfAddress } from '../../../record/use-record-of-address.ts';
import { Answered } from '../../../ui/Answered.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useFormats } from '../../../words/formats.ts';
import { CodeEntry } from '../CodeEntry.tsx';
import { BoxMap, isAt } from './BoxMap.tsx';
import { Fill } from './Storage.tsx';
import { TakeOutDialog } from './TakeOutDialog.tsx';

/** One box: its map, the specimen at the chosen position, and the next one to store. */
export default function StorageBoxScreen() {
  const { t } = useTranslation('storage');
  const { id, isId } = useIdOfAddress();
  const query = useApi(readBox, { params: { id } }, { enabled: isId, keepPrevious: false });
  const facilities = useLabels('facilities');
  const box = query.data;
  const back = (
    <Button
      variant="outlined"
      component={Link}
      to="/sample-shipments/storage"
      startIcon={<ArrowLeft size={16} aria-hidden />}
    >
      {t('box.back')}
    </Button>
  );
  if (!isId || query.error?.code === 'not-found')
    return (
      <Message icon={FileX} level="h1" title={t('box.missing')} actions={back}>
        {t('common:error.not-found')}
      </Message>
    );
  return (
    <Page
      title={box ? t('box.title', { name: box.name }) : t('common:screen.storageBox')}
      lead={
        box
          ? [
              facilities.of(box.facility),
              ...box.path.map(({ level, name }) => t(`level.${level}`, { name })),
              box.coldest !== null && box.warmest !== null
                ? t('box.range', { coldest: box.coldest, warmest: box.warmest })
                : null,
            ]
              .filter(Boolean)
              .join(' · ')
          : undefined
      }
      actions={back}
    >
      <Answered query={query} height={400}>
        {(known) => <Contents key={known.id} box={known} />}
      </Answered>
    </Page>
  );
}

/** What a move makes stale besides the box itself. */
const old = [listStorage, custodyReport];

interface Said {
  severity: 'success' | 'error';
  text: string;
}

function Contents({ box }: { box: StorageBox }) {
  const { t } = useTranslation('storage');
  const { count } = useFormats();
  const faultKey = useFaultKey('storage');
  const store = useCall(storeSpecimen, { invalidates: old });
  const [chosen, setChosen] = useState<Position | null>(null);
  /** The position for the next specimen; further scans that wait go to the next free ones. */
  const target = useRef<Position | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const { id, taken, rows, columns, mayStore } = box;
  const isFree = (position: Position) => !taken.some((one) => isAt(one, position));
  const next = chosen && isFree(chosen) ? chosen : nextFree(box, taken);
  const choose = (position: Position) => {
    setChosen(position);
    target.current = isFree(position) ? position : null;
  };
  const put = async (code: string) => {
    const position = target.current;
    target.current = null;
    try {
      const answer = await store.mutateAsync({ params: { id }, body: { code, position } });
      keepAnswered(readBox, { params: { id } }, answer.box);
      const { moved } = answer;
      setChosen(null);
      setSaid({
        severity: 'success',
        text: t(moved ? 'put.moved' : 'put.stored', { code, position: positionName(answer) }),
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const fault = error.faults[0]?.code;
      const why = t((fault ? faultKey(fault) : `common:error.${error.code}`) as 'fault.other');
      setSaid({ severity: 'error', text: t('put.failed', { code, why }) });
    }
  };
  return (
    <Box
      sx={{
        display: 'grid',
        alignItems: 'start',
        gap: 4,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(260px, 2fr)' },
      }}
    >
      <Section title={t('map.title')}>
        <Typography variant="body2" component="div">
          {t('box.taken', { taken: count(taken.length), positions: count(rows * columns) })}{' '}
          <Fill taken={taken.length} positions={rows * columns} />
        </Typography>
        {box.active ? null : <Alert severity="info">{t('box.inactive')}</Alert>}
        {mayStore && next ? (
          <CodeEntry
            label={t('put.code')}
            help={t('put.to', { position: positionName(next) })}
            submit={t('put.add')}
            onCode={put}
          />
        ) : null}
        {mayStore && !next ? <Alert severity="info">{t('put.full')}</Alert> : null}
        <Box role="status" aria-live="polite">
          {said ? <Alert severity={said.severity}>{said.text}</Alert> : null}
        </Box>
        <BoxMap box={box} next={mayStore ? next : null} chosen={chosen} onChoose={choose} />
      </Section>
      <Section title={chosen ? t('place.title', { position: positionName(chosen) }) : t('place.any')}>
        <Place
          box={box}
          chosen={chosen}
          onNextFree={() => {
            setChosen(null);
            target.current = null;
          }}
        />
      </Section>
    </Box>
  );
}

/** What is at the chosen position. */
function Place({
  box,
  chosen,
  onNextFree,
}: {
  box: StorageBox;
  chosen: Position | null;
  onNextFree: () => void;
}) {
  const { t, i18n } = useTranslation('storage');
  const { instant } = useFormats();
  const [leaving, setLeaving] = useState(false);
  const one = chosen ? box.taken.find((each) => isAt(each, chosen)) : undefined;
  const said = (text: string) => (
    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
      {text}
    </Typography>
  );
  if (!chosen) return said(t('place.none'));
  if (!one)
    return (
      <>
        {said(t(box.mayStore ? 'place.free' : 'place.freeOnly'))}
        {box.mayStore ? (
          <Box>
            <Button size="small" variant="outlined" onClick={onNextFree}>
              {t('put.nextFree')}
            </Button>
          </Box>
        ) : null}
      </>
    );
  const { specimen } = one;
  if (!specimen) return said(t('place.hidden'));
  return (
    <>
      <Typography variant="body1" className="mono" sx={{ overflowWrap: 'anywhere' }}>
        {specimen.code}
      </Typography>
      <Facts
        facts={[
          [t('place.state'), t(`state.${one.state}`)],
          [t('place.type'), specimen.specimenType && labelIn(specimen.specimenType, i18n.language)],
          [t('place.collected'), specimen.collectedAt && instant(specimen.collectedAt)],
          [t('place.since'), instant(specimen.storedAt)],
          [t('place.by'), specimen.storedBy],
        ]}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {box.mayStore ? (
          <Button size="small" variant="outlined" onClick={() => setLeaving(true)}>
            {t('place.takeOut')}
          </Button>
        ) : null}
        <Button size="small" variant="text" component={Link} to={`/sample-shipments/custody/${specimen.id}`}>
          {t('place.custody')}
        </Button>
      </Box>
      {leaving ? (
        <TakeOutDialog box={box} specimen={specimen} old={old} onClose={() => setLeaving(false)} />
      ) : null}
    </>
  );
}
