/** The build's name for the worker that starts the program offline (loading/offline-worker.ts). */
export const workerFile = '/offline.js';

/**
 * Whether this page can store anything: browsers allow encryption and workers only over TLS or from the
 * machine itself.
 */
export const canKeep = (): boolean =>
  window.isSecureContext && 'serviceWorker' in navigator && 'indexedDB' in window;

/** Stores the program itself on the device. Only people who work offline get a worker. */
export async function keepProgram(): Promise<void> {
  await navigator.serviceWorker.register(workerFile, { scope: '/', updateViaCache: 'none' });
  await navigator.serviceWorker.ready;
  // Otherwise a browser short of space may delete it.
  await navigator.storage.persist?.();
}

export async function removeProgram(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  for (const registration of await navigator.serviceWorker.getRegistrations())
    await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
