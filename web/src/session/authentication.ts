import type { InitUserAnswer, LanguageSupport, OrgEntry, SelectedOrg, User } from '@caseway/contract/session';
import { orgKey } from '@caseway/contract/session';
import type { PayloadAction } from '@reduxjs/toolkit';
import { createAction, createSlice } from '@reduxjs/toolkit';

/** Who is signed in, for which organization, with which permissions. [S3.6] */
export interface AuthenticationState {
  /** `starting` until the first init has ended; `failed` if it did not succeed and can be retried. */
  phase: 'starting' | 'ready' | 'failed';
  /**
   * Why the start failed: no answer, an outage, or an answer that this version of the program does not
   * understand.
   */
  failure: StartFailure | null;
  authenticated: boolean;
  /**
   * Why an open session has ended. `refused`: the user must sign in again, over the current screen.
   * `unreachable`: the server did not answer a renewal, which is retried when the connection is back.
   */
  ended: 'refused' | 'unreachable' | null;
  tokens: { refreshToken: string | null; accessToken: string | null };
  user: User | null;
  patient: { id: string; email: string | null } | null;
  /** Sorted by name. [S4.6] */
  availableOrgs: OrgEntry[];
  selectedTenantOrg: SelectedOrg | null;
  casbinPolicy: string[];
  betaFeatures: string[];
  tenantFeatures: string[];
  languageSupport: LanguageSupport;
  suspendedTenants: InitUserAnswer['suspendedTenants'];
  /** The organization this session began with, `orgType:id`; cleared when another is chosen. [S4.7] */
  initialOrg: string | null;
}

export type StartFailure = 'unreachable' | 'unavailable' | 'misunderstood';

const initialState: AuthenticationState = {
  phase: 'starting',
  failure: null,
  authenticated: false,
  ended: null,
  tokens: { refreshToken: null, accessToken: null },
  user: null,
  patient: null,
  availableOrgs: [],
  selectedTenantOrg: null,
  casbinPolicy: [],
  betaFeatures: [],
  tenantFeatures: [],
  languageSupport: { tenantLanguages: ['en'], externalLanguages: ['en'], defaultLanguage: 'en' },
  suspendedTenants: [],
  initialOrg: null,
};

/** Resets every part of the application's state. [S4.3] */
export const signedOut = createAction('session/signedOut');
/** Resets the state of one organization. [S4.7] */
export const orgChanged = createAction('session/orgChanged');

const slice = createSlice({
  name: 'authentication',
  initialState,
  reducers: {
    tokensReceived(state, { payload }: PayloadAction<{ refreshToken: string; accessToken: string }>) {
      state.tokens = payload;
    },
    /** Another tab has renewed the session or signed in again: this tab continues with its refresh token. */
    refreshTokenShared(state, { payload }: PayloadAction<string>) {
      state.tokens = { refreshToken: payload, accessToken: null };
    },
    userReady(state, { payload }: PayloadAction<InitUserAnswer>) {
      state.phase = 'ready';
      state.authenticated = true;
      state.ended = null;
      state.user = payload.user;
      state.patient = null;
      state.availableOrgs = payload.availableOrgs.toSorted((a, b) => a.name.localeCompare(b.name));
      state.selectedTenantOrg = payload.selectedOrg;
      state.casbinPolicy = payload.casbinPolicy;
      state.betaFeatures = payload.betaFeatures;
      state.tenantFeatures = payload.tenantFeatures;
      state.languageSupport = payload.languageSupport;
      state.suspendedTenants = payload.suspendedTenants;
      state.initialOrg ??= payload.selectedOrg ? orgKey(payload.selectedOrg) : null;
    },
    /** The user's current organizations, which can be added, removed and renamed while they work. */
    orgsListed(state, { payload }: PayloadAction<OrgEntry[]>) {
      state.availableOrgs = payload.toSorted((a, b) => a.name.localeCompare(b.name));
    },
    patientReady(state, { payload }: PayloadAction<{ id: string; email: string | null }>) {
      state.phase = 'ready';
      state.authenticated = true;
      state.ended = null;
      state.patient = payload;
      state.user = null;
    },
    /** No one is signed in, and there are no tokens to try. */
    nobody(state) {
      state.phase = 'ready';
      state.authenticated = false;
    },
    startFailed(state, { payload }: PayloadAction<StartFailure>) {
      state.phase = 'failed';
      state.failure = payload;
      state.authenticated = false;
    },
    startAgain(state) {
      state.phase = 'starting';
    },
    /** The server refused the session (401) or its renewal. [S8.1, S8.3] */
    sessionExpired(state) {
      state.authenticated = false;
      state.ended = 'refused';
      state.tokens.accessToken = null;
    },
    renewalUnreachable(state) {
      state.authenticated = false;
      state.ended = 'unreachable';
    },
    /** The organization requires a second factor, but this session started without one. [P21] */
    secondFactorWanted(state) {
      if (state.selectedTenantOrg) state.selectedTenantOrg.secondFactorNeeded = true;
    },
    /** A renewal succeeded after all. */
    sessionRenewed(state) {
      state.authenticated = true;
      state.ended = null;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(orgChanged, (state) => {
      state.initialOrg = null;
    });
  },
});

export const {
  tokensReceived,
  refreshTokenShared,
  userReady,
  orgsListed,
  patientReady,
  nobody,
  startFailed,
  startAgain,
  sessionExpired,
  secondFactorWanted,
  renewalUnreachable,
  sessionRenewed,
} = slice.actions;
export const authenticationReducer = slice.reducer;
