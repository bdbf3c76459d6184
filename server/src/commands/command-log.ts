import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createLog, formatLog } from '../platform/log/log.ts';

/** The log of a command, printed among its own output: lines for people, unless LOG_FORMAT says otherwise. */
export function commandLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  formatLog(logFormat ?? 'pretty');
  return createLog(logLevel);
}
