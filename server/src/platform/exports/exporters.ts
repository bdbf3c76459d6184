import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AuditRecordKind } from '@caseway/contract/audit-action';
import type { Permission } from '@caseway/contract/endpoint';
import type { ExportRequest, Grid } from '@caseway/contract/grid';
import { permissions } from '@caseway/contract/permission';
import type { z } from 'zod';
import type { App } from '../http/app.ts';
import type { Call } from '../http/serve.ts';
import { settingsOf } from '../scope.ts';
import type { FileStore } from './file-store.ts';

/** The reader of a list's rows, in a request or in a background job. */
export type ListReader = Pick<
  Call,
  'account' | 'org' | 'scope' | 'may' | 'tenantsFor' | 'scopeIn' | 'language'
>;
/** The person who has a file of the list made. */
export type Exporting = ListReader & Pick<Call, 'signal' | 'writeAudit' | 'gaveOut'>;

/** How files of a list are made. */
export interface Exporter {
  grid: Grid & { exportable: Permission };
  recordKind: AuditRecordKind;
  request: z.ZodType<ExportRequest>;
  /** Throws the error that a request for the file would get. */
  refuse(call: ListReader, request: ExportRequest): void;
  write(call: Exporting, request: ExportRequest): Promise<Readable>;
  /** The name and the media type of a file that is made now. */
  named(call: Pick<Call, 'org'>, format: string): { name: string; type: string };
}

/** The exports of every served list, and the store for files made in the background. */
interface Exports {
  readonly exporters: Map<string, Exporter>;
  store: FileStore | undefined;
}
const exportsOfApps = new WeakMap<App, Exports>();

export function exportsIn(app: App): Exports {
  const known = exportsOfApps.get(app) ?? { exporters: new Map<string, Exporter>(), store: undefined };
  exportsOfApps.set(app, known);
  return known;
}

/**
 * A digest of what a person sees: the tenants, what is hidden from them, and other permissions there that decide
 * whether columns are shown.
 */
export function seenBy(call: Pick<Call, 'org' | 'scopeIn' | 'tenantsFor'>): string {
  const scopes = [...call.org.tenantIds].sort().map((tenantId) => settingsOf(call.scopeIn(tenantId)));
  const held = permissions.map((permission) => [...call.tenantsFor(permission)].sort());
  return createHash('sha256')
    .update(JSON.stringify([scopes, held]))
    .digest('hex');
}
