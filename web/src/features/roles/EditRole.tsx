import { labelIn } from '@caseway/contract/label';
import {
  grantableOn,
  type KnownPermission,
  permissions,
  type SubjectKind,
  subjectKinds,
} from '@caseway/contract/permission';
import type { AnyRecord } from '@caseway/contract/record';
import {
  changeRole,
  draftOfParts,
  grantOf,
  grantPart,
  partsOf,
  previewRole,
  type Role,
  type RoleDraft,
  type RoleParts,
  readRoles,
  roleDraft,
  roleRefusals,
  roleVersions,
} from '@caseway/contract/roles';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { ArrowLeft, FileX } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { z } from 'zod';
import { becameOld, callApi, useApi, useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordHistory } from '../../record/RecordHistory.tsx';
import { useRecordForm, type Version } from '../../record/use-record-form.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { TextField } from '../../ui/Form.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Section } from '../../ui/Section.tsx';
import { StickyActions } from '../../ui/StickyActions.tsx';
import { languageNames } from '../../words/i18n.ts';
import { ancestorsOf, type GrantState, inheritedOf, permissionsFor, stateOf } from './grants.ts';
import { RoleReview } from './RoleReview.tsx';

const translations = ['es', 'ht', 'en-GB'] as const;
const blank: RoleDraft = { label: '', labelI18N: {}, parentIds: [], grants: [] };
/** What every change of a role makes stale. */
const oldRoles = [readRoles, roleVersions.history];

const label = roleDraft.shape.label;
const roleForm = z.looseObject({
  label,
  ...Object.fromEntries(translations.map((language) => [language, z.literal('').or(label)])),
}) as unknown as z.ZodType<unknown, RoleParts>;

/** A role by its parts, with an empty one for each possible grant. */
const valuesOf = (role: RoleDraft, kinds: readonly SubjectKind[]): RoleParts => ({
  ...Object.fromEntries(
    permissionsFor(kinds).flatMap((permission) => kinds.map((kind) => [grantPart(kind, permission), ''])),
  ),
  ...partsOf(role),
});

/** One role: its names, parents and grants; saved after a preview of what changes for whom. */
export default function EditRole() {
  const { t } = useTranslation('roles');
  const { id = '' } = useParams();
  const query = useApi(readRoles);
  const back = (
    <Button
      variant="outlined"
      component={Link}
      to="/admin/roles"
      startIcon={<ArrowLeft size={16} aria-hidden />}
    >
      {t('edit.back')}
    </Button>
  );
  return (
    <Answered query={query} height={480}>
      {(answer) => {
        const role = answer.roles.find((one) => one.id === id) ?? null;
        if (role === null && id !== 'new')
          return (
            <Message icon={FileX} level="h1" title={t('edit.missing')} actions={back}>
              {t('common:error.not-found')}
            </Message>
          );
        return <Loaded key={id} role={role} {...answer} back={back} />;
      }}
    </Answered>
  );
}

function Loaded({
  role,
  roles,
  version,
  kinds,
  held,
  back,
}: {
  role: Role | null;
  roles: readonly Role[];
  version: number;
  kinds: readonly SubjectKind[];
  held: readonly string[];
  back: ReactNode;
}) {
  const { t, i18n } = useTranslation('roles');
  const navigate = useNavigate();
  const writes = useMay()('roles/write');
  const { labels, text } = useRoleWords(roles);
  const stored = { version, values: valuesOf(role ?? blank, kinds) };
  const [reviewing, setReviewing] = useState<'change' | 'remove' | null>(null);
  const preview = useCall(previewRole);
  const call = useCall(changeRole);
  /** Removed or saved, with its name. */
  const [left, setLeft] = useState<{ name: string; undo?: { id: string; version: number } } | null>(null);
  const editing = useRecordForm<RoleParts, Version<RoleParts>>(
    roleForm,
    `roles/${role?.id ?? 'new'}`,
    stored,
    {
      write: async (changes, from, base) => {
        const values = { ...base, ...(changes as RoleParts) };
        const saved = await call.mutateAsync({ body: body(from, values) });
        return { version: saved.version, values };
      },
      read: async () => {
        const now = await callApi(readRoles);
        const latest = now.roles.find((one) => one.id === role?.id);
        return { version: now.version, values: valuesOf(latest ?? blank, now.kinds) };
      },
      versionOf: (saved) => saved,
      onSaved: (saved) =>
        setLeft({ name: reviewed, ...(role && { undo: { id: role.id, version: saved.version } }) }),
      onRefused: () => {},
      // The effects on people must be reviewed again first.
      again: false,
    },
  );
  const { values, dirty, restored } = editing;
  const draft = draftOfParts(values);
  const body = (from: number, parts: RoleParts | null) => ({
    version: from,
    id: role?.id ?? null,
    draft: parts && draftOfParts(parts),
  });
  // Other people's changes are part of the review.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per version of the roles.
  useEffect(() => {
    if (dirty && version > editing.base.version) editing.takeOver(stored);
  }, [version]);
  // Only once nothing is unsaved, so that leaving needs no confirmation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after saving.
  useEffect(() => {
    if (left === null) return;
    const { name: saved, undo } = left;
    const done = reviewing === 'remove' ? 'roles:done.removed' : 'roles:done.saved';
    const values = { role: saved };
    if (undo) {
      const params = { id: undo.id };
      const body = { version: undo.version };
      offerUndo(done, () => callApi(roleVersions.undo, { params, body }), { values, old: [readRoles] });
    } else notify('success', done, { values });
    void navigate('/admin/roles');
    // Not before: a removed role has no screen.
    for (const old of oldRoles) becameOld(old);
  }, [left]);
  /** Others have changed roles, so the next review is of the current ones. */
  const askAgain = ({ code }: AppError) => {
    if (code === 'conflict') becameOld(readRoles);
    // Without a session nothing was reviewed.
    if (code === 'session-expired') setReviewing(null);
  };
  const review = (what: 'change' | 'remove') => {
    call.reset();
    setReviewing(what);
    const parts = what === 'remove' ? null : values;
    preview.mutate({ body: body(editing.base.version, parts) }, { onError: askAgain });
  };
  const remove = () =>
    call.mutate(
      { body: body(editing.base.version, null) },
      { onSuccess: () => setLeft({ name }), onError: askAgain },
    );
  const name = role ? labelIn(role, i18n.language) : t('edit.new');
  const reviewed = reviewing === 'remove' ? name : labelIn(draft, i18n.language);
  const change = (part: string, value: RoleParts[string]) =>
    editing.form.setValue(part, value, {
      shouldDirty: true,
      shouldValidate: editing.form.formState.isSubmitted,
    });
  return (
    <Page
      title={name}
      lead={role ? t('list.holders', { count: role.holders }) : t('edit.newLead')}
      actions={back}
    >
      {writes ? null : <Alert severity="info">{t('edit.readOnly')}</Alert>}
      <FormBody of={{ ...editing, restored: restored && writes, failure: null }} labels={labels} text={text}>
        <Names disabled={!writes} />
        <Parents role={role} roles={roles} draft={draft} disabled={!writes} onChange={change} />
        <Section title={t('edit.grants')}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('edit.grantsHelp')}
          </Typography>
          <Grants
            role={role}
            roles={roles}
            draft={draft}
            kinds={kinds}
            held={held}
            disabled={!writes}
            onChange={change}
          />
        </Section>
      </FormBody>
      {role ? (
        <RecordHistory
          record={{ endpoints: roleVersions as unknown as AnyRecord['endpoints'] }}
          id={role.id}
          label={(part) => labels[part] ?? part}
          text={text}
          refusal={(code) => refusalKeys[code]}
          invalidates={oldRoles}
        />
      ) : null}
      {writes ? (
        <StickyActions sx={{ padding: 3, border: 1, borderColor: 'divider', borderRadius: '10px' }}>
          {role ? (
            <Button variant="text" onClick={() => review('remove')}>
              {t('edit.remove')}
            </Button>
          ) : null}
          <Box sx={{ flex: 1 }} />
          <Button variant="outlined" disabled={!dirty} onClick={editing.discard}>
            {t('edit.discard')}
          </Button>
          <Button
            variant="contained"
            disabled={!dirty}
            onClick={() => void editing.form.handleSubmit(() => review('change'))()}
          >
            {t('edit.review')}
          </Button>
        </StickyActions>
      ) : null}
      {reviewing ? (
        <RoleReview
          removes={reviewing === 'remove'}
          name={reviewed}
          roles={roles}
          preview={preview}
          saving={call.isPending}
          error={call.error}
          onClose={() => setReviewing(null)}
          onConfirm={() => (reviewing === 'remove' ? remove() : void editing.send()())}
        />
      ) : null}
    </Page>
  );
}

/** The keys of refusal texts. */
const refusalKeys = Object.fromEntries(roleRefusals.map((code) => [code, `roles:refusal.${code}`]));

/** The labels of a role's parts, and their values in words. */
function useRoleWords(roles: readonly Role[]) {
  const { t, i18n } = useTranslation('roles');
  const ofGrant = (on: SubjectKind, permission: string) =>
    `${t(`common:permission.${permission}`)}, ${t(`kind.${on}`)}`;
  const labels: Record<string, string> = {
    label: t('edit.name'),
    ...Object.fromEntries(translations.map((language) => [language, languageNames[language]])),
    parentIds: t('edit.parents'),
    ...Object.fromEntries(
      subjectKinds.flatMap((kind) =>
        permissions.map((permission) => [grantPart(kind, permission), ofGrant(kind, permission)]),
      ),
    ),
  };
  const text = (part: string, value: unknown): string => {
    if (Array.isArray(value))
      return value
        .flatMap((id) => roles.filter((one) => one.id === id).map((one) => labelIn(one, i18n.language)))
        .join(', ');
    if (grantOf(part) === null) return value ? String(value) : '';
    return t(value === 'allow' || value === 'deny' ? `state.${value}` : 'state.none');
  };
  return { labels, text };
}

interface PartProps {
  draft: RoleDraft;
  disabled: boolean;
  onChange: (part: string, value: RoleParts[string]) => void;
}

function Names({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation('roles');
  const inputProps = { maxLength: 100 };
  return (
    <Section title={t('edit.names')}>
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <TextField
          name="label"
          label={t('edit.name')}
          help={t('edit.nameHelp')}
          disabled={disabled}
          inputProps={inputProps}
        />
        {translations.map((language) => (
          <TextField
            key={language}
            name={language}
            label={languageNames[language]}
            required={false}
            disabled={disabled}
            inputProps={{ ...inputProps, lang: language }}
          />
        ))}
      </Box>
    </Section>
  );
}

/** The roles it inherits everything from; one that inherits from this role cannot be chosen. */
function Parents({
  role,
  roles,
  draft,
  disabled,
  onChange,
}: PartProps & { role: Role | null; roles: readonly Role[] }) {
  const { t, i18n } = useTranslation('roles');
  const byId = new Map(roles.map((one) => [one.id, one]));
  const others = roles.filter((one) => one.id !== role?.id);
  const below = (one: Role) => role !== null && ancestorsOf(byId, one).some(({ id }) => id === role.id);
  return (
    <Section title={t('edit.parents')}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('edit.parentsHelp')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(240px, 1fr))' },
        }}
      >
        {others.map((one) => (
          <FormControlLabel
            key={one.id}
            disabled={disabled || below(one)}
            control={
              <Checkbox
                checked={draft.parentIds.includes(one.id)}
                onChange={(event) =>
                  onChange(
                    'parentIds',
                    event.target.checked
                      ? [...draft.parentIds, one.id].sort()
                      : draft.parentIds.filter((id) => id !== one.id),
                  )
                }
              />
            }
            label={labelIn(one, i18n.language)}
          />
        ))}
      </Box>
    </Section>
  );
}

/** The role's own grants, by permission and kind, next to what it inherits. */
function Grants({
  role,
  roles,
  draft,
  kinds,
  held,
  disabled,
  onChange,
}: PartProps & {
  role: Role | null;
  roles: readonly Role[];
  kinds: readonly SubjectKind[];
  held: readonly string[];
}) {
  const { t, i18n } = useTranslation('roles');
  const edited = { id: role?.id ?? '', parentIds: draft.parentIds, grants: draft.grants };
  const byId = new Map<string, Pick<Role, 'id' | 'parentIds' | 'grants'>>(roles.map((one) => [one.id, one]));
  byId.set(edited.id, edited);
  const label = (id: string) => {
    const found = roles.find((one) => one.id === id);
    return found ? labelIn(found, i18n.language) : '';
  };
  /** Each choice in words for its result, the only thing shown. */
  const choicesOf = ({ effect, from }: GrantState) => {
    const said = { role: from === null ? '' : label(from) };
    return {
      none: effect === null ? t('state.none') : t(`inherited.${effect}`, said),
      allow: effect === 'deny' ? t('inherited.overridden', said) : t('state.allow'),
      deny: t('state.deny'),
    };
  };
  const cell = { padding: '6px 8px', borderBottom: 1, borderColor: 'divider', verticalAlign: 'top' } as const;
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Box component="table" sx={{ borderCollapse: 'collapse', fontSize: '0.8125rem', minWidth: '100%' }}>
        <thead>
          <tr>
            <Box component="th" scope="col" sx={{ ...cell, textAlign: 'left' }}>
              {t('list.permission')}
            </Box>
            {kinds.map((kind) => (
              <Box component="th" scope="col" key={kind} sx={{ ...cell, textAlign: 'left', minWidth: 208 }}>
                {t(`kind.${kind}`)}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissionsFor(kinds).map((permission: KnownPermission) => {
            const holds = held.includes(permission);
            const words = t(`common:permission.${permission}`);
            return (
              <tr key={permission}>
                <Box
                  component="th"
                  scope="row"
                  sx={{ ...cell, textAlign: 'left', fontWeight: 400, minWidth: 200 }}
                >
                  {words}
                  {holds ? null : (
                    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                      {t('edit.notHeld')}
                    </Typography>
                  )}
                </Box>
                {kinds.map((kind) => {
                  if (!grantableOn(permission).includes(kind))
                    return (
                      <Box component="td" key={kind} sx={{ ...cell, color: 'text.tertiary' }}>
                        <span aria-hidden>–</span>
                      </Box>
                    );
                  const { own } = stateOf(byId, edited, kind, permission);
                  const choices = choicesOf(inheritedOf(byId, edited, kind, permission));
                  return (
                    <Box component="td" key={kind} sx={cell}>
                      <NativeSelect
                        value={own ?? ''}
                        title={choices[own ?? 'none']}
                        disabled={disabled || !holds}
                        input={<OutlinedInput size="small" fullWidth />}
                        inputProps={{ 'aria-label': `${words}, ${t(`kind.${kind}`)}` }}
                        onChange={(event) => onChange(grantPart(kind, permission), event.target.value)}
                      >
                        <option value="">{choices.none}</option>
                        <option value="allow">{choices.allow}</option>
                        <option value="deny">{choices.deny}</option>
                      </NativeSelect>
                    </Box>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </Box>
    </Box>
  );
}
