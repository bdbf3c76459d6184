/** The result of a check: the stream of the usable devices, and which ones are missing. */
export interface Devices {
  stream: MediaStream | null;
  camera: boolean;
  microphone: boolean;
  /** Why there is no stream although there are devices. */
  trouble: DeviceTrouble | null;
}
/** The browser has none, was not allowed to use them, or could not. */
export type DeviceTrouble = 'unsupported' | 'refused' | 'busy';

const none = { stream: null, camera: false, microphone: false };

/**
 * Opens camera and microphone, if present; the browser asks for both at once. `media` is missing in a browser
 * without support, and on a page without https.
 */
export async function openDevices(
  media: Pick<MediaDevices, 'enumerateDevices' | 'getUserMedia'> | undefined,
): Promise<Devices> {
  if (!media?.getUserMedia) return { ...none, trouble: 'unsupported' };
  try {
    const kinds = new Set((await media.enumerateDevices()).map(({ kind }) => kind));
    const found = { camera: kinds.has('videoinput'), microphone: kinds.has('audioinput') };
    if (!found.camera && !found.microphone) return { ...none, trouble: null };
    try {
      const stream = await media.getUserMedia({ video: found.camera, audio: found.microphone });
      return { ...found, stream, trouble: null };
    } catch (error) {
      return { ...found, stream: null, trouble: troubleOf(error) };
    }
  } catch (error) {
    return { ...none, trouble: troubleOf(error) };
  }
}

const troubleOf = (error: unknown): DeviceTrouble =>
  error instanceof Error && ['NotAllowedError', 'SecurityError'].includes(error.name) ? 'refused' : 'busy';

/** Releases the camera and microphone. */
export const closeDevices = (stream: MediaStream | null): void =>
  stream?.getTracks().forEach((track) => void track.stop());

const levelMs = 100;

/** Reports the microphone's volume, from 0 to 1, ten times a second; returns a function that stops it. */
export function listen(stream: MediaStream, tell: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // Speech is quiet compared to a microphone's maximum: a fifth of it fills the bar.
    tell(Math.min(1, Math.sqrt(power) * 5));
  }, levelMs);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

/** Plays two short tones. */
export function playSound(): void {
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.value = 0.2;
  volume.connect(context.destination);
  const tones = [523, 659].map((frequency, place) => {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + place * 0.4);
    tone.stop(context.currentTime + place * 0.4 + 0.35);
    return tone;
  });
  tones.at(-1)!.onended = () => void context.close();
}
