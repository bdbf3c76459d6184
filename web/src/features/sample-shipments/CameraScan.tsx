import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Camera, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The API with which phone browsers read symbols; type libraries lack it. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: readonly string[] }) => Detector;
const detectorClass = (): DetectorClass | undefined =>
  (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** The symbols of labels for tubes and boxes, and those of other laboratories. */
const formats = ['code_128', 'code_39', 'data_matrix', 'qr_code'];
const lookMs = 150;
/**
 * A symbol that stays in front of the camera is read once; after this many milliseconds without it, again.
 */
const restMs = 2000;

/**
 * Reads numbers with a phone's camera. Nothing if the browser cannot: users type there, or have a scanner.
 */
export function CameraScan({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useTranslation('sample-shipments');
  const [open, setOpen] = useState(false);
  // Missing on a page without https.
  if (!detectorClass() || !navigator.mediaDevices) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Button
        variant="outlined"
        size="small"
        aria-expanded={open}
        startIcon={open ? <X size={16} aria-hidden /> : <Camera size={16} aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        {t(open ? 'camera.close' : 'camera.open')}
      </Button>
      {open ? <Finder onCode={onCode} /> : null}
    </Box>
  );
}

/** The camera's picture, and what was last read. */
function Finder({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useTranslation('sample-shipments');
  const video = useRef<HTMLVideoElement>(null);
  const [trouble, setTrouble] = useState<'refused' | 'failed' | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const take = useRef(onCode);
  useEffect(() => {
    take.current = onCode;
  });
  useEffect(() => {
    const stop = new AbortController();
    watch(
      video.current!,
      (code) => {
        setLast(code);
        take.current(code);
      },
      stop.signal,
    ).catch((error: unknown) =>
      setTrouble(
        error instanceof Error && ['NotAllowedError', 'SecurityError'].includes(error.name)
          ? 'refused'
          : 'failed',
      ),
    );
    return () => stop.abort();
  }, []);
  return (
    <>
      <Box
        component="video"
        ref={video}
        muted
        playsInline
        aria-label={t('camera.picture')}
        sx={{
          display: trouble ? 'none' : 'block',
          width: 'min(420px, 100%)',
          aspectRatio: '4 / 3',
          objectFit: 'cover',
          borderRadius: '10px',
          backgroundColor: 'raised',
        }}
      />
      <Typography
        variant="body2"
        role={trouble ? 'alert' : 'status'}
        sx={{ color: trouble ? 'error.main' : 'text.secondary', overflowWrap: 'anywhere' }}
      >
        {trouble
          ? t(`camera.${trouble}`)
          : last === null
            ? t('camera.help')
            : t('camera.read', { code: last })}
      </Typography>
    </>
  );
}

/** Shows the camera in a video and reports each number read, until stopped. */
async function watch(
  video: HTMLVideoElement,
  tell: (code: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (stop.aborted) return close();
  stop.addEventListener('abort', close, { once: true });
  video.srcObject = stream;
  await video.play();
  const detector = new (detectorClass()!)({ formats });
  const seen = new Map<string, number>();
  while (!stop.aborted) {
    const found = await detector.detect(video);
    const now = performance.now();
    for (const { rawValue } of found) {
      const code = rawValue.trim();
      if (code === '' || stop.aborted) continue;
      const before = seen.get(code);
      seen.set(code, now);
      if (before === undefined || now - before > restMs) tell(code);
    }
    await new Promise((next) => setTimeout(next, lookMs));
  }
}
