import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { AuditDeed } from '@caseway/contract/audit-deed';
import type { Endpoint, Permission } from '@caseway/contract/endpoint';
import { childHeader } from '@caseway/contract/guardian-rules';
import type { FeatureNeed } from '@caseway/contract/permission';
import type { FastifyRequest } from 'fastify';
import type { ScopeOptions, Tx } from '../db/database.ts';
import { type Scope, settingsOf } from '../scope.ts';
import type { Account, ActingOrg, AuditEntry, Authorisation, ChildAsked, OwnRecord } from './access.ts';
import type { Device } from './anonymous.ts';
import type { App } from './app.ts';
import { AppError, asAppError } from './app-error.ts';
import { Confirmation } from './long-answer.ts';
import type { Call } from './serve.ts';

/** What a request may do. */
export interface Granted {
  account?: Account;
  patient?: OwnRecord;
  authorisation?: Authorisation;
}

export async function admit(
  app: App,
  { access, feature, child }: Pick<Endpoint, 'access' | 'feature' | 'child'>,
  request: FastifyRequest,
): Promise<Granted> {
  if (access === 'public') return {};
  return permitted(app, { access, feature, child }, request, await app.authorizer.authenticate(request));
}

async function permitted(
  app: App,
  { access, feature, child }: Pick<Endpoint, 'access' | 'feature' | 'child'>,
  request: FastifyRequest,
  account: Account,
): Promise<Granted> {
  if (account.audience !== (access === 'patient' ? 'patient' : 'staff')) throw new AppError('forbidden');
  if (access === 'patient')
    return { account, patient: await app.authorizer.recordOf(account, childAsked(request, child)) };
  if (access === 'signed-in' || access === 'public') return { account };
  return { account, authorisation: await app.authorizer.authorise(request, account, access, feature) };
}

/** The child whose record the request is about; undefined if it is about the patient's own. */
function childAsked({ headers }: FastifyRequest, right: Endpoint['child']): ChildAsked | undefined {
  const id = headers[childHeader];
  return id === undefined ? undefined : { id: String(id), right };
}

/** A running request: what its handler gets, and its audit log. */
export class ActiveCall implements Call {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly setHeader: (name: string, value: string) => void;
  readonly device: Device | undefined;
  readonly #app: App;
  readonly #endpoint: Endpoint;
  readonly #request: FastifyRequest;
  readonly #granted: Granted;
  readonly #upload: Readable | undefined;
  /** Checks during the request whether its rights are still valid. [P14] */
  readonly confirmation = new Confirmation(() => this.#confirm());
  /** Permissions that it used, in addition to the endpoint's. */
  readonly #relied = new Set<Permission>();
  readonly #rowsOut = new Map<string, number>();
  /** The contents of the next audit row; undefined if none is due. */
  #due: AuditEntry | undefined;
  /** The contents of earlier rows, without their records. */
  #said: AuditEntry = {};
  /** The tenants whose scope was used, and those whose log already has the request. */
  readonly #asked = new Set<string>();
  readonly #told = new Set<string>();

  constructor(
    app: App,
    endpoint: Endpoint,
    request: FastifyRequest,
    granted: Granted,
    given: Pick<Call, 'params' | 'query' | 'body' | 'signal' | 'setHeader' | 'device'> & {
      upload?: Readable;
    },
  ) {
    this.#app = app;
    this.#endpoint = endpoint;
    this.#request = request;
    this.#granted = granted;
    this.#upload = given.upload;
    this.#due = endpoint.patientData ? {} : undefined;
    this.params = given.params;
    this.query = given.query;
    this.body = given.body;
    this.signal = given.signal;
    this.setHeader = given.setHeader;
    this.device = given.device;
  }

  get deed(): AuditDeed {
    return this.#endpoint.deed;
  }

  get account(): Account {
    return this.#granted.account ?? unavailable('an account');
  }

  get org(): ActingOrg {
    return this.#authorisation.org;
  }

  get patient(): OwnRecord {
    return this.#granted.patient ?? unavailable('a patient');
  }

  /** The tenants whose records the request reads, in order. */
  get #tenantIds(): string[] {
    return this.#granted.patient ? [this.#granted.patient.tenantId] : this.org.tenantIds;
  }

  get scope(): Scope {
    if (!this.#granted.authorisation && !this.#granted.patient) return { kind: 'identity' };
    const [tenantId] = this.#tenantIds;
    // A jurisdiction without reporting tenants sees nothing.
    if (tenantId === undefined) throw new AppError('not-found');
    return this.scopeIn(tenantId);
  }

  get upload(): Readable {
    return this.#upload ?? unavailable('an upload');
  }

  get language(): string {
    const [first] = (this.header('accept-language') ?? '').split(/[,;]/);
    return first && isLanguageTag(first) ? first : 'en';
  }

  get requestId(): string {
    return this.#request.id;
  }

  get address(): string {
    return this.#request.ip;
  }

  get #authorisation(): Authorisation {
    return this.#granted.authorisation ?? unavailable('an organisation');
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  may(permission: Permission): boolean {
    const allowed = this.#authorisation.may(permission);
    if (allowed) this.#relied.add(permission);
    return allowed;
  }

  tenantsFor(permission: Permission, feature?: FeatureNeed): readonly string[] {
    const tenantIds = this.#authorisation.tenantsFor(permission, feature);
    if (tenantIds.length > 0) this.#relied.add(permission);
    return tenantIds;
  }

  scopeIn(tenantId: string): Scope {
    if (!this.#tenantIds.includes(tenantId)) throw new AppError('not-found');
    this.#asked.add(tenantId);
    if (this.#granted.patient)
      return { kind: 'patient', accountId: this.account.accountId, ...this.#granted.patient };
    return this.#authorisation.scopeIn(tenantId);
  }

  #ownScope(): Scope {
    const scope = this.#authorisation.ownScope();
    if ('tenantId' in scope) this.#asked.add(scope.tenantId);
    return scope;
  }

  async withScope<T>(
    work: (tx: Tx) => Promise<T>,
    {
      tenantId,
      glass,
      own = false,
      ...options
    }: ScopeOptions & { tenantId?: string; glass?: string; own?: boolean } = {},
  ): Promise<T> {
    const taken = own ? this.#ownScope() : tenantId === undefined ? this.scope : this.scopeIn(tenantId);
    const scope = glass !== undefined && taken.kind === 'org' ? { ...taken, glass } : taken;
    return this.#within(scope, work, options);
  }

  async withService<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#within({ kind: 'service', tenantId: this.patient.tenantId }, work);
  }

  /** A transaction with the audit row that is due. */
  async #within<T>(scope: Scope, work: (tx: Tx) => Promise<T>, options: ScopeOptions = {}): Promise<T> {
    if (this.#endpoint.patientData) this.#due ??= this.#said;
    const { database, anonymousDatabase } = this.#app;
    const { result, told } = await (this.#endpoint.access === 'public'
      ? anonymousDatabase
      : database
    ).withScope(
      scope,
      async (tx) => {
        const result = await work(tx);
        const due = this.#due;
        if (due) await this.#write(tx, scope, due);
        this.#due = undefined;
        return { result, told: due && 'tenantId' in scope ? scope.tenantId : undefined };
      },
      options,
    );
    if (told) this.#told.add(told);
    return result;
  }

  audit(entry: AuditEntry): void {
    this.#due = { ...this.#due, ...entry };
    const { recordIds: _, ...said } = this.#due;
    this.#said = said;
  }

  async writeAudit(tenantId: string, entry: AuditEntry): Promise<void> {
    const scope = this.scopeIn(tenantId);
    await this.#app.database.withScope(scope, (tx) => this.#write(tx, scope, entry));
    this.#told.add(tenantId);
  }

  /**
   * Throws unless the person still has all permissions that this request used, and sees exactly what they saw when
   * it began. Reads the database itself. [P14]
   */
  async #confirm(): Promise<void> {
    const { account, authorisation, patient } = this.#granted;
    if (!account) return;
    const now = await permitted(
      this.#app,
      this.#endpoint,
      this.#request,
      await this.#app.authorizer.confirm(this.#request, account),
    );
    const lacks = [...this.#relied].find((permission) => !now.authorisation?.may(permission));
    if (lacks) throw new AppError('forbidden', { permission: lacks });
    // The settings are all that the database knows about a reader; the rest of a scope is how they were found out.
    const seen = (by: Authorisation | undefined) =>
      by && [...this.#asked].map((id) => settingsOf(by.scopeIn(id)));
    if (!isDeepStrictEqual([now.patient, seen(now.authorisation)], [patient, seen(authorisation)]))
      throw new AppError('forbidden');
  }

  gaveOut(tenantId: string, rows: number): void {
    this.#rowsOut.set(tenantId, (this.#rowsOut.get(tenantId) ?? 0) + rows);
  }

  /** Logs that a file was not sent completely, and the most rows that can have been sent. */
  readonly brokeOff = (error: Error, wasBegun: boolean): void => {
    const { log } = this.#app;
    // A caller who gives up is not an event.
    if (this.signal.aborted || (this.#granted.authorisation === undefined && !this.#granted.patient)) return;
    const { code } = asAppError(error);
    const told = [...this.#asked].map((tenantId) => {
      const rows = wasBegun ? (this.#rowsOut.get(tenantId) ?? 0) : 0;
      return this.writeAudit(tenantId, {
        ...this.#said,
        detail: { ...this.#said.detail, brokenOff: code, rows },
      });
    });
    Promise.all(told).catch((failure) => log.error({ err: failure }, 'the log lacks that a file broke off'));
  };

  /** Writes the rows that are still due after the handler, before anything is sent. */
  async finishAudit(): Promise<void> {
    const entry = this.#due ?? (this.#endpoint.patientData ? this.#said : undefined);
    if (!entry) return;
    // If no particular tenant was used, the event is about the first; a jurisdiction without reporting tenants has
    // none.
    const asked = this.#asked.size > 0 ? [...this.#asked] : this.#tenantIds.slice(0, 1);
    const untold = asked.filter((tenantId) => !this.#told.has(tenantId));
    for (const tenantId of this.#due && untold.length === 0 ? asked : untold)
      await this.writeAudit(tenantId, entry);
  }

  async #write(
    tx: Tx,
    scope: Scope,
    { action, deed, recordKind, recordIds, detail }: AuditEntry,
  ): Promise<void> {
    if (!('tenantId' in scope)) throw new Error('an audit row needs a tenant');
    const org = this.#granted.authorisation?.org;
    await this.#app.auditor.write(tx, {
      tenantId: scope.tenantId,
      accountId: this.#granted.account?.accountId ?? null,
      orgType: org?.orgType ?? null,
      orgId: org?.id ?? null,
      action: action ?? `${this.#endpoint.method} ${this.#endpoint.path}`,
      deed: deed ?? this.#endpoint.deed,
      recordKind: recordKind ?? null,
      recordIds: recordIds ?? [],
      detail: detail ?? {},
      requestId: this.requestId,
      address: this.address,
    });
  }
}

/** Whether a text is a language tag in the form that Intl takes; `*` and many similar texts are not. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function unavailable(what: string): never {
  throw new Error(`this endpoint has no ${what.replace(/^an? /, '')}`);
}
