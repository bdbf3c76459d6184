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

/** Who reads the rows of a list, in a request or in a job that goes on for them. */
export type ListReader = Pick<
  Call,
  'account' | 'org' | 'scope' | 'may' | 'tenantsFor' | 'scopeIn' | 'language'
>;
/** Who has a file made of them. */
export type Exporting = ListReader & Pick<Call, 'signal' | 'writeAudit' | 'gaveOut'>;

/** How files of a list are made. */
export interface Exporter {
  grid: Grid & { exportable: Permission };
  recordKind: AuditRecordKind;
  request: z.ZodType<ExportRequest>;
  /** Throws what a request for the file would be refused with. */
  refuse(call: ListReader, request: ExportRequest): void;
  write(call: Exporting, request: ExportRequest): Promise<Readable>;
  /** The name and the media type of a file that is made now. */
  named(call: Pick<Call, 'org'>, format: string): { name: string; type: string };
}

/** The exports of every list that is served, and where files are kept that were made in the background. */
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
 * A digest of what somebody sees: of which tenants, with what hidden from them, and what else they may do there, by which
 * some columns are shown or empty.
 */
export function seenBy(call: Pick<Call, 'org' | 'scopeIn' | 'tenantsFor'>): string {
  const scopes = [...call.org.tenantIds].sort().map((tenantId) => settingsOf(call.scopeIn(tenantId)));
  const held = permissions.map((permission) => [...call.tenantsFor(permission)].sort());
  return createHash('sha256')
    .update(JSON.stringify([scopes, held]))
    .digest('hex');
}
