import { type RuntimeConfig, runtimeConfig } from '@caseway/contract/session';

/**
 * What the server wrote into the page. The development server writes nothing: then the placeholder is still
 * there, and defaults apply.
 */
export function readRuntimeConfig(): RuntimeConfig {
  const content = document.querySelector<HTMLMetaElement>('meta[name="caseway-config"]')?.content ?? '';
  return runtimeConfig.parse(content.startsWith('{') ? JSON.parse(content) : {});
}

/** The nonce that style elements need under the content security policy; undefined in development. */
export function readNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? '';
  return content === '' || content.startsWith('__') ? undefined : content;
}

/**
 * Puts the license key of a commercial component library where MUI libraries look for it. The default build
 * has none of them. [S9.18]
 */
export function setUiLicenseKey(key: string | undefined): void {
  if (key !== undefined)
    (globalThis as { __MUI_LICENSE_INFO__?: { key: string } }).__MUI_LICENSE_INFO__ = { key };
}
