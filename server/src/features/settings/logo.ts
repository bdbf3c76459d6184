import { createHash } from 'node:crypto';
import type { Fault } from '@caseway/contract/error';
import { type LogoFault, logoAddress, logoFault, readLogo } from '@caseway/contract/logo';
import { changeLogo } from '@caseway/contract/settings';
import type { Tx } from '../../platform/db/database.ts';
import { publishWith } from '../../platform/events/hub.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { onlyPixels } from '../../platform/png.ts';
import { wholeTenant } from '../../platform/policy/authority.ts';
import { alwaysRestricted } from '../reference/catalog.ts';
import { settingsAnswer } from './tenant.ts';

/** The longest that an image may become when it is packed again; the table allows as much. */
const storedBytes = 262_144;

/** The image as it is stored, or the fault of a file that is none. */
async function readImage(base64: string): Promise<Buffer | LogoFault> {
  const file = Buffer.from(base64, 'base64');
  const fault = logoFault(file);
  if (fault) return fault;
  const image = await onlyPixels(file);
  if (!image) return 'logo-broken';
  return image.length > storedBytes ? 'logo-too-large' : image;
}
const said = (fault: LogoFault): Fault => faultAt('image', fault, 'the file cannot be a logo');

/** Writes the logo of a tenant. The tenant is part of the hash; see `readLogo`. */
export async function storeLogo(tx: Tx, tenantId: string, image: Buffer | null): Promise<string | null> {
  const hash = image && createHash('sha256').update(tenantId).update(image).digest('base64url');
  await tx.run('update tenant set logo = $2, logo_hash = $3 where id = $1', [tenantId, image, hash]);
  return hash;
}

/** The logo of a tenant: its image for everyone who knows the address, and its change. */
export function serveLogo(app: App): void {
  serve(app, readLogo, (call) =>
    call.withScope(async (tx) => {
      const [found] = await tx.rows<{ logo: Buffer }>('select logo from tenant where logo_hash = $1', [
        call.params.hash,
      ]);
      if (!found) throw new AppError('not-found');
      call.setHeader('cache-control', 'public, max-age=31536000, immutable');
      return found.logo;
    }),
  );

  serve(
    app,
    changeLogo,
    async (call) => {
      const tenantId = wholeTenant(call);
      const { image, before } = call.body;
      const logo = image === null ? null : await readImage(image);
      if (typeof logo === 'string') throw new AppError('validation-failed', { faults: [said(logo)] });
      return call.withScope(async (tx) => {
        const [current] = await tx.rows<{ hash: string | null }>(
          'select logo_hash as hash from tenant where id = $1 for update',
          [tenantId],
        );
        if (logoAddress(current!.hash) !== before) throw new AppError('conflict');
        const hash = await storeLogo(tx, tenantId, logo);
        if (hash !== current!.hash) {
          await publishWith(tx, { tenantId }, { type: 'settings-changed' });
          call.audit({
            action: 'setting/logo-changed',
            recordKind: 'tenant',
            recordIds: [tenantId],
            detail: { before: { logo: current!.hash }, after: { logo: hash } },
          });
        }
        return settingsAnswer(tx, tenantId, alwaysRestricted);
      });
    },
    {
      alsoWrong: async (call) => {
        const logo = call.body.image ? await readImage(call.body.image) : null;
        return typeof logo === 'string' ? [said(logo)] : [];
      },
    },
  );
}
