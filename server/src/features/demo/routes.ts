import { join } from 'node:path';
import { demoMessages } from '@caseway/contract/demo';
import { type Config, isLoopback } from '../../config.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { newestMessages } from './messages.ts';

/**
 * Whether the demo shows its messages: only this machine reaches the server, and no mail leaves it. With PUBLIC_URL
 * there is a proxy, and every request seems to come from this machine.
 */
export const showsMessages = ({ demo, smtpUrl, host, behindProxy }: Config): boolean =>
  demo && smtpUrl === undefined && !behindProxy && isLoopback(host);

/** The messages of a demo, as a page instead of the files of its outbox. */
export function serveDemo(app: App, config: Config): void {
  if (!showsMessages(config)) return;
  serve(app, demoMessages, async (call) => {
    // Protects against another site's page that gives this machine a name of its own (DNS rebinding), and against an
    // undeclared proxy.
    const host = (call.header('host') ?? '').replace(/:\d+$/, '');
    const local = isLoopback(call.address.replace(/^::ffff:/, '')) && isLoopback(host);
    if (!local || call.header('x-forwarded-for') !== undefined || call.header('forwarded') !== undefined)
      throw new AppError('forbidden');
    return { messages: await newestMessages(join(config.dataDir, 'outbox')) };
  });
}
