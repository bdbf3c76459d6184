import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { parse as uuidBytes } from 'uuid';
import { z } from 'zod';

/** Milliseconds that the browser waits for the person. The challenge expires after the same time. */
const patienceMs = 5 * 60_000;

/** A stored passkey. */
export interface KeptPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/**
 * Passkeys for the host of the product. Each verifies the person (fingerprint, face or PIN), so it counts as two
 * factors. [P21]
 */
export interface Passkeys {
  /** What the browser needs to create a passkey for an account with these passkeys. */
  creation(
    account: { id: string; username: string; name: string },
    challenge: Buffer,
    existing: readonly Pick<KeptPasskey, 'credentialId' | 'transports'>[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** The passkey that a browser created; undefined if it is not for this challenge and host. */
  made(response: unknown, challenge: Buffer): Promise<(KeptPasskey & { synced: boolean }) | undefined>;
  /** What the browser needs to request one of these passkeys or, if none is named, any passkey for this host. */
  request(
    challenge: Buffer,
    allowed?: readonly Pick<KeptPasskey, 'credentialId' | 'transports'>[],
  ): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** The passkey's next counter if it signed this challenge on this host; otherwise undefined. */
  answered(response: PasskeyAnswer, challenge: Buffer, passkey: KeptPasskey): Promise<number | undefined>;
}

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(8192);
const madeResponse = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: base64url, attestationObject: base64url }),
});
const answerResponse = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});
export type PasskeyAnswer = z.infer<typeof answerResponse>;

/** Reads a passkey's answer from a secret; undefined for any other secret. */
export function readPasskeyAnswer(secret: string): PasskeyAnswer | undefined {
  if (!secret.startsWith('{')) return undefined;
  try {
    return answerResponse.safeParse(JSON.parse(secret)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function createPasskeys(publicUrl: string): Passkeys {
  const { hostname: rpID, origin: expectedOrigin } = new URL(publicUrl);
  // Loaded on first use, because it takes as long as the rest of the server's start.
  const library = () => import('@simplewebauthn/server');
  const descriptors = (list: readonly Pick<KeptPasskey, 'credentialId' | 'transports'>[]) =>
    list.map(({ credentialId: id, transports }) => ({ id, transports }));
  return {
    async creation({ id, username, name }, challenge, existing) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: 'Caseway',
        rpID,
        userID: new Uint8Array(uuidBytes(id)),
        userName: username,
        userDisplayName: name,
        challenge: new Uint8Array(challenge),
        timeout: patienceMs,
        attestationType: 'none',
        excludeCredentials: descriptors(existing),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    async made(response, challenge) {
      const read = madeResponse.safeParse(response);
      if (!read.success) return undefined;
      const { verifyRegistrationResponse } = await library();
      const verified = await verifyRegistrationResponse({
        response: read.data as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge.toString('base64url'),
        expectedOrigin,
        expectedRPID: rpID,
      }).catch(refused);
      if (!verified?.verified) return undefined;
      const { credential, credentialBackedUp } = verified.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        synced: credentialBackedUp,
      };
    },

    async request(challenge, allowed) {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID,
        challenge: new Uint8Array(challenge),
        timeout: patienceMs,
        userVerification: 'required',
        allowCredentials: allowed && descriptors(allowed),
      });
    },

    async answered(response, challenge, { credentialId: id, publicKey, counter, transports }) {
      const { verifyAuthenticationResponse } = await library();
      const verified = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge.toString('base64url'),
        expectedOrigin,
        expectedRPID: rpID,
        credential: {
          id,
          publicKey: new Uint8Array(publicKey),
          counter,
          transports,
        },
      }).catch(refused);
      return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
    },
  };
}

/** The library throws the faults of an answer. The sender learns only that it is wrong. */
const refused = () => undefined;
