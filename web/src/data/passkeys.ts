import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Whether this browser supports passkeys on this page. */
export const passkeysWork = (): boolean => 'PublicKeyCredential' in window && window.isSecureContext;

/**
 * The user gave up, the browser has no passkey for this page, or the device already has one for this account.
 */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed';
  readonly reason: 'notUsed' | 'notMade' | 'known';

  constructor(reason: PasskeyFailed['reason'], cause: unknown) {
    super(`no passkey: ${reason}`, { cause });
    this.reason = reason;
  }
}

// Loaded only for people who use passkeys.
const library = () => import('@simplewebauthn/browser');

/**
 * Asks the user to answer a challenge with a passkey; returns the secret for it.
 * @throws PasskeyFailed if they did not
 */
export async function answerWithPasskey(options: object | undefined): Promise<string> {
  const { startAuthentication } = await library();
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    return JSON.stringify(await startAuthentication({ optionsJSON }));
  } catch (cause) {
    throw new PasskeyFailed('notUsed', cause);
  }
}

/**
 * Asks the browser to create a passkey; returns what the server needs.
 * @throws PasskeyFailed if there is none
 */
export async function makePasskey(options: object): Promise<{ id: string }> {
  const { startRegistration, WebAuthnError } = await library();
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch (cause) {
    const known =
      cause instanceof WebAuthnError && cause.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new PasskeyFailed(known ? 'known' : 'notMade', cause);
  }
}
