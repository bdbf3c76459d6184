import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { Camera, Mic, Volume2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconMark } from '../../ui/IconMark.tsx';
import { Section } from '../../ui/Section.tsx';
import { closeDevices, type Devices, listen, openDevices, playSound } from './devices.ts';

/** Whether camera, microphone and speaker work, before a video visit. */
export function DeviceCheck() {
  const { t } = useTranslation('portal');
  const [devices, setDevices] = useState<Devices | null>(null);
  const [asking, setAsking] = useState(false);
  const [played, setPlayed] = useState(false);
  const isShown = useRef(true);
  const stream = devices?.stream ?? null;
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  // The visit's video needs the camera.
  useEffect(() => () => closeDevices(stream), [stream]);
  const check = async () => {
    setAsking(true);
    setDevices(null);
    const found = await openDevices(navigator.mediaDevices);
    if (!isShown.current) {
      closeDevices(found.stream);
      return;
    }
    setDevices(found);
    setAsking(false);
  };
  return (
    <Section title={t('devices.title')}>
      <Typography>{t('devices.lead')}</Typography>
      <Box role="status" sx={{ display: 'grid', gap: 3, '&:empty': { display: 'none' } }}>
        {asking ? <Alert severity="info">{t('devices.asking')}</Alert> : null}
        {devices?.trouble ? <Alert severity="warning">{t(`devices.${devices.trouble}`)}</Alert> : null}
        {devices && !devices.trouble ? (
          <>
            <Device icon={Camera} name={t('devices.camera')}>
              {t(devices.camera ? 'devices.cameraWorks' : 'devices.cameraMissing')}
            </Device>
            {stream && devices.camera ? <Picture stream={stream} /> : null}
            <Device icon={Mic} name={t('devices.microphone')}>
              {t(devices.microphone ? 'devices.microphoneWorks' : 'devices.microphoneMissing')}
            </Device>
          </>
        ) : null}
      </Box>
      {stream && devices?.microphone ? <Level stream={stream} /> : null}
      <Box role="status">
        {played ? (
          <Device icon={Volume2} name={t('devices.speaker')}>
            {t('devices.played')}
          </Device>
        ) : null}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button variant="outlined" loading={asking} onClick={() => void check()}>
          {t(devices ? 'devices.again' : 'devices.start')}
        </Button>
        <Button
          variant="outlined"
          onClick={() => {
            playSound();
            setPlayed(true);
          }}
        >
          {t('devices.play')}
        </Button>
        {stream ? (
          <Button variant="text" onClick={() => setDevices(null)}>
            {t('devices.stop')}
          </Button>
        ) : null}
      </Box>
    </Section>
  );
}

function Device({ icon, name, children }: { icon: typeof Camera; name: string; children: ReactNode }) {
  return (
    <Box>
      <Typography component="div" sx={{ fontWeight: 550 }}>
        <IconMark icon={icon} color="text.secondary">
          {name}
        </IconMark>
      </Typography>
      <Typography>{children}</Typography>
    </Box>
  );
}

/** The camera's picture, mirrored. */
function Picture({ stream }: { stream: MediaStream }) {
  const { t } = useTranslation('portal');
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <Box
      component="video"
      ref={video}
      autoPlay
      muted
      playsInline
      aria-label={t('devices.picture')}
      sx={{
        width: '100%',
        maxWidth: 320,
        aspectRatio: '4 / 3',
        objectFit: 'cover',
        borderRadius: '6px',
        backgroundColor: 'raised',
        transform: 'scaleX(-1)',
      }}
    />
  );
}

function Level({ stream }: { stream: MediaStream }) {
  const { t } = useTranslation('portal');
  const id = useId();
  const [level, setLevel] = useState(0);
  useEffect(() => listen(stream, setLevel), [stream]);
  return (
    <Box sx={{ display: 'grid', gap: 1, maxWidth: 320 }}>
      <Typography id={id}>{t('devices.level')}</Typography>
      <LinearProgress
        variant="determinate"
        value={Math.round(level * 100)}
        aria-labelledby={id}
        sx={{ height: 8, borderRadius: '4px' }}
      />
    </Box>
  );
}
