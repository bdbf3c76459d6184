import { webcrypto } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { memoryShelf } from '../test/memory-shelf.ts';
import { leaseState } from './lease.ts';
import { hasVault, isWeakPin, makeVault, openVault, pinTries, type Vault } from './vault.ts';

// jsdom has no ciphers.
beforeAll(() => void vi.stubGlobal('crypto', webcrypto));
afterAll(() => void vi.unstubAllGlobals());

const pin = '204816';
const opened = async (shelf: ReturnType<typeof memoryShelf>) => (await openVault(shelf, pin)) as Vault;

test('[P20] sealed data opens with the PIN, only in its own place, and is nowhere in clear text', async () => {
  const shelf = memoryShelf();
  const sealed = await (await makeVault(shelf, pin)).seal('visit/1', { name: 'Okafor, Ada' });
  expect(Buffer.from(sealed.bytes).toString('latin1')).not.toContain('Okafor');
  const vault = await opened(shelf);
  expect(await vault.open('visit/1', sealed)).toEqual({ name: 'Okafor, Ada' });
  // In another place it would be someone else's.
  await expect(vault.open('visit/2', sealed)).rejects.toThrow();
  // Sealing the same value again gives a different result.
  const again = await vault.seal('visit/1', { name: 'Okafor, Ada' });
  expect(Buffer.from(again.bytes).equals(Buffer.from(sealed.bytes))).toBe(false);
});

test("neither the PIN's key nor the device's opens it alone, and the device's cannot be extracted", async () => {
  const shelf = memoryShelf();
  await makeVault(shelf, pin);
  const { device } = (await shelf.read<{ device: CryptoKey }>('keys', 'data'))!;
  await expect(webcrypto.subtle.exportKey('raw', device as never)).rejects.toThrow();
  const other = memoryShelf();
  await makeVault(other, pin);
  const stored = (await shelf.read<object>('keys', 'data'))!;
  const theirs = (await other.read<{ device: CryptoKey }>('keys', 'data'))!;
  await other.write([{ drawer: 'keys', key: 'data', value: { ...stored, device: theirs.device } }]);
  await expect(openVault(other, pin)).rejects.toThrow();
});

test('five wrong PINs in a row delete the key; a right one in between resets the count', async () => {
  const shelf = memoryShelf();
  await makeVault(shelf, pin);
  const wrong = () => openVault(shelf, '000001');
  for (let tries = 1; tries < pinTries; tries += 1) expect(await wrong()).toEqual({ left: pinTries - tries });
  expect(await opened(shelf)).toHaveProperty('seal');
  for (let tries = 1; tries <= pinTries; tries += 1)
    expect(await wrong()).toEqual({ left: pinTries - tries });
  expect(await hasVault(shelf)).toBe(false);
  expect(await openVault(shelf, pin)).toEqual({ left: 0 });
});

test('a page that is closed during a try has used it up', async () => {
  const shelf = memoryShelf();
  await makeVault(shelf, pin);
  const late = { ...shelf, write: (writes: Parameters<typeof shelf.write>[0]) => shelf.write(writes) };
  for (let tries = 0; tries < pinTries; tries += 1) {
    // The first write of a try happens before its answer.
    const write = vi.spyOn(late, 'write').mockImplementationOnce(async (writes) => {
      await shelf.write(writes);
      throw new Error('the page is closed');
    });
    await expect(openVault(late, pin)).rejects.toThrow('closed');
    write.mockRestore();
  }
  expect(await openVault(shelf, pin)).toEqual({ left: 0 });
});

test('PINs that are guessed first are refused', () => {
  expect(['000000', '123456', '987654', '999999'].map(isWeakPin)).toEqual([true, true, true, true]);
  expect(['204816', '121212', '135790'].map(isWeakPin)).toEqual([false, false, false]);
});

test('a list is shown for its time, and not if the clock was set back', () => {
  const hour = 3_600_000;
  const lease = { until: 24 * hour, seenAt: 10 * hour };
  expect(leaseState(lease, 11 * hour)).toBe('good');
  expect(leaseState(lease, 24 * hour)).toBe('over');
  expect(leaseState(lease, 9 * hour)).toBe('turned-back');
  // A correction by a minute does not count as setting it back.
  expect(leaseState(lease, 10 * hour - 60_000)).toBe('good');
});
