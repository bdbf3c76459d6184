/** The worker that starts the program without a network (loading/offline-worker.ts), as the build names it. */
export const workerFile = '/offline.js';

/** Whether this page can keep anything: only over TLS, or from the machine itself, does a browser encrypt and have workers. */
export const canKeep = (): boolean =>
  window.isSecureContext && 'serviceWorker' in navigator && 'indexedDB' in window;

/** Keeps the program itself on the device. Only people who take something along have a worker. */
export async function keepProgram(): Promise<void> {
  await navigator.serviceWorker.register(workerFile, { scope: '/', updateViaCache: 'none' });
  await navigator.serviceWorker.ready;
  // A browser that is short of space removes what it was not asked to keep.
  await navigator.storage.persist?.();
}

/** Removes the program from the device. */
export async function removeProgram(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  for (const registration of await navigator.serviceWorker.getRegistrations())
    await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
